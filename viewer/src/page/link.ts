/** What was changed in a page, as text for its address: base64 of JSON, of changes alone. */

import { LONGEST_NAME, type Kept, type Setting } from "./settings";
import { COLOURS, STYLES, type ViewChoices } from "../ui/viewrows";
import type { CameraState } from "../camera/camera";
import type { Plain, Table } from "../wire/contracts";
import { t } from "../words";

/** Another version means another form; what is not there is as the page has it. */
export interface Changes {
  version: 1;
  values?: Record<string, Plain>;
  off?: string[];
  /** What was drawn: path -> table. */
  drawn?: Record<string, Table>;
  seed?: string;
  view?: Partial<ViewChoices>;
  camera?: Pick<CameraState, "azimuth" | "elevation" | "zoom" | "pan">;
  /** Stored settings, and the one that is compared with the present one. */
  kept?: LinkedSetting[];
  compared?: LinkedSetting;
  /** Of another flock beside. */
  beside?: FlightChanges;
}

/** What was changed of one of two flocks. */
export type FlightChanges = Pick<Changes, "values" | "off" | "kept" | "drawn">;

/** A setting by what differs in it from the model as it was loaded. */
export interface LinkedSetting {
  name: string;
  values?: Record<string, Plain>;
  off?: string[];
}

/** A kept setting, for a link. */
export function linked({ name, values, off }: Kept, defaults: Setting["values"]): LinkedSetting {
  const changed = differences(values, defaults);
  return { name, ...(changed && { values: changed as Record<string, Plain> }), ...(off.length > 0 && { off }) };
}

/** The setting of a link, whole; values of what the model has not are left out. */
export function unlinked({ name, values = {}, off = [] }: LinkedSetting, defaults: Setting["values"]): Kept {
  const entry = Object.entries(values).filter(([path]) => Object.hasOwn(defaults, path));
  return { name, values: { ...defaults, ...Object.fromEntries(entry) }, off: off.filter((rule) => Object.hasOwn(defaults, `rules.${rule}.weight`)) };
}

export const LONGEST = 8000; // characters: what every program passes on

const PART = /(?:^#?|&)flock=([\w-]*)/;

export function encodeChanges(changes: Changes): string {
  if (Object.keys(changes).length === 1) return "";
  const bytes = new TextEncoder().encode(JSON.stringify(changes));
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** The changes in an address's part behind #; null where there are none. Throws for what is no text of
 * encodeChanges. */
export function changesIn(hash: string): Changes | null {
  const text = PART.exec(hash)?.[1];
  if (!text) return null;
  const letters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
  const found = JSON.parse(new TextDecoder().decode(bytes)) as Changes;
  if (found === null || typeof found !== "object" || found.version !== 1) throw new Error(t("this link was made by another version of murmurate"));
  return usable(found);
}

/** The valid parts of a link, which may come from outside. */
function usable({ values, off, drawn, seed, view = {}, camera, kept, compared, beside }: Changes): Changes {
  const { style, colourBy, trails, box, follow, turning } = view;
  const choices: Partial<ViewChoices> = {
    ...(STYLES.includes(style!) && { style }),
    ...(isColour(colourBy) && { colourBy }),
    ...(Number.isInteger(trails) && { trails: Math.min(60, Math.max(0, trails!)) }),
    ...(typeof box === "boolean" && { box }),
    ...(typeof turning === "boolean" && { turning }),
    ...((follow === "space" || follow === "flock") && { follow }),
  };
  const numbers = camera && [camera.azimuth, camera.elevation, camera.zoom, ...(Array.isArray(camera.pan) ? camera.pan : [])];
  return {
    version: 1,
    ...usableSetting({ values, off }),
    ...usableDrawn({ drawn }),
    ...(/^\d{1,18}$/.test(String(seed)) && { seed: String(seed) }),
    ...(Object.keys(choices).length > 0 && { view: choices }),
    ...(camera && numbers?.length === 6 && numbers.every(Number.isFinite) && camera.zoom > 0 && { camera }),
    ...usableKept({ kept }),
    ...(beside !== null && typeof beside === "object" && { beside: { ...usableSetting(beside), ...usableDrawn(beside), ...usableKept(beside) } }),
    ...(isNamed(compared) && { compared: named(compared) }),
  };
}

/** A word, or the path of a number: a scene without that number shows flocks. */
const isColour = (by: unknown): by is string => typeof by === "string" && (COLOURS.includes(by) || /^[a-z][\w.-]{0,199}$/i.test(by));

function usableDrawn({ drawn }: FlightChanges): Pick<Changes, "drawn"> {
  const isTable = (value: unknown): value is Table => value !== null && typeof value === "object" && !Array.isArray(value);
  return isTable(drawn) && Object.values(drawn).every(isTable) ? { drawn } : {};
}

function usableKept({ kept }: FlightChanges): Pick<Changes, "kept"> {
  return Array.isArray(kept) ? { kept: kept.filter(isNamed).map(named) } : {};
}

function usableSetting({ values, off }: Omit<LinkedSetting, "name">): Omit<LinkedSetting, "name"> {
  return {
    ...(values !== null && typeof values === "object" && !Array.isArray(values) && { values }),
    ...(Array.isArray(off) && { off: off.map(String) }),
  };
}

const isNamed = (setting?: LinkedSetting | null): setting is LinkedSetting => typeof setting === "object" && typeof setting?.name === "string" && setting.name !== "";
const named = (one: LinkedSetting): LinkedSetting => ({ name: one.name.slice(0, LONGEST_NAME), ...usableSetting(one) });

/** The part behind # with other changes; the rest of it remains. */
export function hashWith(hash: string, text: string): string {
  const rest = hash.replace(/^#/, "").split("&").filter((part) => part && !part.startsWith("flock="));
  const parts = text ? [...rest, `flock=${text}`] : rest;
  return parts.length > 0 ? `#${parts.join("&")}` : "";
}

/** What differs in one record from another. */
export function differences<T extends object>(now: T, before: T): Partial<T> | undefined {
  const found = Object.entries(now).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(before[key as keyof T]));
  return found.length > 0 ? (Object.fromEntries(found) as Partial<T>) : undefined;
}

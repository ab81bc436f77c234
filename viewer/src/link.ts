/** What was changed in a page, as text for its address: base64 of JSON, of changes alone. */

import { COLOURS, STYLES, type ViewChoices } from "./ui/viewrows";
import type { CameraState } from "./camera/camera";
import type { Plain } from "./wire/messages";

/** Another version means another form; what is not there is as the page has it. */
export interface Changes {
  version: 1;
  values?: Record<string, Plain>;
  off?: string[];
  seed?: string;
  view?: Partial<ViewChoices>;
  camera?: Pick<CameraState, "azimuth" | "elevation" | "zoom" | "pan">;
}

export const LONGEST = 8000; // characters: what every program hands on

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
  if (found === null || typeof found !== "object" || found.version !== 1) throw new Error("this link is of another version");
  return usable(found);
}

/** Of what a link says, which anybody may have written, what can be used. */
function usable({ values, off, seed, view = {}, camera }: Changes): Changes {
  const { style, colourBy, trails, box, follow, turning } = view;
  const choices: Partial<ViewChoices> = {
    ...(STYLES.includes(style!) && { style }),
    ...(COLOURS.includes(colourBy!) && { colourBy }),
    ...(Number.isInteger(trails) && { trails: Math.min(60, Math.max(0, trails!)) }),
    ...(typeof box === "boolean" && { box }),
    ...(typeof turning === "boolean" && { turning }),
    ...((follow === "space" || follow === "flock") && { follow }),
  };
  const numbers = camera && [camera.azimuth, camera.elevation, camera.zoom, ...(Array.isArray(camera.pan) ? camera.pan : [])];
  return {
    version: 1,
    ...(values !== null && typeof values === "object" && !Array.isArray(values) && { values }),
    ...(Array.isArray(off) && { off: off.map(String) }),
    ...(/^\d{1,18}$/.test(String(seed)) && { seed: String(seed) }),
    ...(Object.keys(choices).length > 0 && { view: choices }),
    ...(camera && numbers?.length === 6 && numbers.every(Number.isFinite) && camera.zoom > 0 && { camera }),
  };
}

/** The part behind # with other changes; what else stands there stays. */
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

/** What a page that simulates a flock has beside the live view: seeds, pictures and clips, the model as a file, and
 * an address that contains all changes. */

import { Codap } from "./codap";
import { openData } from "./dataout";
import { copyText, download, textFields } from "./copying";
import { Clip, records, still } from "../scene/capture";
import { askedBy, controlOf, hearPageAround, paceOf, tellPageAround, reportOf } from "./embedding";
import { drawnNow, isOfDrawn } from "../drawing/drawnnow";
import { changesIn, differences, encodeChanges, hashWith, LONGEST, type Changes, type FlightChanges } from "./link";
import type { LivePart, LiveView } from "./livepart";
import { h, icon, newId } from "../ui/dom";
import { openSheet } from "../ui/help";
import { choicesOf } from "../ui/viewrows";
import type { Plain, StatusMessage } from "../wire/contracts";
import type { ReachedMessage, ReplyMessage } from "../wire/messages";
import { mark, t, tv } from "../words";

const LONGEST_CLIP = 60; // seconds
const CLIP = mark("Clip");
/** A link to a file on this computer is of no use to others without the file. */
const SEND = location.protocol === "file:" ? mark("This page is a file on your computer: send the file along with the link. Whoever has the file opens it and adds the part of the link from # on to its address.") : "";
const APART = 700; // milliseconds between two checks for changes

export class Tools implements LivePart {
  readonly row: HTMLElement;
  readonly buttons: HTMLElement[];
  private readonly field: HTMLInputElement;
  private readonly clipButton: HTMLButtonElement;
  private live: LiveView | null = null;
  private beside: LiveView | null = null;
  private clip: Clip | null = null;
  private seed: string;
  private text = "";
  private readonly codap: Codap;
  private timer = 0;
  private pace = 1;
  private unhear = (): void => undefined;

  constructor(private readonly name: string, private readonly firstSeed: string, private readonly changes: Changes | null, private readonly wrong: string, engineRow?: HTMLElement) {
    this.seed = changes?.seed ?? firstSeed;
    this.codap = new Codap(name);
    const id = newId();
    this.field = h("input", {
      type: "text", inputmode: "numeric", class: "value", id, "data-test": "seed", autocomplete: "off",
      title: t("The same seed gives the same simulation"), value: this.seed,
    });
    this.field.addEventListener("change", () => this.begin(Number(this.field.value)));
    const other = h(
      "button",
      { type: "button", class: "button", "data-test": "other-seed", title: t("Restart with another seed"), onClick: () => this.begin(Math.floor(Math.random() * 1e6)) },
      t("another seed"),
    );
    const seedRow = h("div", { class: "row" }, h("label", { for: id }, t("seed")), other, this.field);
    this.row = engineRow ? h("div", {}, seedRow, engineRow) : seedRow;
    const button = (name: string, label: string, title: string, test: string, go: () => unknown): HTMLButtonElement =>
      h("button", { type: "button", class: "button", "data-test": test, title, "aria-label": title, onClick: () => void go() }, icon(name), label);
    this.clipButton = button("film", tv(CLIP), t("Save a clip of the picture"), "save-clip", () => this.record());
    this.clipButton.hidden = !records();
    this.buttons = [
      button("picture", t("Picture"), t("Save a picture"), "save-picture", () => this.picture()), this.clipButton,
      button("page", t("Model"), t("Save the model with its present numbers"), "save-model", () => this.model()),
    ];
    // A page in a notebook's cell has no address that another one could open.
    if (location.protocol !== "about:") {
      this.buttons.push(button("link", t("Link"), SEND ? t("Copy a link to this file with its present numbers; send the file along") : t("Copy a link to this flock with its present numbers"), "copy-link", () => this.copyLink()));
      this.buttons.push(button("embed", t("Embed"), t("Embed this flock, with its present numbers, in a page of yours: copy the HTML"), "copy-embed", () => this.copyEmbed()));
    }
    this.buttons.push(button("table", t("Data"), t("Data of charts and boids: save or copy them as CSV"), "data", () => this.live && openData(this.live, name, this.codap)));
  }

  attach(live: LiveView, beside?: LiveView): void {
    [this.live, this.beside] = [live, beside ?? null];
    const { view, camera } = this.changes ?? {};
    if (view) live.settings.choose(view);
    if (camera && live.viewport) Object.assign(live.viewport.camera.goal, camera);
    if (this.changes) live.kept.open(this.changes);
    if (this.changes?.beside) beside?.kept.open(this.changes.beside);
    if (this.wrong) this.say(this.wrong, "error");
    this.text = encodeChanges(this.now());
    this.timer = window.setInterval(() => this.write(), APART);
    window.addEventListener("hashchange", () => location.reload());
    if (live.scene) this.pace = paceOf(live.scene);
    this.unhear = hearPageAround((data) => {
      const request = askedBy(data, this.pace);
      if (request) void live.requests.send(request);
      const control = controlOf(data);
      if (control) void this.control(live, control);
    });
    tellPageAround({ murmurate: "flies" });
    if (!live.shell.bare) this.codap.connect();
  }

  /** Do what a program of the surrounding page requests, and answer it. */
  private async control({ requests }: LiveView, { to, request }: NonNullable<ReturnType<typeof controlOf>>): Promise<void> {
    const reply = typeof request === "string" ? { error: request } : await requests.send(request, true);
    const { controlled } = reply as Partial<ReplyMessage>;
    tellPageAround({ murmurate: "answer", to, ...(controlled ?? { error: reply.error ?? t("the request was refused") }) });
  }

  dispose(): void {
    clearInterval(this.timer);
    this.unhear();
    this.codap.dispose();
  }

  status({ seed }: StatusMessage): void {
    if (seed === undefined || seed === this.seed) return;
    this.seed = seed;
    this.field.value = seed;
  }

  reached(message: ReachedMessage): void {
    tellPageAround(reportOf(message, this.pace));
  }

  private say(text: string, level: "info" | "warning" | "error" = "info"): void {
    this.live?.shell.notices.say(text, { level, about: "page", sticky: level === "error" });
  }

  private begin(seed: number): void {
    if (!Number.isSafeInteger(seed) || seed < 0) {
      this.field.value = this.seed;
      return this.say(t("Seed: expected a whole number, 0 or more."), "error");
    }
    void this.live?.requests.send({ type: "restart", seed });
  }

  /** What was changed, of all that a link holds. */
  private now(): Changes {
    const { scene, viewport, settings } = this.live!;
    const found: Changes = { version: 1 };
    if (!scene || !viewport) return found;
    Object.assign(found, flightChanges(this.live!));
    const beside = this.beside ? flightChanges(this.beside) : {};
    if (Object.keys(beside).length > 0) found.beside = beside;
    if (this.seed !== this.firstSeed) found.seed = this.seed;
    const { follow, ...view } = differences(settings.choices, choicesOf(scene.view)) ?? {};
    if (follow && follow !== "boid") Object.assign(view, { follow });
    if (Object.keys(view).length > 0) found.view = view;
    const camera = viewport.camera.moved;
    if (camera) found.camera = camera;
    return found;
  }

  /** Write it into the address, if the browser allows it. */
  private write(): void {
    const text = encodeChanges(this.now());
    if (text === this.text) return;
    this.text = text;
    const fits = text.length <= LONGEST;
    if (!fits) this.tooLong();
    try {
      history.replaceState(null, "", `${location.pathname}${location.search}${hashWith(location.hash, fits ? text : "")}`);
    } catch {
      // A page within another one may not have an address of its own.
    }
    if (fits) tellPageAround({ murmurate: "link", flock: text });
  }

  private tooLong(): void {
    const text = t("The link would have {length} characters; at most {most} are allowed. Save the model instead.", { length: this.text.length, most: LONGEST });
    this.say(text, "warning");
  }

  /** The address of this page with all changes; null where it would be too long, which is said. */
  private address(): string | null {
    this.write();
    if (this.text.length <= LONGEST) return `${location.href.split("#")[0]!}${hashWith(location.hash, this.text)}`;
    this.tooLong();
    return null;
  }

  private async copyEmbed(): Promise<void> {
    const [address, shell] = [this.address(), this.live!.shell];
    if (address === null) return;
    const frame = h("iframe", { src: address, width: 960, height: 600, title: shell.title.textContent || this.name, allow: "clipboard-write; fullscreen", style: "border:0" });
    const said = SEND ? t("The HTML is copied to the clipboard. Put this file on a web server first, and its address there into the HTML.") : t("The HTML is copied to the clipboard.");
    await copyText(shell, frame.outerHTML, t("HTML for a page of yours"), said, ...(SEND ? [h("p", { class: "about" }, said)] : []));
  }

  private async copyLink(): Promise<void> {
    const address = this.address();
    if (address === null) return;
    const send = tv(SEND);
    const said = `${t("The link is copied to the clipboard. It opens this flock with its present numbers.")} ${send}`.trim();
    await copyText(this.live!.shell, address, t("The link to this flock"), said, ...(send ? [h("p", { class: "about" }, send)] : []));
  }

  private async model(): Promise<void> {
    const reply = await this.live!.requests.send({ type: "toml" });
    if (!reply.ok || reply.toml === undefined) return;
    download(reply.toml, "application/toml", `${this.name}.toml`);
    const seed = this.seed === "0" ? "" : `, seed=${this.seed}`;
    const title = t("The model, and two lines of Python that run it");
    openSheet(this.live!.shell.frame, title, ...textFields(title, `import murmurate as mm\nmm.watch("${this.name}.toml"${seed})`, reply.toml));
  }

  private async picture(): Promise<void> {
    const viewport = this.live?.viewport;
    if (viewport) download(await still(viewport), "image/png", `${this.name}.png`);
  }

  private async record(): Promise<void> {
    const viewport = this.live?.viewport;
    if (!viewport) return;
    if (this.clip) return this.endClip();
    const clip = (this.clip = new Clip(viewport));
    const begun = performance.now();
    const report = (): void => {
      if (this.clip !== clip) return;
      const seconds = Math.floor((performance.now() - begun) / 1000);
      this.clipButton.lastChild!.textContent = t("Stop {seconds} s", { seconds });
      if (seconds >= LONGEST_CLIP) void this.endClip();
      else setTimeout(report, 250);
    };
    report();
  }

  private async endClip(): Promise<void> {
    const clip = this.clip!;
    this.clip = null;
    this.clipButton.lastChild!.textContent = tv(CLIP);
    const { blob, suffix } = await clip.stop();
    download(blob, blob.type, `${this.name}${suffix}`);
  }
}

/** What was changed of a flight, and the settings that were kept of it. */
function flightChanges({ scene, kept }: LiveView): FlightChanges {
  if (!scene) return {};
  const weights = scene.off.map((rule) => `rules.${rule}.weight`);
  const values = Object.entries(differences(scene.values, scene.defaults) ?? {}).filter(([path]) => !weights.includes(path) && !isOfDrawn(scene.drawn, path));
  const drawn = drawnNow(scene);
  return {
    ...kept.inLink,
    ...(Object.keys(drawn).length > 0 && { drawn }),
    ...(values.length > 0 && { values: Object.fromEntries(values) as Record<string, Plain> }),
    ...(scene.off.length > 0 && { off: scene.off }),
  };
}

/** The changes in this page's address. A link that cannot be read is reported and ignored. */
export function changesOfPage(): { changes: Changes | null; wrong: string } {
  try {
    return { changes: changesIn(location.hash), wrong: "" };
  } catch {
    return { changes: null, wrong: t("The changes in the link cannot be read, so the page shows the original flock.") };
  }
}

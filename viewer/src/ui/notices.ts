/** Notices: errors in a model's file, refused values, finished films and pages. */

import type { NoticeMessage } from "../wire/contracts";
import { h, iconButton } from "./dom";
import { t } from "../words";

const MAX_NOTICES = 4; // shown at a time

export interface NoticeOptions {
  level?: "error" | "warning" | "info";
  /** One notice a subject: a new one replaces the old one. */
  about?: string;
  sticky?: boolean;
  /** Shown as it is, in a monospaced face: the complaint about a file. */
  plain?: string;
  /** Of 1; null: it is not known. */
  progress?: number | null;
  link?: { url: string; name: string };
}

export class Notices {
  readonly element = h("div", { class: "notices" });
  readonly live = h("div", { class: "hidden", role: "status", "aria-live": "polite" });
  private shown = new Map<string, HTMLElement>();

  say(text: string, options: NoticeOptions = {}): void {
    const { level = "info", about = `${level}:${text}`, sticky, plain, progress, link } = options;
    // Progress is not read out again and again.
    const role = level === "error" ? "alert" : progress === undefined ? "status" : undefined;
    const close = iconButton("close", t("Close"), "notice-close", () => this.clear(about));
    const notice = h(
      "div",
      { class: `card notice ${level}`, "data-test": "notice", "data-level": level, "data-about": about, role },
      h("div", {}, text),
      plain ? h("pre", { class: "mono" }, plain) : null,
      progress !== undefined ? h("progress", progress === null ? {} : { max: 1, value: progress }) : null,
      link ? h("a", { href: link.url, download: link.name, "data-test": "made-link" }, link.name) : null,
      close,
    );
    const old = this.shown.get(about);
    if (old) old.replaceWith(notice);
    else this.element.append(notice);
    this.shown.set(about, notice);
    if (sticky) notice.dataset["sticky"] = "";
    while (this.shown.size > MAX_NOTICES) this.clear(this.oldest());
    if (!sticky) {
      setTimeout(() => {
        if (this.shown.get(about) === notice) this.clear(about);
      }, level === "error" ? 9000 : 5000);
    }
  }

  /** What a program is busy with, for an unknown time; nothing: no more. */
  working(about: string, what: string): void {
    if (what === "") this.clear(about);
    else if (!this.shown.has(about)) this.say(`${what[0]!.toUpperCase()}${what.slice(1)} …`, { about, progress: null, sticky: true });
  }

  /** A notice from Python. Errors of a file are shown as text, unchanged. */
  receive({ level, text = "", about, sticky = false }: NoticeMessage): void {
    if (level === "clear") return this.clear(about ?? "");
    const options = { level, about: about ?? text, sticky };
    if (about !== "file" || level !== "error") return this.say(text, options);
    const said = t("The model file has an error. The flock continues with the last valid version.");
    this.say(said, { ...options, plain: text });
  }

  /** Notices that remain until they are read are last. */
  private oldest(): string {
    const passing = [...this.shown].find(([, notice]) => notice.dataset["sticky"] === undefined);
    return passing?.[0] ?? [...this.shown.keys()][0]!;
  }

  clear(about: string): void {
    this.shown.get(about)?.remove();
    this.shown.delete(about);
  }

  /** For screen readers only. */
  announce(text: string): void {
    this.live.textContent = text;
  }
}

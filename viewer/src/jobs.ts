/** Jobs of the panel's buttons: films and pages that Python makes, and the model as text. */

import type { Requests } from "./requests";
import type { Shell } from "./shell";
import { h } from "./ui/dom";
import { openSheet } from "./ui/help";
import type { MadeMessage, SceneMessage } from "./wire/messages";

const FRAMES = 300;

export class Jobs {
  /** What this page has requested: what others requested is not put among its downloads. */
  private readonly requested = new Set<string>();

  constructor(
    private readonly requests: Requests,
    private readonly shell: Shell,
  ) {}

  film(scene: SceneMessage | null): void {
    const steps = Math.min(20_000, scene?.view.steps ?? 240);
    this.begin("film");
    void this.requests.send({ type: "film", steps, size: [1280, 720] });
  }

  page(): void {
    this.begin("page");
    void this.requests.send({ type: "page", frames: FRAMES });
  }

  private begin(what: string): void {
    this.requested.add(what);
    this.shell.notices.say(`Making the ${what} …`, { about: `made-${what}`, progress: 0, sticky: true });
  }

  receive({ what, state, progress, url, name, error }: MadeMessage): void {
    const about = `made-${what}`;
    const { notices } = this.shell;
    if (state === "working") {
      notices.say(`Making the ${what} … ${Math.round(100 * (progress ?? 0))}%`, { about, progress: progress ?? 0, sticky: true });
    } else if (state === "failed") {
      this.requested.delete(what);
      notices.say(`The ${what} could not be made: ${error ?? "no reason given"}`, { about, level: "error", sticky: true });
    } else if (url) {
      const link = { url, name: name ?? what };
      notices.say(`The ${what} is ready:`, { about, link, sticky: true });
      if (this.requested.delete(what)) h("a", { href: url, download: link.name }).click();
    }
  }

  async copy(): Promise<void> {
    const reply = await this.requests.send({ type: "toml" });
    if (reply.ok && reply.toml !== undefined) await copyText(this.shell, reply.toml);
  }
}

/** To the clipboard; where that is not allowed, onto the page to copy by hand. */
export async function copyText(shell: Shell, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    shell.notices.say("The model is on the clipboard, as a model file.", { about: "copy" });
  } catch {
    const area = h("textarea", { class: "mono", readonly: true, "data-test": "toml", "aria-label": "The model file" });
    area.value = text;
    openSheet(shell.frame, "The model file", area);
    area.select();
  }
}

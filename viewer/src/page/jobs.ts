/** Jobs of the panel's buttons: films and pages that Python makes, and the model as text. */

import { firstChoice, SIZES, type FilmChoice } from "../controls/filmchoice";
import { copyText } from "./copying";
import type { Requests } from "./requests";
import type { Shell } from "./shell";
import { h } from "../ui/dom";
import { openFilmSheet } from "../ui/filmsheet";
import type { MadeMessage, SceneMessage } from "../wire/contracts";
import type { PageMessage } from "../wire/messages";
import { t } from "../words";

const FRAMES = 300;

const making = (what: string): string => (what === "film" ? t("Making the film") : t("Making the page"));

export class Jobs {
  /** What this page has requested: what others requested is not put among its downloads. */
  private readonly requested = new Set<number>();
  /** Jobs that are shown as running. */
  private readonly working = new Set<string>();
  private chosen: { scene: string; choice: FilmChoice } | null = null;

  constructor(
    private readonly requests: Requests,
    private readonly shell: Shell,
  ) {}

  /** Open the sheet of a film, and request the film. */
  film(scene: SceneMessage | null): void {
    if (!scene) return;
    const { name, view } = scene;
    const first = this.chosen?.scene === name ? this.chosen.choice : firstChoice(view);
    openFilmSheet(this.shell.frame, view, first, (choice) => {
      this.chosen = { scene: name, choice };
      const { size } = SIZES.find(({ value }) => value === choice.size)!;
      void this.begin("film", { type: "film", steps: choice.steps, size });
    });
  }

  page(): void {
    void this.begin("page", { type: "page", frames: FRAMES });
  }

  /** Start a job. Its messages report the progress; a refusal is shown instead. */
  private async begin(what: string, message: PageMessage): Promise<void> {
    const about = `made-${what}`;
    this.tellWorking(about, what, 0);
    this.shell.notices.announce(making(what));
    const reply = await this.requests.send(message);
    if (reply.job !== undefined) this.requested.add(reply.job);
    this.end(about);
  }

  private tellWorking(about: string, what: string, progress: number): void {
    this.working.add(about);
    this.shell.notices.say(`${making(what)} … ${Math.round(100 * progress)}%`, { about, progress, sticky: true });
  }

  private end(about: string): void {
    if (this.working.delete(about)) this.shell.notices.clear(about);
  }

  /** Nothing is known of them any more: the connection is lost, or the program has ended. */
  forget(): void {
    for (const about of [...this.working]) this.end(about);
  }

  receive({ job, what, state, progress, url, name, error }: MadeMessage): void {
    const about = `made-${job}`;
    const { notices } = this.shell;
    if (state === "working") return this.tellWorking(about, what, progress ?? 0);
    this.end(about);
    const mine = this.requested.delete(job);
    if (state === "failed") {
      notices.say(`${what === "film" ? t("The film could not be made.") : t("The page could not be made.")} ${error ?? ""}`, { about, level: "error", sticky: true });
    } else if (url) {
      const link = { url, name: name ?? what };
      notices.say(what === "film" ? t("The film is ready:") : t("The page is ready:"), { about, link, sticky: true });
      if (mine) h("a", { href: url, download: link.name }).click();
    }
  }

  async copy(): Promise<void> {
    const reply = await this.requests.send({ type: "toml" });
    if (reply.ok && reply.toml !== undefined) await copyText(this.shell, reply.toml, t("The model file"), t("The model file is copied to the clipboard."));
  }
}

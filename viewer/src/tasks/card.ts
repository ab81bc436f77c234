/** The card of a task: one question at a time, its check, hints, and at the end the result with its code. */

import css from "./tasks.css?inline";
import { codeOf } from "./code";
import { kit, t, textOf, tn } from "./kit";
import { begun, isComplete, pointsOf, progressIn, scoreOf, shareOf, written, type Progress } from "./progress";
import { placeOfResults, type Place } from "./scorm";
import { numberText, viewOf, type Around, type Step, type StepView } from "./steps";
import type { Live } from "../live";
import type { MeasurePoint, PackedTask, Task, Texts } from "../wire/contracts";
import type { ServerMessage } from "../wire/messages";

const SHORTEST_RUN = 4; // seconds in which a predicted line is measured: forty points
const LONGEST_NAME = 24; // letters
const PASSING = 60; // percent, unless the task says otherwise

export class TaskCard {
  private readonly task: Task;
  private readonly digest: string;
  private readonly place: Place;
  private progress: Progress;
  private view: StepView | null = null;
  private readonly element: HTMLElement;
  private readonly body = kit.h("div", { class: "task-body" });
  private readonly buttons = kit.h("footer", {});
  private readonly count = kit.h("span", { class: "quiet" });
  private readonly bars = kit.h("div", { class: "bars", "aria-hidden": "true" });
  private readonly said = kit.h("p", { class: "said", role: "status", "data-test": "said" });

  constructor(private readonly live: Live, { task, digest }: PackedTask) {
    [this.task, this.digest] = [task, digest];
    this.place = placeOfResults(digest);
    this.progress = progressIn(this.place.text, task, digest) ?? begun(task);
    const { h, icon } = kit;
    const fold = h("button", { type: "button", class: "icon", "data-test": "task-fold", "aria-expanded": "true", "aria-label": t("Fold the task"), onClick: () => {
      const folded = this.element.classList.toggle("folded");
      fold.setAttribute("aria-expanded", String(!folded));
      this.live.shell.layout();
    } }, icon("more"));
    this.element = h(
      "section", { class: "card task", "aria-label": textOf(task.title), "data-test": "task" },
      h("header", {}, h("h2", {}, textOf(task.title)), this.count, fold), this.bars, this.body, this.buttons,
    );
    const { shell } = live;
    shell.host.shadowRoot!.append(h("style", { text: css }));
    shell.left.children[0]!.after(this.element);
    shell.task = this.element;
    live.heard.push((message) => this.hear(message));
    if (live.main.scene) this.show(false);
  }

  private hear(message: ServerMessage): void {
    if (message.type === "scene" && !this.view) queueMicrotask(() => this.show(false));
    if (message.type !== "measures") return;
    message.points.forEach((point: MeasurePoint, k) => this.view?.point?.(point, k === 0 && message.begin === true));
  }

  /** Show the next step, or the result. With `focus`, screen readers read the question. */
  private show(focus: boolean): void {
    const { at, steps } = this.progress;
    const step = this.task.steps[at];
    this.count.textContent = step ? t("{n} of {all}", { n: at + 1, all: steps.length }) : "";
    this.bars.replaceChildren(...steps.map(({ share }, k) => {
      const bar = kit.h("i", { class: k === at ? "now" : share === null ? "" : share > 0 ? "good" : "none" });
      if (share) bar.style.setProperty("--share", String(share / 4));
      return bar;
    }));
    this.said.replaceChildren();
    this.said.className = "said";
    this.view = null;
    if (step) this.ask(step, focus);
    else this.showResult(focus);
    this.live.shell.layout();
  }

  private heading(text: string, focus: boolean): HTMLElement {
    const heading = kit.h("h3", { tabindex: "-1", "data-test": "question" }, text);
    if (focus) setTimeout(() => heading.focus());
    return heading;
  }

  private button(label: string, test: string, go: () => void, strong = false): HTMLButtonElement {
    return kit.h("button", { type: "button", class: `button${strong ? " strong" : ""}`, "data-test": test, onClick: go }, label);
  }

  private ask(step: Step, focus: boolean): void {
    const { h } = kit;
    const done = this.progress.steps[this.progress.at]!;
    if (done.share !== null) return this.next();
    if (step.values) this.apply(step.values);
    const view = (this.view = viewOf(step, this.around(step)));
    const hints = h("div", { class: "hints" });
    const given: Texts[] = (step.hints ?? []).slice(0, done.hints);
    const showHints = (): void => hints.replaceChildren(...given.map((hint) => h("p", {}, textOf(hint))));
    const hint = this.button(t("Hint"), "hint", () => {
      given.push(step.hints![done.hints++]!);
      showHints();
      this.lay(hints);
      hint.hidden = done.hints >= step.hints!.length;
      if (hint.hidden) this.buttons.querySelector<HTMLElement>("button:not([hidden])")?.focus();
      this.save();
    });
    hint.title = t("A hint costs a quarter of the points");
    hint.hidden = (step.hints?.length ?? 0) <= done.hints;
    hints.setAttribute("role", "status");
    showHints();
    const skip = this.button(t("Skip"), "skip", () => this.finish(0, "", step));
    const act = view.act && this.button(view.act.label, "check", () => view.act!.go(), true);
    const about = this.task.about && this.progress.at === 0 ? h("p", { class: "about" }, textOf(this.task.about)) : null;
    this.body.replaceChildren(
      ...(about ? [about] : []), this.heading(textOf(step.question), focus), view.element, this.said, hints,
    );
    this.buttons.replaceChildren(...[hint, skip, act].filter((one) => one !== undefined));
    this.body.scrollTop = 0;
  }

  private around(step: Step): Around {
    const { main } = this.live;
    const scene = main.scene!;
    const say: Around["say"] = (text, how) => {
      this.said.className = `said ${how ?? ""}`;
      this.said.textContent = text;
      this.lay(this.said);
    };
    return {
      chart: (measure) => scene.charts.find(({ name }) => name === measure),
      flock: (name) => name || scene.flocks[0]!.name,
      setting: (path) => {
        const rule = /^rules\.([^.]+)\.weight$/.exec(path)?.[1];
        return rule !== undefined && main.scene!.off.includes(rule) ? 0 : Number(main.scene!.values[path]);
      },
      restart: (seconds) => this.restart(seconds),
      pace: kit.paceOf(scene),
      say,
      wrong: (text) => {
        this.progress.steps[this.progress.at]!.wrong++;
        say(text, "wrong");
        this.save();
      },
      done: (text) => this.finish(shareOf(this.progress.steps[this.progress.at]!), text, step),
    };
  }

  private restart(seconds = Infinity): void {
    const { frames_per_second = 24, every = 1 } = this.live.main.scene!.view;
    const slow = (frames_per_second * every * seconds) / SHORTEST_RUN;
    if (slow < Infinity) this.live.main.tell({ type: "rate", steps_per_second: Math.min(slow, this.live.status?.rate ?? Infinity) });
    this.live.main.tell({ type: "restart" });
    if (this.live.status?.playing === false) this.live.main.tell({ type: "play" });
  }

  /** Set the numbers with which a step begins, as one change that can be undone. */
  private apply(values: Record<string, number>): void {
    const { changes } = this.live.main;
    const { values: now, off } = changes.setting;
    const woken = Object.keys(values).map((path) => /^rules\.([^.]+)\.weight$/.exec(path)?.[1]);
    if (Object.entries(values).some(([path, value]) => now[path] !== value)) changes.restore({ values: { ...now, ...values }, off: off.filter((rule) => !woken.includes(rule)) });
    this.restart();
  }

  /** Finish a step with `share` quarters of its points, and show its explanation. */
  private finish(share: number, text: string, step: Step): void {
    const { h } = kit;
    const own = this.progress.steps[this.progress.at]!;
    const heading = this.body.querySelector("h3");
    const view = this.view;
    own.share = share;
    own.reason = view?.reason?.() ?? "";
    this.view = null;
    this.progress.at++;
    this.save();
    const points = (step.points ?? 1) * (share / 4);
    const verdict = share > 0 ? tn("Right: {points} point.", "Right: {points} points.", points, { points: numberText(points) }) : text ? t("Right, without points.") : t("Skipped.");
    this.said.className = `said ${share > 0 ? "right" : ""}`;
    this.said.replaceChildren(h("b", {}, verdict), ...[text, step.explanation ? textOf(step.explanation) : ""].filter(Boolean).map((part) => ` ${part}`));
    const next = this.button(isComplete(this.progress) ? t("Your result") : t("Next"), "next", () => this.show(true), true);
    for (const input of view?.element.querySelectorAll<HTMLInputElement>("input, textarea") ?? []) input.disabled = true;
    this.body.replaceChildren(...(heading ? [heading] : []), ...(view ? [view.element] : []), this.said);
    this.buttons.replaceChildren(next);
    next.focus({ preventScroll: true });
    this.lay(this.said);
  }

  /** Lay out the page after the card has changed its height, and scroll a part of the card into view. */
  private lay(part: HTMLElement): void {
    this.live.shell.layout();
    part.scrollIntoView({ block: "nearest" });
  }

  private next(): void {
    this.progress.at++;
    this.show(false);
  }

  private save(): void {
    const score = scoreOf(this.task, this.progress);
    this.place.save({
      text: written(this.progress, this.digest), score, complete: isComplete(this.progress), passed: score >= (this.task.passing ?? PASSING),
    });
  }

  private showResult(focus: boolean): void {
    const { h, newId } = kit;
    const { steps } = this.progress;
    const all = this.task.steps.reduce((sum, { points = 1 }) => sum + points, 0);
    const score = scoreOf(this.task, this.progress);
    const id = newId();
    const code = h("output", { class: "code mono", for: id, "data-test": "code", "aria-label": t("Your code") });
    const name = h("input", { type: "text", id, class: "value", maxlength: LONGEST_NAME, autocomplete: "off", "data-test": "pupil", value: this.place.name });
    const copy = this.button(t("Copy"), "copy-code", () => void kit.copyText(this.live.shell, code.textContent, t("Your code"), t("The code is copied to the clipboard.")));
    const show = (): void => {
      code.textContent = name.value.trim() ? codeOf(steps, name.value, this.digest, new Date()) : "";
      copy.hidden = code.textContent === "";
      this.live.shell.layout();
    };
    name.addEventListener("input", show);
    const values = { points: numberText(pointsOf(this.task, steps)), all, score };
    const list = h("ol", { class: "results" }, ...steps.map(({ share }, k) => {
      const points = this.task.steps[k]!.points ?? 1;
      return h("li", {}, h("span", {}, textOf(this.task.steps[k]!.question)), h("b", {}, `${numberText((points * (share ?? 0)) / 4)} / ${points}`));
    }));
    const again = this.button(t("Start again"), "again", () => {
      this.progress = begun(this.task);
      this.save();
      this.show(true);
    });
    this.body.replaceChildren(
      this.heading(t("{points} of {all} points: {score}%", values), focus),
      h("p", { class: "quiet" }, this.place.platform ? t("Your result is in the course.") : t("Your teacher can check the code below.")),
      list,
      h("label", { for: id, class: "label" }, t("Your name or initials")), name, code,
    );
    this.buttons.replaceChildren(again, copy);
    show();
  }
}

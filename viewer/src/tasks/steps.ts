/** The four kinds of steps: their views below the question, and their checks. */

import { distanceOf, EffectSeen, Held } from "./checks";
import { kit, t, textOf } from "./kit";
import { LONGEST_REASON } from "./progress";
import { Sketch } from "./sketch";
import type { Choice, ChartInfo, Effect, MeasurePoint, Prediction, Reach, Task } from "../wire/contracts";

export type Step = Task["steps"][number];

/** The card around a step, as steps use it. */
export interface Around {
  chart(measure: string): ChartInfo | undefined;
  flock(name: string): string;
  /** Present number at a path; 0 for the weight of a rule that is off. */
  setting(path: string): number;
  /** Restart the flock; with `seconds`, slowly enough for the points of a line of that length. */
  restart(seconds?: number): void;
  /** Units of the model's time in a second. */
  pace: number;
  /** Show a sentence below the step, for screen readers too. */
  say(text: string, how?: "wrong"): void;
  wrong(text: string): void;
  done(text: string): void;
}

export interface StepView {
  readonly element: HTMLElement;
  /** Button that checks the step; none if the flock is watched. */
  readonly act?: { label: string; go(): void };
  readonly reason?: () => string;
  point?(point: MeasurePoint, begin: boolean): void;
}

export function viewOf(step: Step, around: Around): StepView {
  switch (step.kind) {
    case "reach": return new ReachView(step, around);
    case "effect": return new EffectView(step, around);
    case "prediction": return new PredictionView(step, around);
    default: return new ChoiceView(step as Choice, around);
  }
}

class ChoiceView implements StepView {
  readonly element: HTMLElement;
  readonly act = { label: t("Check"), go: () => this.check() };
  private chosen = -1;
  private readonly words: HTMLTextAreaElement | null;

  constructor(private readonly step: Choice, private readonly around: Around) {
    const { h, newId } = kit;
    const [name, id] = [newId(), newId()];
    const options = step.options.map(({ text }, k) =>
      h("label", { class: "option" }, h("input", { type: "radio", name, value: k, "data-test": `option-${k}`, onChange: () => (this.chosen = k) }), h("span", {}, textOf(text))),
    );
    this.words = step.reason ? h("textarea", { id, maxlength: LONGEST_REASON, rows: 2, "data-test": "reason" }) : null;
    this.element = h(
      "fieldset", {}, h("legend", { class: "hidden" }, textOf(step.question)), ...options,
      this.words && h("label", { for: id, class: "label" }, t("Why? One sentence.")), this.words,
    );
  }

  readonly reason = (): string => this.words?.value.trim() ?? "";

  private check(): void {
    const option = this.step.options[this.chosen];
    if (!option) return this.around.say(t("Choose an answer first."));
    if (this.words && !this.reason()) {
      this.words.focus();
      return this.around.say(t("Write in one sentence why, then check."));
    }
    const because = option.because ? textOf(option.because) : "";
    if (option.right) return this.around.done(because);
    this.around.wrong(because || t("No. Try another answer."));
  }
}

/** Watches a measure: a line with its number, and a bar. */
abstract class Watching implements StepView {
  readonly element: HTMLElement;
  protected readonly bar = kit.h("progress", { max: 1, value: 0 });
  protected readonly line = kit.h("p", { class: "reading" });
  protected readonly name: string;
  private readonly flock: string;
  private over = false;

  constructor(protected readonly step: Reach | Effect, protected readonly around: Around) {
    this.name = kit.tm(around.chart(step.measure)?.label ?? step.measure);
    this.flock = around.flock(step.flock ?? "");
    this.bar.setAttribute("aria-label", this.name);
    this.element = kit.h("div", { class: "watching", "data-test": "watching" }, this.line, this.bar);
  }

  point({ time, flocks }: MeasurePoint): void {
    const value = flocks[this.flock]?.[this.step.measure] ?? null;
    if (value === null || this.over) return;
    this.over = this.look(time / this.around.pace, value);
  }

  /** Returns whether the step is done. */
  protected abstract look(time: number, value: number): boolean;

  protected show(value: number, share: number, text: string): void {
    this.line.replaceChildren(kit.h("b", {}, `${this.name} ${numberText(value)}`), ` ${text}`);
    this.bar.value = share;
  }
}

export const numberText = (x: number): string => kit.formatNumber(Number(x.toPrecision(2)));

class ReachView extends Watching {
  private readonly held: Held;
  private readonly wanted: string;

  constructor(step: Reach, around: Around) {
    super(step, around);
    const { min = null, max = null, seconds = 3 } = step;
    this.held = new Held(min ?? -Infinity, max ?? Infinity, seconds);
    const values = { min: numberText(min ?? 0), max: numberText(max ?? 0), seconds: numberText(seconds) };
    this.wanted = min === null ? t("wanted: below {max} for {seconds} s", values)
      : max === null ? t("wanted: above {min} for {seconds} s", values) : t("wanted: {min} to {max} for {seconds} s", values);
  }

  protected look(time: number, value: number): boolean {
    const share = this.held.push(time, value);
    this.show(value, share, this.wanted);
    if (share >= 1) this.around.done("");
    return share >= 1;
  }
}

class EffectView extends Watching {
  private readonly seen: EffectSeen;
  private readonly slider: string;
  private readonly path: string;

  constructor(step: Effect, around: Around) {
    super(step, around);
    this.seen = new EffectSeen(step.effect === "rises" ? 1 : -1, step.by, step.seconds ?? 3);
    [this.path, this.slider] = [step.slider, kit.nameOf(step.slider)];
  }

  protected look(time: number, value: number): boolean {
    const { part, share, difference, verdict } = this.seen.push(time, value, this.around.setting(this.path));
    const values = { slider: this.slider, difference: difference === null ? "" : `${difference < 0 ? "−" : "+"}${numberText(Math.abs(difference))}` };
    const text = part === "before" ? t("measuring, as it is now …") : part === "change" ? t("now move the slider {slider}", values)
      : difference === null ? t("measuring, with your change …") : t("{difference} since your change", values);
    this.show(value, part === "change" ? 0 : share, text);
    if (verdict === "wrong") this.around.wrong(t("The other way: {measure} changed by {difference}.", { measure: this.name, ...values }));
    if (verdict === "right") this.around.done("");
    return verdict === "right";
  }
}

class PredictionView implements StepView {
  readonly element: HTMLElement;
  readonly act = { label: t("Run the flock"), go: () => this.run() };
  private readonly sketch: Sketch;
  private readonly points: { time: number; value: number }[] = [];
  private readonly flock: string;
  private running = false;
  private awaited = false;
  private readonly seconds: number;

  constructor(private readonly step: Prediction, private readonly around: Around) {
    const { seconds = 3, top = 1, measure, flock = "" } = step;
    this.seconds = seconds;
    this.flock = around.flock(flock);
    this.sketch = new Sketch(kit.tm(around.chart(measure)?.label ?? measure), seconds, top);
    this.element = this.sketch.element;
  }

  private run(): void {
    if (this.running) return;
    if (!this.sketch.drawn) return this.around.say(t("Draw your line first: drag in the chart, or use the arrow keys."));
    this.running = this.awaited = true;
    this.sketch.lock();
    this.around.say(t("The flock restarts. Watch the second line."));
    this.around.restart(this.seconds);
  }

  point({ time, flocks }: MeasurePoint, begin: boolean): void {
    const value = flocks[this.flock]?.[this.step.measure] ?? null;
    if (!this.running || (this.awaited && !begin)) return; // of the run before
    if (begin) this.points.length = 0;
    this.awaited = false;
    if (value !== null) this.points.push({ time: time / this.around.pace, value });
    this.sketch.measured(this.points);
    if ((this.points.at(-1)?.time ?? 0) < this.seconds) return;
    this.running = false;
    const { within = null } = this.step;
    const distance = distanceOf(this.sketch.line, this.points, this.seconds);
    const text = t("Your line is off by {distance} on average.", { distance: numberText(distance) });
    if (within === null || distance <= within) this.around.done(text);
    else {
      this.around.wrong(`${text} ${t("Draw a better one.")}`);
      this.sketch.unlock();
    }
  }
}

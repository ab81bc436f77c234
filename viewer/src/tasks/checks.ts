/** Checks of steps, from measures of the flock. Times are seconds at the model's own pace. */

const ENOUGH = 3; // points of a mean

interface Point {
  time: number;
  value: number;
}

/** Computes how long a measure has stayed within bounds: 1 means long enough. */
export class Held {
  private since: number | null = null;
  private last = -Infinity;

  constructor(private readonly min: number, private readonly max: number, private readonly seconds: number) {}

  push(time: number, value: number): number {
    if (time < this.last) this.since = null; // the flock was restarted
    this.last = time;
    if (value < this.min || value > this.max) this.since = null;
    else this.since ??= time;
    return this.since === null ? 0 : Math.min(1, (time - this.since) / this.seconds);
  }
}

export interface Seen {
  /** before: measuring the mean of the first setting; change: it is known; after: measuring that of another setting. */
  part: "before" | "change" | "after";
  /** Part of the time that a mean takes. */
  share: number;
  /** Present mean minus the mean before; null until it is known. */
  difference: number | null;
  verdict: "right" | "wrong" | "";
}

/** Judges whether a changed number makes the mean of a measure rise or fall by enough. */
export class EffectSeen {
  private points: Point[] = [];
  private setting: number | null = null;
  private first: number | null = null;
  private before: number | null = null;
  private judged = false;

  constructor(private readonly sign: 1 | -1, private readonly by: number, private readonly seconds: number) {}

  push(time: number, value: number, setting: number): Seen {
    const last = this.points.at(-1);
    if (setting !== this.setting || (last && time < last.time)) {
      [this.points, this.judged] = [[], setting === this.setting && this.judged];
      this.setting = setting;
    }
    this.points.push({ time, value });
    const begin = this.points[0]!.time;
    const share = this.points.length < ENOUGH ? 0 : Math.min(1, (time - begin) / this.seconds);
    while (this.points.length > ENOUGH && this.points[1]!.time <= time - this.seconds) this.points.shift();
    const mean = this.points.reduce((sum, point) => sum + point.value, 0) / this.points.length;
    if (this.before === null || setting === this.first) {
      if (share < 1) return { part: this.before === null ? "before" : "change", share, difference: null, verdict: "" };
      [this.before, this.first] = [mean, setting];
      return { part: "change", share, difference: null, verdict: "" };
    }
    const difference = share < 1 ? null : mean - this.before;
    const towards = (difference ?? 0) * this.sign;
    const verdict = towards >= this.by ? "right" : towards <= -this.by && !this.judged ? "wrong" : "";
    if (verdict === "wrong") this.judged = true;
    return { part: "after", share, difference, verdict };
  }
}

/** Height of a line through equidistant points, at a part of its length. */
export function heightAt(line: number[], part: number): number {
  const place = Math.max(0, Math.min(1, part)) * (line.length - 1);
  const k = Math.min(line.length - 2, Math.floor(place));
  return line[k]! + (place - k) * (line[k + 1]! - line[k]!);
}

/** Mean distance over time of a predicted line from the measured points. */
export function distanceOf(line: number[], points: Point[], seconds: number): number {
  let [sum, length] = [0, 0];
  for (let k = 1; k < points.length; k++) {
    const { time, value } = points[k]!;
    const step = time - points[k - 1]!.time;
    sum += step * Math.abs(heightAt(line, time / seconds) - value);
    length += step;
  }
  return length > 0 ? sum / length : Infinity;
}

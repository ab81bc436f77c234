/** Progress of a pupil in a task, its score, and its text for a learning platform. */

import type { Task } from "../wire/contracts";

const QUARTERS = 4; // of the points of a step

export interface StepDone {
  /** Quarters of its points; null: not done. */
  share: number | null;
  wrong: number;
  hints: number;
  reason: string;
}

export interface Progress {
  at: number;
  steps: StepDone[];
}

export const LONGEST_REASON = 200; // characters

const fresh = (): StepDone => ({ share: null, wrong: 0, hints: 0, reason: "" });

export const begun = (task: Task): Progress => ({ at: 0, steps: task.steps.map(fresh) });

/** A wrong answer costs half of the points, a hint a quarter. */
export const shareOf = ({ wrong, hints }: StepDone): number => Math.max(0, QUARTERS - 2 * wrong - hints);

/** Percent of all points; halves are rounded up, as in Python. */
export function scoreOf(task: Task, { steps }: Progress): number {
  const all = task.steps.reduce((sum, { points = 1 }) => sum + points, 0);
  const own = pointsOf(task, steps);
  return Math.floor((100 * own) / all + 0.5);
}

export const pointsOf = (task: Task, steps: StepDone[]): number =>
  steps.reduce((sum, { share }, k) => sum + ((task.steps[k]!.points ?? 1) * (share ?? 0)) / QUARTERS, 0);

export const isComplete = ({ steps }: Progress): boolean => steps.every(({ share }) => share !== null);

/** Text of a progress, with the beginning of the digest of its task. */
export function written({ at, steps }: Progress, digest: string): string {
  return JSON.stringify([digest.slice(0, 8), at, ...steps.map(({ share, wrong, hints, reason }) => [share, wrong, hints, reason])]);
}

/** Parse a progress; null unless it is one of this task. */
export function progressIn(text: string, task: Task, digest: string): Progress | null {
  try {
    const [of, at, ...rows] = JSON.parse(text) as [string, number, ...[number | null, number, number, string][]];
    if (of !== digest.slice(0, 8) || rows.length !== task.steps.length || !(at >= 0 && at <= rows.length)) return null;
    const whole = (value: unknown, most: number): number => Math.min(most, Math.max(0, Math.floor(Number(value)) || 0));
    const steps = rows.map(([share, wrong, hints, reason]) => ({
      share: share === null ? null : whole(share, QUARTERS), wrong: whole(wrong, 99), hints: whole(hints, 4), reason: String(reason).slice(0, LONGEST_REASON),
    }));
    return { at: Math.floor(at), steps };
  } catch {
    return null;
  }
}

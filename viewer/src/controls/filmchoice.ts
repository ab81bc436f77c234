/** What a film can be: how long, and in which shape. */

import type { ViewInfo } from "../wire/contracts";
import type { Bounds } from "./typed";
import { mark, t, tn } from "../words";

export const MAX_STEPS = 20_000;

export const SIZES: { value: string; label: string; size: [number, number] }[] = [
  { value: "landscape", label: mark("landscape, 1280 × 720"), size: [1280, 720] },
  { value: "large", label: mark("landscape, 1920 × 1080"), size: [1920, 1080] },
  { value: "portrait", label: mark("portrait, 1080 × 1920"), size: [1080, 1920] },
  { value: "square", label: mark("square, 1080 × 1080"), size: [1080, 1080] },
];

export type Unit = "seconds" | "steps";

export interface FilmChoice {
  steps: number;
  unit: Unit;
  /** One of SIZES. */
  size: string;
}

/** Pictures a second, and steps between two of them, of the model's view. */
export function pace({ frames_per_second: perSecond = 24, every = 1 }: ViewInfo): { perSecond: number; every: number } {
  return { perSecond, every };
}

export function firstChoice(view: ViewInfo): FilmChoice {
  return { steps: Math.min(MAX_STEPS, view.steps ?? 240), unit: "seconds", size: "landscape" };
}

/** Convert a number of steps to a unit of length. */
export function lengthIn(unit: Unit, steps: number, view: ViewInfo): number {
  const { perSecond, every } = pace(view);
  return unit === "steps" ? steps : Number((steps / (perSecond * every)).toPrecision(6));
}

/** The steps of a length: whole pictures, one at least. */
export function stepsOf(unit: Unit, length: number, view: ViewInfo): number {
  const { perSecond, every } = pace(view);
  const steps = unit === "steps" ? length : Math.round(length * perSecond) * every;
  return Math.min(MAX_STEPS, Math.max(every, steps));
}

/** What may be typed as a length. */
export function boundsOf(unit: Unit, view: ViewInfo): Bounds {
  const { every } = pace(view);
  const bounds = { above: false, infinite: false };
  if (unit === "steps") return { ...bounds, least: every, most: MAX_STEPS };
  const most = Math.floor(10 * lengthIn("seconds", MAX_STEPS, view)) / 10;
  return { ...bounds, least: Math.min(0.1, most), most };
}

/** 'A film of 10 s: 240 pictures, 24 a second, one every 2 steps'. */
export function filmText(steps: number, view: ViewInfo): string {
  const { perSecond, every } = pace(view);
  const pictures = Math.floor(steps / every);
  const seconds = Number((pictures / perSecond).toPrecision(3));
  return t("{pictures} at {rate} per second: {seconds} s of film, {steps} of the simulation.", {
    pictures: tn("{n} picture", "{n} pictures", pictures), rate: perSecond, seconds, steps: tn("{n} step", "{n} steps", steps),
  });
}

/** Computing the charts' numbers: at once, or in a worker, so that a page's own thread never waits for them. */

import type { Flock } from "./state";
import { measuresOf } from "./measures";
import type { SpaceInfo } from "../wire/contracts";

/** The boids of a flock. */
export interface Range {
  name: string;
  first: number;
  count: number;
}

/** Flock -> measure -> its value. */
export type Measures = Record<string, Record<string, number | null>>;

export type Measure = (flock: Flock, space: SpaceInfo, ranges: Range[]) => Measures | Promise<Measures>;

/** A request to the worker. */
export interface MeasureRequest {
  measure: { flock: Flock; space: SpaceInfo; ranges: Range[] };
}

export const measureHere = (flock: Flock, space: SpaceInfo, ranges: Range[]): Measures =>
  Object.fromEntries(ranges.map(({ name, first, count }) => [name, { ...measuresOf(flock, space, first, count), ...(flock.who && { boids: count }) }]));

export class MeasuringWorker {
  private readonly address: string;
  private readonly worker: Worker;
  private readonly waiting: ((measures: Measures) => void)[] = [];

  constructor(script: string) {
    this.address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
    this.worker = new Worker(this.address);
    this.worker.onmessage = ({ data }: MessageEvent<Measures>) => this.waiting.shift()?.(data);
  }

  /** The measures of a state; answers come in the order of questions. */
  readonly measure = (flock: Flock, space: SpaceInfo, ranges: Range[]): Promise<Measures> =>
    new Promise((done) => {
      this.waiting.push(done);
      const request: MeasureRequest = { measure: { flock, space, ranges } };
      this.worker.postMessage(request);
    });

  end(): void {
    this.worker.terminate();
    URL.revokeObjectURL(this.address);
  }
}

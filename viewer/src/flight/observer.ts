/** Evaluates the newest frame for a page: status, charts, a chosen boid, neighbour counts. A slow task runs
 * less often. Like the observer of the live view in Python. */

import { closeUp, sensedBy, sensingRules } from "./closeup";
import type { Flock } from "./state";
import { placeOf, rangesOf } from "./flock";
import { measureHere, type Measure } from "./measuring";
import { Neighbours, spacing } from "./neighbours";
import { numberAt, type Values } from "./values";
import type { SceneMessage } from "../wire/contracts";
import type { ServerMessage } from "../wire/messages";

const SHARE = 10; // a task may use this fraction of the time: 1 / SHARE,
const LONGEST = 600; // but runs at least this often: milliseconds
const APART = { status: 250, measures: 100, boid: 100, neighbours: 40 }; // milliseconds between two, at least
type Task = keyof typeof APART;

export class Observer {
  neighbours = false;
  private due: Record<Task, number> = { status: 0, measures: 0, boid: 0, neighbours: 0 };
  private step = -1;
  /** Flock and index of the chosen boid. */
  private chosen: [string, number] | null = null;
  private counted: Uint8Array | null = null;

  private measuring = false; // whether charts wait for numbers

  constructor(private scene: SceneMessage, private readonly send: (message: ServerMessage) => void, private readonly measures: Measure = measureHere) {}

  /** Another number of boids. */
  enter(scene: SceneMessage): void {
    [this.scene, this.chosen, this.counted] = [scene, null, null];
  }

  /** The flock starts again: so do the charts, with it. */
  begin(flock: Flock): void {
    this.step = -1;
    this.measure(flock, true);
  }

  choose(boid: [string, number] | null, now: number): void {
    [this.chosen, this.due.boid] = [boid, now];
  }

  look(now: number, values: Values, flock: () => Flock, status: () => ServerMessage, wants: (boid: number) => Record<string, number[]> | null): void {
    this.timed("status", now, () => this.send(status()));
    const { chosen } = this;
    if (chosen) {
      this.timed("boid", now, () => {
        const place = placeOf(this.scene, flock(), ...chosen);
        if (place < 0) return void (this.chosen = null); // it has left
        const vectors = wants(place);
        if (vectors) this.send(closeUp(flock(), this.scene, values, place, vectors));
      });
    }
    this.timed("measures", now, () => this.measure(flock()));
  }

  private timed(task: Task, now: number, work: () => void): void {
    if (now < this.due[task]) return;
    const begin = performance.now();
    work();
    const took = performance.now() - begin;
    this.due[task] = now + Math.max(APART[task], Math.min(LONGEST, SHARE * took));
  }

  private measure(flock: Flock, begin = false): void {
    const { step, time } = flock;
    if (step === this.step || (this.measuring && !begin)) return;
    this.step = step;
    const flocks = this.measures(flock, this.scene.space, rangesOf(this.scene, flock));
    const send = (values: Awaited<typeof flocks>): void => this.send({ type: "measures", points: [{ step, time, flocks: values }], ...(begin && { begin }) });
    if (!(flocks instanceof Promise)) return send(flocks);
    this.measuring = true;
    void flocks.then((values) => {
      this.measuring = false;
      send(values);
    });
  }

  /** The number of neighbours of each boid, if a page requests it; like the observer in Python. */
  counts(flock: Flock, values: Values): Uint8Array | null {
    if (!this.neighbours) return null;
    this.timed("neighbours", performance.now(), () => (this.counted = this.count(flock, values)));
    return this.counted;
  }

  private count(flock: Flock, values: Values): Uint8Array {
    const counts = new Uint8Array(flock.boids);
    for (const { name, first, count } of rangesOf(this.scene, flock)) {
      const radii = sensingRules(values, name)
        .filter((rule) => sensedBy(values, rule, name).includes(name))
        .map((rule) => numberAt(values[`rules.${rule}.radius`], flock.time))
        .filter(Number.isFinite);
      const radius = radii.length > 0 ? Math.max(...radii) : 1.4 * spacing(flock, first, count);
      const near = new Neighbours(flock, this.scene.space, first, count, radius);
      for (let i = first; i < first + count; i++) {
        let found = 0;
        near.around(i, 1, (_, d2) => (found += d2 <= radius * radius ? 1 : 0));
        counts[i] = Math.min(255, found);
      }
    }
    return counts;
  }
}

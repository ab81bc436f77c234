/** What this page has changed of a model, to be undone and done again.
 *
 * A change is a table: key -> what was, what is. A key is the path of a value, or 'rules.NAME' for
 * whether that rule is on. Other pages change the same model, so only what still is as this page made
 * it is taken back.
 */

import { writeJson } from "../wire/json";
import type { Plain } from "../wire/contracts";

export type Changed = Record<string, [before: Plain, after: Plain]>;
export type Side = 0 | 1;

/** The present value at a key; undefined if there is none. */
export type Holds = (key: string) => Plain | undefined;

const MAX_CHANGES = 200; // changes that are remembered

const same = (a: Plain | undefined, b: Plain | undefined): boolean => writeJson(a) === writeJson(b);

export class History {
  private done: Changed[] = [];
  private undone: Changed[] = [];
  /** The key that is being dragged. */
  private held: string | null = null;
  /** Requests that are not answered yet. */
  private readonly requested = new Map<string, Plain>();

  constructor(private readonly holds: Holds) {}

  /** What can be undone (0) or done again (1) next. */
  next(side: Side): Changed | null {
    return (side === 0 ? this.done : this.undone).at(-1) ?? null;
  }

  clear(): void {
    this.done = [];
    this.undone = [];
    this.held = null;
    this.requested.clear();
  }

  /** What is, once all is answered. */
  now(key: string): Plain | undefined {
    return this.requested.has(key) ? this.requested.get(key) : this.holds(key);
  }

  /** A value is dragged, until `done`: one change. `also`: what comes with it, when it begins. */
  drag(key: string, value: Plain, done: boolean, also: Record<string, Plain> = {}): void {
    if (this.held === key) {
      const both = this.done.at(-1)?.[key];
      if (both) both[1] = value;
      this.requested.set(key, value);
    } else this.begin({ ...also, [key]: value });
    this.held = done ? null : key;
    this.tidy();
  }

  /** Values are changed together. */
  change(values: Record<string, Plain>): void {
    this.begin(values);
    this.held = null;
    this.tidy();
  }

  /** What is not known to have been something before cannot be undone. */
  private begin(values: Record<string, Plain>): void {
    const changed: Changed = {};
    for (const [key, value] of Object.entries(values)) {
      const before = this.now(key);
      if (before !== undefined) changed[key] = [before, value];
    }
    for (const [key, value] of Object.entries(values)) this.requested.set(key, value);
    this.record(changed);
  }

  /** A change that is made already. */
  record(changed: Changed): void {
    this.undone = [];
    this.done.push(changed);
    if (this.done.length > MAX_CHANGES) this.done.shift();
  }

  /** Forget a request that was answered, accepted or not: the values of messages apply again. */
  settle(values: Record<string, Plain>): void {
    for (const [key, value] of Object.entries(values)) {
      if (!same(this.requested.get(key), value)) continue; // there were more requests meanwhile
      this.requested.delete(key);
      const last = [...this.done].reverse().find((changed) => key in changed);
      const holds = this.holds(key);
      if (last && holds !== undefined && same(last[key]![1], value)) last[key]![1] = holds;
    }
    this.tidy();
  }

  settleAll(): void {
    this.settle(Object.fromEntries(this.requested));
  }

  /** Go back (0) or forth (1) by a change. Returns what to request; null if there is nothing to do; empty if others
   * have changed all of it since. */
  go(side: Side): Record<string, Plain> | null {
    const [from, to] = side === 0 ? [this.done, this.undone] : [this.undone, this.done];
    const changed = from.pop();
    if (!changed) return null;
    this.held = null;
    const mine = Object.entries(changed).filter(([key, both]) => same(this.now(key), both[1 - side]));
    if (mine.length === 0) return {};
    to.push(Object.fromEntries(mine));
    const values = Object.fromEntries(mine.map(([key, both]) => [key, both[side]!]));
    for (const [key, value] of Object.entries(values)) this.requested.set(key, value);
    return values;
  }

  /** A change without an effect, such as a refused one, is removed. */
  private tidy(): void {
    if (this.held !== null) return;
    this.done = this.done
      .map((changed) => Object.fromEntries(Object.entries(changed).filter(([, [before, after]]) => !same(before, after))))
      .filter((changed) => Object.keys(changed).length > 0);
  }
}

/** The model of a page as it is now: which of its values may change, and within which bounds. */

import { tableNow, type DrawnPart } from "./drawn";
import { Refused } from "./errors";
import type { FlightData } from "./manifest";
import { put, withValue, type Values } from "./values";
import { extentOf, isDistribution, numbers as listOf } from "../controls/distribution";
import { isSchedule } from "../controls/schedule";
import { distributionFault } from "./distributioncheck";
import { scheduleFault } from "./schedulecheck";
import { lookUp, putAt } from "../state/paths";
import { asNumber } from "../wire/json";
import type { JsonSchema, Plain, SceneMessage, Table } from "../wire/contracts";
import { t, tm } from "../words";

export class Model {
  values: Values;
  /** Parts that were drawn, by path, in that order. */
  readonly drawn = new Map<string, DrawnPart>();
  /** Switched-off rule -> its weight. */
  readonly off = new Map<string, Plain>();

  /** `faultOf`: why functions of a rule cannot run, where they can be edited; `founded`: the flock of drawn predators, which
   * has no boids until one is drawn, "" for none; `limits`: the largest numbers of boids of flocks that grow. */
  constructor(
    private readonly scene: SceneMessage, private readonly tables: Table, private readonly most: number,
    private readonly faultOf?: (rule: string, text: string, values: Values) => string, private readonly founded = "",
    private readonly limits: Record<string, number> = {},
  ) {
    this.values = { ...scene.defaults };
  }

  /** All flocks of the kernels. */
  get flocks(): string[] {
    return [...this.scene.flocks.map(({ name }) => name), ...(this.founded ? [this.founded] : [])];
  }

  get counts(): number[] {
    return this.flocks.map((name) => Number(this.values[`flocks.${name}.count`] ?? 0));
  }

  /** Sets values; which of them are not what they were. Throws Refused; nothing is changed then. `off`:
   * the rules that are off afterwards; unless given, those that are off now and whose weight is not set. */
  set(changes: Values, off = [...this.off.keys()].filter((rule) => !(weightOf(rule) in changes))): Values {
    let next = { ...this.values };
    for (const [rule, weight] of this.off) next[weightOf(rule)] = weight;
    for (const [path, value] of Object.entries(changes)) {
      const rule = this.faultOf && /^rules\.(.+)\.functions$/.exec(path)?.[1];
      if (rule !== undefined) {
        next = { ...next, [path]: this.checkedText(next, path, rule, value) };
        continue;
      }
      this.check(next, path, value);
      next = withValue(next, path, value);
      this.checkOwner(path, next);
    }
    const aside = new Map<string, Plain>();
    for (const rule of off) {
      const weight = next[weightOf(rule)];
      if (weight === undefined) throw new Refused(t("rule: unknown rule '{rule}'", { rule }));
      aside.set(rule, weight);
    }
    next = { ...next, ...Object.fromEntries(off.map((rule) => [weightOf(rule), 0])) };
    this.checkTogether(next);
    this.off.clear();
    for (const [rule, weight] of aside) this.off.set(rule, weight);
    return this.take(next);
  }

  /** A rule off: its weight is 0, and kept aside. */
  switchRule(rule: string, on: boolean): Values {
    if (!(weightOf(rule) in this.values)) throw new Refused(t("rule: unknown rule '{rule}'", { rule }));
    const others = [...this.off.keys()].filter((name) => name !== rule);
    return this.set({}, on ? others : [...others, rule]);
  }

  /** A drawn part. Throws Refused for numbers out of their bounds; nothing is changed then. */
  add(path: string, part: DrawnPart): void {
    if (this.drawn.has(path) || Object.keys(this.values).some((key) => key.startsWith(`${path}.`))) throw new Refused(t("{path}: exists already. Delete it first", { path }));
    const [before, values] = [this.values, { ...this.values, ...part.values, ...part.founded?.moves }];
    this.drawn.set(path, part);
    this.values = values;
    try {
      for (const [key, value] of Object.entries(part.values)) if (value !== null && !this.isFixed(key)) this.check(values, key, value);
      this.checkTogether(values);
    } catch (error) {
      this.drawn.delete(path);
      this.values = before;
      throw error;
    }
  }

  /** Takes a drawn part away. Throws Refused for a part of the page's own model. */
  remove(path: string): void {
    const part = this.drawn.get(path);
    if (!this.drawn.delete(path)) throw new Refused(t("{path}: is part of this page's model and cannot be removed here. Move it away, or switch it off", { path }));
    this.off.delete(path.slice("rules.".length));
    this.values = Object.fromEntries(Object.entries(this.values).filter(([key]) => !key.startsWith(`${path}.`)));
    for (const key of Object.keys(part?.founded?.moves ?? {})) this.values[key] = this.scene.defaults[key]!;
  }

  private isFixed(path: string): boolean {
    const [part, name] = [path.slice(0, path.lastIndexOf(".")), path.slice(path.lastIndexOf(".") + 1)];
    return this.drawnSchema(part)?.properties?.[name]?.fixed !== undefined;
  }

  private drawnSchema(path: string): JsonSchema | undefined {
    for (const { schemas } of this.drawn.values()) if (schemas[path]) return schemas[path];
    return undefined;
  }

  /** As it was loaded, without what was drawn. */
  reset(): Values {
    this.off.clear();
    this.drawn.clear();
    return this.take({ ...this.scene.defaults });
  }

  private take(next: Values): Values {
    const before = this.values;
    this.values = next;
    return Object.fromEntries(Object.entries(next).filter(([path, value]) => !same(before[path], value)));
  }

  private schemaOf(path: string): { owner: string; schema: JsonSchema } {
    const keys = path.split(".");
    for (let n = keys.length - 1; n >= 0; n--) {
      const part = keys.slice(0, n).join(".");
      const property = (this.scene.schemas[part] ?? this.drawnSchema(part))?.properties?.[keys[n]!];
      if (!property) continue;
      if (property.fixed !== undefined) throw new Refused(t("{path}: this page cannot change it. {why}", { path, why: tm(String(property.fixed)) }));
      return { owner: keys.slice(0, n + 1).join("."), schema: property };
    }
    throw new Refused(t("{path}: this page cannot change it, because the model has no such part", { path }));
  }

  /** The functions of a rule as text. Throws Refused for what cannot run. */
  private checkedText(values: Values, path: string, rule: string, value: Plain): string {
    if (typeof value !== "string") throw new Refused(t("{path}: got {value}; expected a text. Write functions: def pair(self, me, other):", { path, value: JSON.stringify(value) }));
    if (value.trim() === "") return "";
    const fault = this.faultOf!(rule, value, values);
    if (fault) throw new Refused(`${path}: ${fault}`);
    return value;
  }

  private check(values: Values, path: string, value: Plain): void {
    const { owner, schema } = this.schemaOf(path);
    const inside = path.slice(owner.length + 1).split(".").filter(Boolean);
    if (inside.length > 0 && lookUp(values, path) === undefined) throw new Refused(t("{path}: unknown path; expected a number of the model", { path }));
    if (isDistribution(value) || isDistribution(lookUp(values, path.slice(0, path.lastIndexOf("."))))) return; // checked as a whole
    const now = lookUp(values, path);
    if (isDistribution(now)) return this.checkNumber(path, value, schema);
    if (Array.isArray(now) !== Array.isArray(value) || (Array.isArray(now) && now.length !== (value as Plain[]).length)) {
      throw new Refused(Array.isArray(now) ? t("{path}: needs {n} numbers", { path, n: now.length }) : t("{path}: is one number, no list", { path }));
    }
    // Times of a schedule have bounds of their own.
    if (inside.some((key) => ["times", "begin", "end", "period", "phase"].includes(key))) return;
    for (const number of numbersOf(value)) this.checkNumber(path, number, schema);
    if (path.endsWith(".count") && !Number.isInteger(asNumber(value))) throw new Refused(t("{path}: got {value}; expected {words}", { path, value: String(asNumber(value)), words: t("a whole number") }));
  }

  /** Throws Refused for a schedule that has no number at some time, and for a distribution that is not allowed. */
  private checkOwner(path: string, values: Values): void {
    const { owner, schema } = this.schemaOf(path);
    const value = values[owner] ?? null;
    for (const [axis, one] of Array.isArray(value) ? value.entries() : ([["", value]] as const)) {
      const before = lookUp(this.scene.defaults, axis === "" ? owner : `${owner}.${axis}`);
      const isTimed = isSchedule(one);
      if (isTimed && isDistribution(before)) throw new Refused(t("{path}: got a schedule; expected a number or a distribution, for which this page is compiled. Change it in Python", { path: owner }));
      const fault = isTimed ? scheduleFault(one) : isDistribution(one) ? distributionFault(one, schema, before) : "";
      if (fault) throw new Refused(`${owner}: ${fault}`);
    }
  }

  private checkNumber(path: string, value: Plain, schema: JsonSchema): void {
    const number = asNumber(value);
    if (number === null || Number.isNaN(number)) throw new Refused(t("{path}: got {value}; expected {words}", { path, value: JSON.stringify(value), words: t("a number") }));
    const bound = (key: string): number | null => asNumber(schema[key]);
    const [above, least, most] = [bound("exclusiveMinimum"), bound("minimum"), bound("maximum")];
    const infinite = schema["infinite"] === true;
    const wrong =
      (!Number.isFinite(number) && !infinite) || (above !== null && number <= above) ||
      (least !== null && number < least) || (most !== null && number > most && !(infinite && number === Infinity)) ||
      (Number.isFinite(number) && Math.abs(number) > 1e9);
    if (!wrong) return;
    const bounds = [above !== null ? `> ${above}` : "", least !== null ? `>= ${least}` : "", most !== null ? `<= ${most}` : ""].filter(Boolean);
    const words = bounds.length > 1 ? t("{one} and {other}", { one: bounds[0]!, other: bounds[1]! }) : (bounds[0] ?? t("a number"));
    throw new Refused(t("{path}: got {value}; expected {words}", { path, value: String(number), words: infinite ? t("{words}, or inf", { words }) : t("{words}, and finite", { words }) }));
  }

  /** What must fit together. */
  private checkTogether(values: Values): void {
    const boids = this.flocks.reduce((sum, name) => sum + (this.limits[name] ?? Number(values[`flocks.${name}.count`] ?? 0)), 0);
    if (boids > this.most) throw new Refused(t("boids: got {boids}; expected at most {most} in this page", { boids, most: this.most }));
    for (const name of this.flocks) {
      const own = (key: string): Plain | undefined => values[`flocks.${name}.${key}`];
      for (const [low, high] of [["motion.min_speed", "motion.max_speed"], ["perching.shortest", "perching.longest"]] as const) {
        if (isAbove(own(low), own(high))) throw new Refused(t("{path}: is above {other}", { path: `flocks.${name}.${low}`, other: high.split(".")[1]! }));
      }
    }
  }

  /** The tables of the model with their present numbers: those that did not change remain as text. */
  get now(): Table {
    const tables = structuredClone(this.tables);
    const only = this.drawn.get(`flocks.${this.founded}`)?.founded?.only;
    const rules: Table[] = [];
    for (const [path, part] of this.drawn) {
      const [word, name] = path.split(".") as [string, string];
      const table = endless(tableNow(part, path, this.values)) as Table;
      if (word !== "rules") tables[word] = { ...(tables[word] as Table | undefined), [name]: table };
      else rules[part.rank!] = { [name]: { ...(only && { moves: only }), ...table } };
    }
    // Drawn rules precede the others, as in the kernels: a flock that combines rules by priority obeys them first.
    if (rules.length > 0) tables["rules"] = Object.assign({}, ...rules, tables["rules"]) as Table;
    const drawn = (path: string): boolean => [...this.drawn.keys()].some((part) => path.startsWith(`${part}.`));
    for (const [path, value] of Object.entries(this.values)) {
      if (!drawn(path) && !same(value, this.scene.defaults[path])) putAt(tables, path, endless(value));
    }
    return tables;
  }
}

const weightOf = (rule: string): string => `rules.${rule}.weight`;

/** Whether a boid's smallest number may be above its largest. */
function isAbove(low: Plain | undefined, high: Plain | undefined): boolean {
  const [lows, highs] = [low, high].map((value) => (isDistribution(value) && value["kind"] === "each" ? listOf(value["values"]) : null));
  if (lows && highs && lows.length === highs.length) return lows.some((x, k) => x > highs[k]!);
  const end = (value: Plain | undefined, which: 0 | 1): number | null => (isDistribution(value) ? extentOf(value)[which] : asNumber(value));
  const [least, most] = [end(low, 1), end(high, 0)];
  return least !== null && most !== null && least > most;
}

const same = (a: Plain | undefined, b: Plain | undefined): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The tables of a page with their infinite numbers. */
export const withInfinity = ({ tables, infinite }: Pick<FlightData, "tables" | "infinite">): Table =>
  infinite.reduce((all, keys) => put(all, keys, endless(keys.reduce((part, key) => (part as Table)[key]!, tables as Plain))) as Table, tables);

/** Infinity is a word in messages, and a number in a model file. */
function endless(value: Plain): Plain {
  if (Array.isArray(value)) return value.map(endless);
  if (value !== null && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, endless(one)]));
  return value === "inf" ? Infinity : value === "-inf" ? -Infinity : value;
}

/** The numbers of a value: those that a schedule takes, or of a vector. */
function numbersOf(value: Plain): Plain[] {
  if (Array.isArray(value)) return value.flatMap(numbersOf);
  if (!isSchedule(value)) return [value];
  const { kind, start = 0, stop = 0, mean = 0, amplitude = 0, values = [] } = value;
  if (kind === "ramp") return [start, stop];
  if (kind === "cycle") return [Number(mean) - Math.abs(Number(amplitude)), Number(mean) + Math.abs(Number(amplitude))];
  return values as Plain[];
}

/** Changes of the model by the user: requested, shown again if refused, undone and redone. */

import { nameOf } from "../controls/specs";
import { Parts, pathOf, saidOfPart, type PartsChanged } from "../drawing/parts";
import type { Requests } from "./requests";
import { changesTo, rulesOf, textOf, type Setting } from "./settings";
import { History, type Side } from "../state/history";
import { lookUp, ownerOf, valueAt } from "../state/paths";
import type { Notices } from "../ui/notices";
import type { Plain, SceneMessage } from "../wire/contracts";
import type { PageMessage } from "../wire/messages";
import { t } from "../words";

/** What changes are shown by. */
export interface Shown {
  setValues(values: Record<string, Plain>): void;
  /** Show in the row of a path why a value is refused. Returns whether the row is visible. */
  refuse(path: string, why: string): boolean;
  /** What can be undone and done again, in words. */
  setHistory(next: { undo: string | null; redo: string | null }): void;
}

const HELD = 700; // milliseconds after its last change in which a value counts as being edited

const ruleOf = (key: string): string | null => /^rules\.([^.]+)$/.exec(key)?.[1] ?? null;
const weighed = (key: string): string | null => /^rules\.([^.]+)\.weight$/.exec(key)?.[1] ?? null;

/** Changed keys, as the history has them, in words. */
export function namesOf(keys: string[]): string {
  const names = keys.slice(0, 2).map(nameOf).join(", ");
  return keys.length > 2 ? t("{names} and {n} more", { names, n: keys.length - 2 }) : names;
}

/** What undoing (0) or redoing (1) has done. */
export function saidOf(side: Side, values: Record<string, Plain>): string {
  const said = (what: string): string => (side === 0 ? t("Undone: {what}.", { what }) : t("Redone: {what}.", { what }));
  const keys = Object.keys(values);
  const part = keys.length === 1 ? saidOfPart(keys[0]!, values[keys[0]!]!) : null;
  if (part !== null) return said(part);
  const edited = keys.length === 1 && /^rules\.(.+)\.functions$/.exec(keys[0]!);
  const name = nameOf(edited ? `rules.${edited[1]!}` : (keys[0] ?? ""));
  if (edited) return said(values[keys[0]!] === "" ? t("{name} is as it was", { name }) : t("{name} is as edited", { name }));
  return said(keys.length === 1 ? t("{name} is {value}", { name, value: textOf(values[keys[0]!]!) }) : namesOf(keys));
}

export class Changes {
  private readonly past = new History((key) => this.holds(key));
  /** Switched-off rule -> its weight, where this page knows it. */
  private readonly kept = new Map<string, Plain>();
  private readonly parts = new Parts();
  private editing: { path: string; until: number } | null = null;

  constructor(
    private readonly scene: () => SceneMessage | null,
    private readonly requests: () => Pick<Requests, "send" | "set">,
    private readonly shown: () => Shown,
    private readonly notices: Pick<Notices, "say">,
  ) {}

  private holds(key: string): Plain | undefined {
    const scene = this.scene();
    if (!scene) return undefined;
    const drawn = pathOf(key);
    if (drawn !== null) return this.parts.holds(scene, drawn);
    const [rule, weight] = [ruleOf(key), weighed(key)];
    if (rule !== null) return !scene.off.includes(rule);
    if (weight !== null && scene.off.includes(weight)) return this.kept.get(weight);
    const [, part, name] = /^(.*?)\.?([^.]*)$/.exec(key)!;
    const initial = scene.schemas[part!]?.properties?.[name!]?.["default"] as Plain | undefined;
    return lookUp(scene.values, key) ?? valueAt(scene.model, key) ?? initial;
  }

  /** The value that the user is editing: it does not jump. */
  get inHand(): string | null {
    return this.editing && performance.now() < this.editing.until ? this.editing.path : null;
  }

  now(path: string): Plain | undefined {
    return this.past.now(path);
  }

  set(path: string, value: Plain, done: boolean): void {
    this.editing = { path, until: performance.now() + HELD };
    const rule = weighed(path);
    const woken = rule !== null && this.isOff(rule) ? { [`rules.${rule}`]: true } : {};
    this.past.drag(path, value, done, woken);
    this.requests().set(path, value, done);
    this.showHistory();
  }

  switchRule(rule: string, on: boolean): void {
    this.past.change({ [`rules.${rule}`]: on });
    this.send({ type: "switch", rule, on });
    this.showHistory();
  }

  /** Reset everything. */
  reset(): void {
    const scene = this.scene();
    if (!scene) return;
    const off = scene.off.map((rule) => [`rules.${rule}`, true] as const);
    this.past.change({ ...this.parts.reset(scene), ...scene.defaults, ...Object.fromEntries(off) });
    this.send({ type: "reset" });
    this.showHistory();
  }

  /** Python has changed parts: drawn, placed or removed. */
  edited(changed: PartsChanged): void {
    this.past.record(this.parts.taken(changed));
    this.showHistory();
  }

  /** Of that change: a boid was placed there, or removed from there. */
  placed(changed: PartsChanged, position: number[]): void {
    this.parts.placed(changed, position);
  }

  /** The setting as it is now, once all is answered. */
  get setting(): Setting {
    const values = this.scene()?.values ?? {};
    const now = Object.keys(values).map((path) => [path, this.past.now(path)] as const);
    return {
      values: Object.fromEntries(now.filter(([, value]) => value !== undefined)) as Record<string, Plain>,
      off: rulesOf(values).filter((rule) => this.isOff(rule)),
    };
  }

  /** Another setting as one change. */
  restore(setting: Setting): void {
    const before = this.setting;
    const changes = changesTo(setting, before);
    if (!changes) return this.notices.say(t("The flock has these numbers already."), { level: "info", about: "undo" });
    const rules = rulesOf(this.scene()!.values).filter((rule) => before.off.includes(rule) !== changes.off.includes(rule));
    const switched = rules.map((rule) => [`rules.${rule}`, !changes.off.includes(rule)] as const);
    const values = { ...changes.values, ...Object.fromEntries(switched) };
    this.past.change(values);
    this.ask(values);
    this.showHistory();
  }

  /** Undo (0) or redo (1). */
  go(side: Side): void {
    const values = this.past.go(side);
    const about = "undo";
    if (values === null) return this.notices.say(side === 0 ? t("There is nothing to undo.") : t("There is nothing to redo."), { level: "info", about });
    if (Object.keys(values).length === 0) {
      this.notices.say(t("Another page has changed this value since, so it is not undone."), { level: "info", about });
    } else {
      this.ask(values);
      this.notices.say(saidOf(side, values), { level: "info", about });
    }
    this.showHistory();
  }

  /** Parts change first. Then values and switched rules are requested in one message, because a weight alone would
   * switch its rule on. */
  private ask(all: Record<string, Plain>): void {
    const edit = this.parts.edit(all);
    if (edit) {
      void this.requests().send({ type: "edit", ...edit }).then(({ changed }) => changed && this.parts.taken(changed));
    }
    const values = Object.fromEntries(Object.entries(all).filter(([key]) => pathOf(key) === null));
    if (Object.keys(values).length === 0) return;
    const numbers = Object.fromEntries(Object.entries(values).filter(([key]) => ruleOf(key) === null));
    const switches = Object.keys(values).some((key) => ruleOf(key) !== null || weighed(key) !== null);
    const off = rulesOf(this.scene()!.values).filter((rule) => this.isOff(rule));
    this.send({ type: "set", values: numbers, ...(switches && { off }) });
    this.shown().setValues(numbers);
  }

  /** Whether a rule is off, once all is answered. */
  private isOff(rule: string): boolean {
    return this.past.now(`rules.${rule}`) === false;
  }

  private send(message: PageMessage): void {
    void this.requests().send(message);
  }

  /** A message was answered; a refused change is not stored. */
  settled(message: PageMessage): void {
    if (message.type === "set") {
      const { values, off } = message;
      for (const rule of off ?? []) {
        const weight = values[`rules.${rule}.weight`];
        if (weight !== undefined && this.scene()?.off.includes(rule)) this.kept.set(rule, weight);
      }
      const rules = off ? rulesOf(this.scene()?.values ?? {}).map((rule) => [`rules.${rule}`, !off.includes(rule)] as const) : [];
      this.past.settle({ ...values, ...Object.fromEntries(rules) });
    } else if (message.type === "switch") this.past.settle({ [`rules.${message.rule}`]: message.on });
    else if (message.type === "edit") this.past.settle(this.parts.requestedParts(message.values));
    else if (message.type === "reset") this.past.settleAll();
    else return;
    this.showHistory();
  }

  /** A message was refused: the present values are shown again. */
  refused(text: string, message: PageMessage): void {
    const paths = message.type === "set" ? Object.keys(message.values) : [];
    const values = this.scene()?.values ?? {};
    for (const path of paths) this.shown().setValues({ [ownerOf(values, path)]: values[ownerOf(values, path)] ?? null });
    if (paths.length === 1 && this.shown().refuse(paths[0]!, text)) return;
    this.notices.say(text, { level: "error", about: "refused" });
  }

  /** Before the scene takes these: weights of rules that are switched off now. */
  noteWeights(off: string[]): void {
    const scene = this.scene();
    for (const rule of off) {
      const weight = scene?.values[`rules.${rule}.weight`];
      if (weight !== undefined && !scene!.off.includes(rule)) this.kept.set(rule, weight);
    }
  }

  /** Another flock: nothing of the one before can be undone. */
  forget(): void {
    this.past.clear();
    this.kept.clear();
    this.parts.clear();
    this.showHistory();
  }

  private showHistory(): void {
    const [undo, redo] = ([0, 1] as const).map((side) => {
      const next = this.past.next(side);
      return next && namesOf(Object.keys(next));
    });
    this.shown().setHistory({ undo: undo ?? null, redo: redo ?? null });
  }
}

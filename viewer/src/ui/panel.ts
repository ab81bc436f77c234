/** The panel of controls: model, counts, the numbers of every rule, view settings, exports. */

import { sizesOf } from "../controls/ranges";
import { labelOf, shapeOf, specsOf, type Spec } from "../controls/specs";
import { ownerOf } from "../state/paths";
import type { JsonSchema, Plain, SceneMessage } from "../wire/contracts";
import { h, icon, iconButton } from "./dom";
import { flockRows } from "./flockrows";
import type { Edits, Row } from "./numberrow";
import { replaceControls } from "./replacecontrols";
import { rowOf } from "./rows";
import { RuleCards } from "./rulecard";
import { count, t, tm } from "../words";

export interface PanelCalls extends Edits {
  /** The value at a path, once all requests are answered. */
  now(path: string): Plain | undefined;
  switchRule(rule: string, on: boolean): void;
  /** Undo (0), or do again (1). */
  go(side: 0 | 1): void;
  open(model: string): void;
  film(): void;
  page(): void;
  copy(): void;
  reset(): void;
  close(): void;
  /** The colour of a rule's arrow. */
  colourOf(rule: string): string;
}

/** The title of numbers that are not a model's; empty if a model is simulated. */
function ownTitle(scene: SceneMessage): string {
  const title = scene.schemas[""]?.["title"];
  return typeof title === "string" && scene.can?.change === false ? title : "";
}

export class Panel {
  readonly element: HTMLElement;
  readonly header: HTMLElement;
  private readonly zoo: HTMLSelectElement;
  private readonly undo: HTMLButtonElement;
  private readonly redo: HTMLButtonElement;
  private readonly body = h("div", { class: "body" });
  private readonly jobButtons: HTMLElement;
  private rows = new Map<string, Row>();
  private readonly shapes = new Map<string, string>();
  private readonly cards: RuleCards;
    private openSections = new Map<string, boolean>();
  private scene: SceneMessage | null = null;
  private pressed = false; // a slider or a button
  private waiting: SceneMessage | null = null;

  constructor(
    private readonly calls: PanelCalls,
    private readonly own: { settings: HTMLElement; view: HTMLElement },
    private readonly more?: { row: HTMLElement; buttons: HTMLElement[] },
  ) {
    this.cards = new RuleCards({
      specs: (scene, path) => this.specs(scene, path),
      row: (scene, spec) => this.row(scene, spec),
      keep: (row) => this.rows.set(row.path, row),
    }, calls);
    this.undo = iconButton("undo", t("Undo"), "undo", () => calls.go(0));
    this.redo = iconButton("redo", t("Redo"), "redo", () => calls.go(1));
    this.setHistory({ undo: null, redo: null });
    this.zoo = h("select", {
      "data-test": "zoo", "aria-label": t("Flock"), onChange: () => calls.open(this.zoo.value),
    });
    // Jobs are hidden until a scene says what the page can do.
    const button = (name: string, label: string, test: string, go: () => void, hidden = true): HTMLElement =>
      h("button", { type: "button", class: "button", "data-test": test, hidden, onClick: go }, icon(name), label);
    this.jobButtons = h(
      "footer",
      { class: more ? "many" : undefined },
      button("film", t("Save film"), "save-film", calls.film),
      button("page", t("Save page"), "save-page", calls.page),
      button("copy", t("Copy model"), "copy-model", calls.copy),
      ...(more?.buttons ?? []),
      button("reset", t("Reset"), "reset", calls.reset, false),
    );
    this.header = h("header", {}, this.zoo, this.undo, this.redo, iconButton("close", t("Close the panel"), "panel-close", calls.close, "p"));
    this.element = h(
      "aside",
      { class: "card panel", "aria-label": t("Controls"), "data-test": "panel-body" },
      this.header,
      this.body,
      this.jobButtons,
    );
    this.body.addEventListener("pointerdown", (event) => {
      if (event.button === 0 && (event.target as Element).matches("input[type=range], button, button *")) this.hold();
    });
  }

  /** Keep the controls until the pointer is released: else a slider would stop, and a press would not be a click. */
  private hold(): void {
    this.pressed = true;
    const events = ["pointerup", "pointercancel"];
    const release = (): void => {
      for (const name of events) removeEventListener(name, release, true);
      setTimeout(() => {
        this.pressed = false;
        if (this.waiting) this.enter(this.waiting);
      });
    };
    for (const name of events) addEventListener(name, release, true);
  }

  enter(scene: SceneMessage): void {
    const again = this.scene?.name === scene.name;
    this.waiting = again && this.pressed ? scene : null;
    if (this.waiting) return;
    const top = again ? this.body.scrollTop : 0;
    if (!again) this.cards.close();
    this.scene = scene;
    this.rows.clear();
    this.shapes.clear();
    this.cards.clear();
    this.fillZoo(scene);
    const rules = Object.keys(scene.schemas).filter((p) => p.startsWith("rules."));
    const controls = [
      ...this.ownSection(scene),
      this.section(t("Flock"), true, ...flockRows(scene, this.calls, (row) => this.rows.set(row.path, row), this.more?.row)),
      ...(rules.length > 0 ? [this.section(t("Rules"), true, ...rules.map((p) => this.cards.card(scene, p)))] : []),
      ...(ownTitle(scene) ? [] : [this.section(t("Motion"), false, ...this.motionRows(scene))]),
      ...this.partsSection(scene, "population", t("Population"), true),
      ...this.partsSection(scene, "obstacles", t("Obstacles"), false),
      ...(scene.can?.change === false ? [] : [this.section(t("Settings"), true, this.own.settings)]),
      this.section(t("View"), true, this.own.view),
    ];
    if (again) replaceControls(this.body, controls);
    else this.body.replaceChildren(...controls);
    this.body.scrollTop = top;
    this.setOff(scene.off);
    const can = scene.can ?? {};
    this.undo.hidden = this.redo.hidden = can.change === false;
    for (const [test, able] of [["save-film", can.film], ["save-page", can.page], ["copy-model", this.more ? false : can.toml]] as const) {
      this.jobButtons.querySelector<HTMLElement>(`[data-test=${test}]`)!.hidden = able === false;
    }
  }

  /** Show values. `held`: the path of a control that is being used, which does not jump. */
  setValues(values: Record<string, Plain>, held: string | null = null): void {
    for (const [path, value] of Object.entries(values)) {
      const shape = shapeOf(value);
      // A number that differs between boids now, or no more, has other controls.
      if (shape !== (this.shapes.get(path) ?? shape)) {
        if (this.scene && shapeOf(this.scene.values[path]) === shape) return this.enter(this.scene);
        continue;
      }
      if (held === null || (held !== path && !held.startsWith(`${path}.`))) this.rows.get(path)?.set(value);
    }
  }

  /** What can be undone and done again, in words. */
  setHistory({ undo, redo }: { undo: string | null; redo: string | null }): void {
    for (const [button, label, keys, what] of [[this.undo, t("Undo"), t("ctrl z"), undo], [this.redo, t("Redo"), t("shift ctrl z"), redo]] as const) {
      button.setAttribute("aria-disabled", String(what === null));
      button.setAttribute("aria-label", what === null ? label : `${label}: ${what}`);
      button.title = `${what === null ? label : `${label}: ${what}`} (${keys})`;
    }
  }

  /** Show why a value was refused, in its row. Returns whether the row is visible. */
  refuse(path: string, why: string): boolean {
    const row = this.rows.get(path) ?? this.rows.get(ownerOf(this.scene?.values ?? {}, path));
    const seen = row?.element.checkVisibility?.() === true && !this.element.classList.contains("closed");
    if (seen) row.refuse?.(why);
    return seen && row.refuse !== undefined;
  }

  /** The rules that are switched off; all others are on. */
  setOff(rules: string[]): void {
    this.cards.setOff(rules);
  }

  /** The rules' colours, after a change of style. */
  recolour(): void {
    for (const swatch of this.element.querySelectorAll<HTMLElement>("[data-swatch]")) {
      swatch.style.background = this.calls.colourOf(swatch.dataset["swatch"]!);
    }
  }

  setTime(time: number): void {
    for (const row of this.rows.values()) row.setTime?.(time);
  }

  private section(name: string, open: boolean, ...content: (Node | null)[]): HTMLElement {
    const details = h("details", { class: "section" }, h("summary", {}, name), ...content);
    details.open = this.openSections.get(name) ?? open;
    details.addEventListener("toggle", () => this.openSections.set(name, details.open));
    return details;
  }

  private fillZoo(scene: SceneMessage): void {
    const listed = scene.zoo.some(({ name }) => name === scene.name);
    const entries = listed ? scene.zoo : [{ name: scene.name, title: scene.title || scene.name, dims: scene.dims, boids: 0 }, ...scene.zoo];
    this.zoo.replaceChildren(
      ...entries.map(({ name, title, dims, boids }) =>
        h("option", { value: name, title: tm(title) }, boids > 0 ? `${name}  ·  ${tm(title)} (${dims}-D, ${count(boids)})` : tm(title)),
      ),
    );
    this.zoo.value = scene.name;
    this.zoo.disabled = scene.can?.open === false;
  }

  private specs(scene: SceneMessage, path: string): Spec[] {
    return specsOf(scene.schemas[path] as JsonSchema, path, scene.values, scene.defaults, sizesOf(scene));
  }

  private row(scene: SceneMessage, spec: Spec): HTMLElement {
    const schema = (scene.schemas[spec.path.slice(0, spec.path.lastIndexOf("."))]?.properties ?? {})[spec.path.split(".").pop()!];
    const holds = scene.values[spec.path] ?? (schema?.["default"] as Plain | undefined) ?? 0;
    const requested = this.calls.now(spec.path);
    const value = requested !== undefined && shapeOf(requested) === shapeOf(holds) ? requested : holds;
    const row = rowOf(spec, value, this.calls, sizesOf(scene));
    this.rows.set(spec.path, row);
    this.shapes.set(spec.path, shapeOf(value));
    return row.element;
  }

  /** What is no part of a model: which step of a recording is shown. */
  private ownSection(scene: SceneMessage): HTMLElement[] {
    const title = ownTitle(scene);
    return title ? [this.section(tm(title), true, ...this.specs(scene, "").map((spec) => this.row(scene, spec)))] : [];
  }

  private motionRows(scene: SceneMessage): Node[] {
    const nodes: Node[] = [];
    for (const { name } of scene.flocks) {
      if (scene.flocks.length > 1) nodes.push(h("div", { class: "sub" }, labelOf(name)));
      for (const path of [`flocks.${name}.motion`, `flocks.${name}.perching`, `flocks.${name}`]) {
        if (!scene.schemas[path]) continue;
        for (const spec of this.specs(scene, path)) {
          if (spec.path.endsWith(".count") || spec.path.endsWith(".combine")) continue;
          nodes.push(this.row(scene, spec));
        }
      }
    }
    for (const spec of this.specs(scene, "")) nodes.push(this.row(scene, { ...spec, label: spec.path === "dt" ? t("time step") : spec.label }));
    return nodes;
  }

  /** The numbers of named parts, such as obstacles, below the name of each. */
  private partsSection(scene: SceneMessage, table: string, title: string, open: boolean): HTMLElement[] {
    const paths = Object.keys(scene.schemas).filter((path) => path.startsWith(`${table}.`));
    const nodes = paths.flatMap((path) => {
      const rows = this.specs(scene, path).map((spec) => this.row(scene, spec));
      return rows.length > 0 ? [h("div", { class: "sub", title: tm(scene.schemas[path]!.description ?? "") }, labelOf(path.slice(table.length + 1))), ...rows] : [];
    });
    return nodes.length > 0 ? [this.section(title, open, ...nodes)] : [];
  }
}

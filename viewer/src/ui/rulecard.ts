/** The card of a rule in the panel: its switch, its weight and, opened, its formula, its functions and its
 * other numbers. */

import { labelOf, type Spec } from "../controls/specs";
import type { SceneMessage } from "../wire/contracts";
import { weightRows } from "./distributionrow";
import { h, iconButton, newId } from "./dom";
import type { Edits, Row } from "./numberrow";
import { ruleEditor, ruleText } from "./ruleeditor";
import { t, tm } from "../words";

export interface RuleCalls extends Edits {
  switchRule(rule: string, on: boolean): void;
  /** The colour of a rule's arrow. */
  colourOf(rule: string): string;
}

/** The panel that cards are part of. */
interface Host {
  specs(scene: SceneMessage, path: string): Spec[];
  row(scene: SceneMessage, spec: Spec): HTMLElement;
  keep(row: Row): void;
}

export class RuleCards {
  private readonly switches = new Map<string, { box: HTMLInputElement; card: HTMLElement }>();
  private readonly openRules = new Set<string>();
  private readonly openEditors = new Set<string>();

  constructor(private readonly panel: Host, private readonly calls: RuleCalls) {}

  /** Another scene: its cards are replaced. */
  clear(): void {
    this.switches.clear();
  }

  /** Another flock: all cards are closed. */
  close(): void {
    this.openRules.clear();
    this.openEditors.clear();
  }

  /** The rules that are switched off; all others are on. */
  setOff(rules: string[]): void {
    for (const [name, { box, card }] of this.switches) {
      box.checked = !rules.includes(name);
      card.classList.toggle("off", !box.checked);
    }
  }

  card(scene: SceneMessage, path: string): HTMLElement {
    const name = path.slice("rules.".length);
    const schema = scene.schemas[path]!;
    const kind = String(scene.values[`${path}.kind`] ?? name);
    const specs = this.panel.specs(scene, path);
    const first = specs.find((spec) => spec.path === `${path}.weight`);
    const others = specs.filter((spec) => spec !== first);
    const box = h("input", {
      type: "checkbox", role: "switch", class: "switch", checked: true, "data-rule": name, "aria-label": t("Rule {name}", { name: labelOf(name) }),
      onChange: () => {
        card.classList.toggle("off", !box.checked);
        this.calls.switchRule(name, box.checked);
      },
    });
    const id = newId();
    const formula = scene.formulas[path];
    const rest = h(
      "div",
      { id, hidden: true },
      schema.description || kind !== name
        ? h("p", { class: "why" }, kind !== name ? h("b", {}, `${labelOf(kind)}. `) : null, tm(schema.description ?? ""))
        : null,
      formula ? h("code", { class: "formula" }, tm(formula).replace(/\{(\w+)\}/g, (_, word: string) => labelOf(word))) : null,
      this.editor(scene, path, name),
      ...(first?.kind === "number" ? weightRows(() => scene.values[first.path] ?? 1, first, this.calls) : []),
      ...others.map((spec) => this.panel.row(scene, spec)),
    );
    const more = iconButton("more", t("More of {name}", { name: labelOf(name) }), `more-${name}`, () => {
      rest.hidden = !rest.hidden;
      more.setAttribute("aria-expanded", String(!rest.hidden));
      if (rest.hidden) this.openRules.delete(name);
      else this.openRules.add(name);
    });
    rest.hidden = !this.openRules.has(name);
    more.setAttribute("aria-expanded", String(!rest.hidden));
    more.setAttribute("aria-controls", id);
    // The head has no room for the menu by which boids differ.
    const weight = first ? this.panel.row(scene, first.kind === "number" ? { ...first, limits: undefined } : first) : null;
    const inline = weight?.classList.contains("number") ?? false;
    const card = h(
      "div",
      { class: "rule", "data-rule-card": name },
      h(
        "div",
        { class: "head", title: tm(schema.description ?? "") },
        box,
        h(
          "span",
          { class: "name" },
          h("i", { class: "swatch", style: `background:${this.calls.colourOf(name)}`, "data-swatch": name }),
          labelOf(name),
        ),
        inline ? weight : h("span", { class: "tag" }, first?.kind === "distribution" ? t("weight differs") : first ? t("weight over time") : ""),
        more,
      ),
      inline ? null : weight,
      rest,
    );
    this.switches.set(name, { box, card });
    return card;
  }

  private keepOpen(name: string, open: boolean): void {
    if (open) this.openEditors.add(name);
    else this.openEditors.delete(name);
  }

  /** The functions of a rule as text: to be edited where that is possible. */
  private editor(scene: SceneMessage, path: string, name: string): HTMLElement | null {
    const text = scene.functions?.[path];
    if (text === undefined) return null;
    const edited = scene.values[`${path}.functions`];
    if (scene.can?.functions !== true) {
      return ruleText(name, typeof edited === "string" && edited ? edited : text, this.openEditors.has(name), (open) => this.keepOpen(name, open));
    }
    const row = ruleEditor(
      { path, name, text, edited: typeof edited === "string" ? edited : "" }, this.calls, this.openEditors.has(name),
      (open) => this.keepOpen(name, open),
    );
    this.panel.keep(row);
    return row.element;
  }
}

/** A table of all boids: who each is, where, how fast, and the numbers that frames hold. Sorted by any column;
 * only rows in view are elements, so the table is as fast for 100,000 boids as for 100. */

import { formatNumber, nameOf } from "../controls/specs";
import { coordinate, EMPTY, identityOf, isUnseen, rangesOf, speedOf, valueOf, type Frame, type Identity } from "../wire/frame";
import type { SceneCore } from "../wire/contracts";
import { h, icon, iconButton } from "./dom";
import { count, t, tm, tv } from "../words";

const ROW = 22; // pixels, as in viewer.css
const MARGIN = 6; // rows above and below those in view
const PAUSE = 9; // a table that took t to sort rests for 9 t
const MIN_PAUSE = 250; // milliseconds

export interface Column {
  name: string;
  title: string;
  of: (row: number) => number | null;
  text?: (value: number) => string;
}

const three = (x: number): string => formatNumber(Number(x.toPrecision(3)));

// mark("count") mark("id") mark("flock") mark("speed") mark("neighbours")

/** The columns of a frame: what its boids have. */
export function columnsOf(frame: Frame, scene: SceneCore): Column[] {
  const ranges = rangesOf(frame, scene.flocks);
  const flockAt = (row: number): number => Math.max(0, ranges.findIndex(({ first, count }) => row < first + count));
  const columns: Column[] = [
    { name: "id", title: t("id: the boid's number in its flock"), of: (row) => frame.ids?.[row] ?? row - ranges[flockAt(row)]!.first, text: String },
  ];
  if (ranges.length > 1) columns.push({ name: "flock", title: t("its flock"), of: flockAt, text: (k) => tm(scene.flocks[k]?.name ?? "") });
  for (let axis = 0; axis < frame.dims; axis++) {
    const name = "xyz"[axis]!;
    columns.push({ name, title: t("{name}, length", { name }), of: (row) => (isUnseen(frame, row) ? null : coordinate(frame, row, axis)) });
  }
  columns.push({ name: "speed", title: t("speed, length / time"), of: (row) => (isUnseen(frame, row) ? null : speedOf(frame, row)) });
  if (frame.hasNeighbours) {
    columns.push({ name: "neighbours", title: t("neighbours within the radius of its rules"), of: (row) => frame.bytes[12 * row + 11]! & 255, text: (n) => (n < 255 ? String(n) : "≥ 255") });
  }
  const number = frame.values && scene.per_boid?.[frame.values.which];
  if (number) {
    columns.push({ name: nameOf(number.name), title: t("{name}, the number that colours show", { name: number.name }), of: (row) => valueOf(frame, row) });
  }
  return columns;
}

/** Rows of a frame in the order of a column; those without a value are last, equal ones in the order of rows. */
export function sortRows(count: number, of: (row: number) => number | null, down: boolean): Uint32Array {
  const keys = new Float64Array(count);
  for (let row = 0; row < count; row++) {
    const value = of(row);
    keys[row] = value === null ? Infinity : down ? -value : value;
  }
  return Uint32Array.from({ length: count }, (_, row) => row).sort((a, b) => keys[a]! - keys[b]! || a - b);
}

/** What a viewport reports to the table. */
interface Shown {
  readonly frame: Frame | null;
  readonly scene: SceneCore;
  readonly chosen: number | null;
  afterDrawing: (at: number) => unknown;
}

/** Show what a viewport has drawn, after each drawing. */
export function showAfterDrawing(table: BoidTable, viewport: Shown): void {
  const before = viewport.afterDrawing;
  viewport.afterDrawing = (at) => {
    before(at);
    table.show(viewport.frame, viewport.scene, viewport.chosen);
  };
}

/** The button that opens the table, for the rows of the view. */
export function tableButton(toggle: () => void): HTMLButtonElement {
  return h("button", { type: "button", class: "button wide", title: t("Table of boids (b)"), "data-test": "boid-table", "aria-pressed": "false", onClick: toggle }, icon("table"), t("Table of boids"));
}

export class BoidTable {
  readonly element: HTMLElement;
  private readonly heads = h("tr", {});
  private readonly above = h("tr", { "aria-hidden": "true" });
  private readonly below = h("tr", { "aria-hidden": "true" });
  private readonly body = h("tbody", {});
  private readonly count = h("span", { class: "quiet" });
  private readonly table: HTMLTableElement;
  private readonly scroll: HTMLElement;
  private frame: Frame | null = null;
  private scene: SceneCore | null = null;
  private columns: Column[] = [];
  private order: Uint32Array = new Uint32Array(0);
  private sorted = { name: "id", down: false };
  private chosen: number | null = null;
  private due = 0;

  constructor(close: () => void, private readonly choose: (boid: Identity) => void) {
    this.table = h("table", { "aria-label": t("Boids") }, h("thead", {}, this.heads), this.body);
    this.scroll = h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("Rows of boids") }, this.table);
    this.scroll.addEventListener("scroll", () => this.draw());
    this.body.addEventListener("click", (event) => {
      const row = (event.target as HTMLElement).closest<HTMLElement>("[data-row]")?.dataset["row"];
      if (row !== undefined && this.frame && this.scene) this.choose(identityOf(this.frame, this.scene.flocks, Number(row)));
    });
    const header = h("header", {}, h("h2", {}, t("Boids")), this.count, iconButton("close", t("Close the table"), "table-close", close, "b"));
    this.element = h("section", { class: "card boids", "aria-label": t("Table of boids"), "data-test": "boid-table-panel", hidden: true }, header, this.scroll);
  }

  /** Show a frame. It is sorted again at most four times a second, less often if that takes long. */
  show(frame: Frame | null, scene: SceneCore, chosen: number | null, now = performance.now()): void {
    // Of flocks whose positions are on the graphics card alone there are no rows.
    if (this.element.hidden || !frame || frame.shorts.length < 6 * frame.count) return;
    const picked = chosen !== this.chosen;
    this.chosen = chosen;
    if (now < this.due && this.scene === scene && this.frame?.layout === frame.layout && this.frame.count === frame.count) {
      if (picked) this.draw();
      return;
    }
    [this.frame, this.scene] = [frame, scene];
    const begin = performance.now();
    this.sort();
    const end = performance.now();
    this.due = now + Math.max(MIN_PAUSE, PAUSE * (end - begin));
  }

  get open(): boolean {
    return !this.element.hidden;
  }

  /** Open or close it; the next frame is shown at once. */
  set open(open: boolean) {
    this.element.hidden = !open;
    this.due = 0;
  }

  private sort(): void {
    const { frame, scene } = this;
    if (!frame || !scene) return;
    const names = this.columns.map(({ name }) => name).join();
    this.columns = columnsOf(frame, scene);
    const column = this.columns.find(({ name }) => name === this.sorted.name) ?? this.columns[0]!;
    const order = sortRows(frame.count, column.of, this.sorted.down);
    this.order = frame.ids ? order.filter((row) => frame.ids![row] !== EMPTY) : order;
    this.count.textContent = count(this.order.length);
    if (names !== this.columns.map(({ name }) => name).join()) this.drawHeads();
    this.draw();
  }

  private sortBy(name: string): void {
    this.sorted = { name, down: this.sorted.name === name && !this.sorted.down };
    this.sort();
    this.drawHeads();
  }

  private drawHeads(): void {
    this.heads.replaceChildren(
      ...this.columns.map(({ name, title }) => {
        const mine = name === this.sorted.name;
        const mark = mine ? (this.sorted.down ? " ↓" : " ↑") : "";
        const button = h("button", { type: "button", title: t("{title}. Click to sort", { title }), "data-test": `sort-${name}`, onClick: () => this.sortBy(name) }, tv(name) + mark);
        return h("th", { scope: "col", "aria-sort": mine ? (this.sorted.down ? "descending" : "ascending") : "none" }, button);
      }),
    );
  }

  /** Draw the rows in view. */
  private draw(): void {
    const { scrollTop, clientHeight } = this.scroll;
    const first = Math.max(0, Math.floor(scrollTop / ROW) - MARGIN);
    const last = Math.min(this.order.length, Math.ceil((scrollTop + clientHeight) / ROW) + MARGIN);
    this.above.style.height = `${first * ROW}px`;
    this.below.style.height = `${(this.order.length - last) * ROW}px`;
    this.table.setAttribute("aria-rowcount", String(this.order.length + 1));
    const rows = Array.from(this.order.subarray(first, last), (row, k) => {
      const cells = this.columns.map(({ of, text = three }) => {
        const value = of(row);
        return h("td", {}, value === null ? "–" : text(value));
      });
      const mine = row === this.chosen;
      return h("tr", { "data-row": String(row), "aria-rowindex": String(first + k + 2), class: mine ? "chosen" : undefined, "aria-selected": String(mine) }, ...cells);
    });
    this.body.replaceChildren(this.above, ...rows, this.below);
  }
}

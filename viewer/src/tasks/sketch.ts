/** A chart to draw a line in: with a finger or a mouse, or with the arrow keys at its six handles. */

import { kit, t } from "./kit";

const HANDLES = 6;
const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [264, 132, 26, 8, 8, 20];
const STEPS = 50; // of a handle

const svg = (tag: string, attributes: Record<string, string | number>, text = ""): SVGElement => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.textContent = text;
  return element;
};

export class Sketch {
  readonly element: HTMLElement;
  readonly line: number[];
  drawn = false;
  private locked = false;
  private readonly picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, "aria-hidden": "true" });
  private readonly own = svg("polyline", { class: "own" });
  private readonly found = svg("polyline", { class: "found" });
  private readonly handles: { input: HTMLInputElement; dot: SVGElement }[];

  constructor(name: string, private readonly seconds: number, private readonly top: number) {
    const { h } = kit;
    this.line = new Array<number>(HANDLES).fill(top / 2);
    this.picture.append(
      svg("path", { class: "axes", d: `M${LEFT} ${TOP}V${HEIGHT - BOTTOM}H${WIDTH - RIGHT}` }),
      svg("text", { x: LEFT - 5, y: TOP + 6, "text-anchor": "end" }, kit.formatNumber(top)),
      svg("text", { x: LEFT - 5, y: HEIGHT - BOTTOM, "text-anchor": "end" }, "0"),
      svg("text", { x: LEFT, y: HEIGHT - 6 }, "0 s"),
      svg("text", { x: WIDTH - RIGHT, y: HEIGHT - 6, "text-anchor": "end" }, `${kit.formatNumber(seconds)} s`),
      this.found, this.own,
    );
    this.handles = this.line.map((_, k) => {
      const at = kit.formatNumber(Number(((k * seconds) / (HANDLES - 1)).toPrecision(2)));
      const input = h("input", {
        type: "range", min: 0, max: STEPS, step: 1, orient: "vertical", "data-test": `handle-${k}`, style: `left:${(100 * this.x(k / (HANDLES - 1))) / WIDTH}%`,
        "aria-label": t("{measure} after {time} s", { measure: name, time: at }),
        onInput: () => this.put(k, (Number(input.value) / STEPS) * this.top),
      });
      const dot = svg("circle", { r: 4 });
      this.picture.append(dot);
      return { input, dot };
    });
    const area = h("div", { class: "area" });
    area.append(this.picture, ...this.handles.map(({ input }) => input));
    for (const kind of ["pointerdown", "pointermove"]) area.addEventListener(kind, (event) => this.drag(event as PointerEvent, area));
    const legend = h("div", { class: "lines" }, h("span", { class: "own" }, t("your line")), h("span", { class: "found" }, t("the flock")));
    this.element = h("div", { class: "sketch", "data-test": "sketch", role: "group", "aria-label": t("Your prediction: {measure} over {seconds} s", { measure: name, seconds: kit.formatNumber(seconds) }) },
      h("p", { class: "label" }, name), area, legend);
    this.line.forEach((value, k) => this.show(k, value));
  }

  private x(part: number): number {
    return LEFT + part * (WIDTH - LEFT - RIGHT);
  }

  private y(value: number): number {
    return HEIGHT - BOTTOM - (Math.max(0, Math.min(this.top, value)) / this.top) * (HEIGHT - TOP - BOTTOM);
  }

  private show(k: number, value: number): void {
    this.line[k] = value;
    const { input, dot } = this.handles[k]!;
    input.value = String(Math.round((value / this.top) * STEPS));
    input.setAttribute("aria-valuetext", kit.formatNumber(Number(value.toPrecision(2))));
    dot.setAttribute("cx", String(this.x(k / (HANDLES - 1))));
    dot.setAttribute("cy", String(this.y(value)));
    this.own.setAttribute("points", this.line.map((height, at) => `${this.x(at / (HANDLES - 1))},${this.y(height)}`).join(" "));
  }

  private put(k: number, value: number): void {
    if (this.locked) return this.show(k, this.line[k]!);
    this.drawn = true;
    this.element.classList.add("drawn");
    this.show(k, Math.max(0, Math.min(this.top, value)));
  }

  private drag(event: PointerEvent, area: HTMLElement): void {
    if (this.locked || (event.type === "pointermove" && event.buttons !== 1)) return;
    if (event.type === "pointerdown") area.setPointerCapture(event.pointerId);
    const box = area.getBoundingClientRect();
    const [x, y] = [((event.clientX - box.left) / box.width) * WIDTH, ((event.clientY - box.top) / box.height) * HEIGHT];
    const k = Math.round(Math.max(0, Math.min(1, (x - LEFT) / (WIDTH - LEFT - RIGHT))) * (HANDLES - 1));
    this.put(k, ((HEIGHT - BOTTOM - y) / (HEIGHT - TOP - BOTTOM)) * this.top);
    event.preventDefault();
  }

  lock(): void {
    this.locked = true;
  }

  unlock(): void {
    this.locked = false;
  }

  /** Draw the line of the flock so far. */
  measured(points: { time: number; value: number }[]): void {
    const within = points.filter(({ time }) => time <= this.seconds);
    this.found.setAttribute("points", within.map(({ time, value }) => `${this.x(time / this.seconds)},${this.y(value)}`).join(" "));
  }
}

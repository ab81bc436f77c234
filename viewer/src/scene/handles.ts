/** Handles: the marks of what can be dragged, and the lines of paths between theirs. They are small
 * elements, as a layer as large as the page would have to be drawn again with every frame. */

import { labelOf } from "../controls/specs";
import { project, type Shot } from "../camera/projection";
import { h } from "../ui/dom";
import { vec3, type Vec3 } from "../wire/frame";
import type { HandleInfo } from "../wire/contracts";
import { t } from "../words";

const SVG = "http://www.w3.org/2000/svg";
const CORNER = /^(.*)\.points\.\d+$/;

export class HandleMarks {
  readonly element = h("div", { class: "handles" });
  private marks: HTMLElement[] = [];
  /** A line for each path: the numbers of its handles. */
  private lines: { line: SVGPolylineElement; corners: number[] }[] = [];
  private paths: Vec3[][] = [];
  private pathLines: SVGPolylineElement[] = [];
  private shown = "";

  /** `paths`: lines without marks. */
  place(handles: HandleInfo[], [hot, selected]: (string | null)[], shot: Shot, paths: Vec3[][]): void {
    const key = handles.map(({ path }) => path).join();
    if (key !== this.shown || paths !== this.paths) {
      [this.shown, this.paths] = [key, paths];
      this.make(handles);
    }
    const places = handles.map(({ position }) => project(shot, vec3(position)));
    handles.forEach(({ path }, k) => {
      const mark = this.marks[k]!;
      const { x, y, depth } = places[k]!;
      mark.hidden = depth < shot.near;
      const at = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      if (mark.style.transform !== at) mark.style.transform = at;
      mark.classList.toggle("hot", path === hot);
      mark.classList.toggle("selected", path === selected);
    });
    for (const { line, corners } of this.lines) lead(line, corners.map((k) => places[k]!), shot);
    this.pathLines.forEach((line, k) => lead(line, paths[k]!.map((corner) => project(shot, corner)), shot));
  }

  private make(handles: HandleInfo[]): void {
    const named = (path: string): string => {
      const [, part, key, k] = path.split(".") as [string, string, string, string?];
      return k === undefined ? t("{part} {number}", { part: labelOf(part), number: labelOf(key) }) : t("{part}, point {number}", { part: labelOf(part), number: Number(k) + 1 });
    };
    this.marks = handles.map(({ path, kind }) =>
      h("div", { class: `handle ${kind}`, "data-handle": path }, h("span", {}, named(path))),
    );
    const paths = new Map<string, number[]>();
    handles.forEach(({ path, closes }, k) => {
      const rule = CORNER.exec(path)?.[1];
      if (rule === undefined) return;
      const corners = paths.get(rule) ?? [];
      paths.set(rule, [...corners, k]);
      if (closes) paths.get(rule)!.push(paths.get(rule)![0]!);
    });
    this.lines = [...paths.values()].map((corners) => ({ line: document.createElementNS(SVG, "polyline"), corners }));
    this.pathLines = this.paths.map(() => document.createElementNS(SVG, "polyline"));
    const lines = [...this.lines.map(({ line }) => line), ...this.pathLines];
    const layer = document.createElementNS(SVG, "svg");
    layer.append(...lines);
    this.element.replaceChildren(...(lines.length > 0 ? [layer] : []), ...this.marks);
  }
}

/** Leads a line through places on the page, but for those behind the camera. */
function lead(line: SVGPolylineElement, places: { x: number; y: number; depth: number }[], shot: Shot): void {
  const seen = places.filter(({ depth }) => depth >= shot.near);
  const points = seen.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  if (line.getAttribute("points") !== points) line.setAttribute("points", points);
}

/** Handles: the marks of what can be dragged, and the lines of paths between theirs. They are small
 * elements, as a layer as large as the page would have to be drawn again with every frame. */

import { project, type Shot } from "./camera/projection";
import { h } from "./ui/dom";
import { vec3 } from "./wire/frame";
import type { HandleInfo } from "./wire/messages";

const SVG = "http://www.w3.org/2000/svg";
const CORNER = /^(.*)\.points\.\d+$/;

export class HandleMarks {
  readonly element = h("div", { class: "handles" });
  private marks: HTMLElement[] = [];
  /** A line for each path: the numbers of its handles. */
  private lines: { line: SVGPolylineElement; corners: number[] }[] = [];
  private shown = "";

  place(handles: HandleInfo[], [hot, selected]: (string | null)[], shot: Shot): void {
    const key = handles.map(({ path }) => path).join();
    if (key !== this.shown) {
      this.shown = key;
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
    for (const { line, corners } of this.lines) {
      const seen = corners.map((k) => places[k]!).filter(({ depth }) => depth >= shot.near);
      const points = seen.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
      if (line.getAttribute("points") !== points) line.setAttribute("points", points);
    }
  }

  private make(handles: HandleInfo[]): void {
    this.marks = handles.map(({ path, label, kind }) =>
      h("div", { class: `handle ${kind}`, "data-handle": path }, h("span", {}, label)),
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
    const layer = document.createElementNS(SVG, "svg");
    layer.append(...this.lines.map(({ line }) => line));
    this.element.replaceChildren(...(this.lines.length > 0 ? [layer] : []), ...this.marks);
  }
}

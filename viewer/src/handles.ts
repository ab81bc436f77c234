/** Handles: the marks of what can be dragged. They are small elements, as a layer as large as the page
 * would have to be drawn again with every frame. */

import { project, type Shot } from "./camera/projection";
import { h } from "./ui/dom";
import { vec3 } from "./wire/frame";
import type { HandleInfo } from "./wire/messages";

export class HandleMarks {
  readonly element = h("div", { class: "handles" });
  private marks: HTMLElement[] = [];
  private shown = "";

  place(handles: HandleInfo[], hot: string | null, shot: Shot): void {
    const key = handles.map(({ path }) => path).join();
    if (key !== this.shown) {
      this.shown = key;
      this.marks = handles.map(({ path, label, kind }) =>
        h("div", { class: `handle ${kind}`, "data-handle": path }, h("span", {}, label)),
      );
      this.element.replaceChildren(...this.marks);
    }
    handles.forEach(({ path, position }, k) => {
      const mark = this.marks[k]!;
      const { x, y, depth } = project(shot, vec3(position));
      mark.hidden = depth < shot.near;
      const at = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
      if (mark.style.transform !== at) mark.style.transform = at;
      mark.classList.toggle("hot", path === hot);
    });
  }
}

/** Pages that show only the flock, as a part of another page: `show=flock` in the address after #. The surrounding
 * page scrolls as if it were a picture. With `hand=call` boids move towards the pointer, with `hand=shoo` away
 * from it. */

import type { Shell } from "./shell";
import type { Beckoning } from "../scene/shootool";

export interface Bare {
  hand: Beckoning | null;
}

/** What the address contains; null: the whole page is shown. */
export function bareIn(hash: string): Bare | null {
  const parameters = new URLSearchParams(hash.replace(/^#/, ""));
  if (parameters.get("show") !== "flock") return null;
  const hand = parameters.get("hand");
  return { hand: hand === "call" || hand === "shoo" ? hand : null };
}

/** Hides all but the scene. */
export function makeBare(shell: Shell): void {
  const { frame } = shell;
  shell.bare = true;
  frame.classList.add("bare");
  frame.addEventListener("wheel", (event) => event.stopPropagation(), { capture: true, passive: true });
}

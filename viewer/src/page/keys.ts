/** Keyboard shortcuts. They act while no text field is in use. */

import type { Follow } from "../camera/camera";
import type { Viewport } from "../scene/viewport";
import { COLOURS, STYLES, type ViewChoices } from "../ui/viewrows";

export interface KeyCalls {
  toggle(): void;
  step(back: boolean): void;
  restart(): void;
  shoo?(on: boolean): void;
  call?(on: boolean): void;
  /** The palette, opened or closed. */
  draw?(): void;
  /** Deletes what is selected; ends what is being drawn, or gives it up. Whether there was any. */
  remove?(): boolean;
  finish?(): boolean;
  escape?(): boolean;
  home(): void;
  charts(): void;
  table?(): void;
  panel?(): void;
  help(): void;
  /** Undo (0), or do again (1). */
  go?(side: 0 | 1): void;
  deselect?(): void;
  choices(): ViewChoices;
  choose(change: Partial<ViewChoices>): void;
  viewport(): Viewport | null;
  neighbours: boolean;
}

const after = <T>(list: readonly T[], now: T): T => list[(list.indexOf(now) + 1) % list.length]!;

/** Ctrl or Cmd with z undoes; with shift, or with y, it is done again. */
function undoKey({ key, shiftKey }: KeyboardEvent): 0 | 1 | null {
  const letter = key.toLowerCase();
  return letter === "y" && !shiftKey ? 1 : letter !== "z" ? null : shiftKey ? 1 : 0;
}

export function bindKeys(target: EventTarget, calls: KeyCalls): () => void {
  const down = (raw: Event): void => {
    const event = raw as KeyboardEvent;
    if (event.altKey || event.defaultPrevented) return;
    const element = event.composedPath()[0] as HTMLElement;
    const tag = element.tagName;
    if (tag === "TEXTAREA" || tag === "SELECT" || element.isContentEditable) return;
    if (tag === "INPUT" && (element as HTMLInputElement).type === "text") return;
    if (event.ctrlKey || event.metaKey) {
      const side = undoKey(event);
      if (side === null || !calls.go) return;
      event.preventDefault();
      return calls.go(side);
    }
    // Arrows and space belong to the control that has the focus.
    const control = tag === "INPUT" || tag === "BUTTON" || tag === "SUMMARY";
    if (act(event.key, control, event.repeat)) event.preventDefault();
  };
  const up = (event: Event): void => {
    const { key } = event as KeyboardEvent;
    if (key === "s") calls.shoo?.(false);
    if (key === "a") calls.call?.(false);
  };
  const act = (key: string, control: boolean, repeat: boolean): boolean => {
    const viewport = calls.viewport();
    if (!viewport) return false;
    const choices = calls.choices();
    const { camera, shot } = viewport;
    const flat = viewport.scene.dims === 2;
    const arrows: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
    };
    if (control && (key === " " || key === "Enter" || key in arrows)) return false;
    const arrow = arrows[key];
    if (arrow) {
      if (flat) camera.panBy(shot, -40 * arrow[0], 40 * arrow[1]);
      else camera.orbit(-6 * arrow[0], 4 * arrow[1]);
      return true;
    }
    if (repeat && !"+=-_.,".includes(key)) return true;
    const follow: Follow[] = viewport.chosen === null ? ["space", "flock"] : ["space", "flock", "boid"];
    const words = calls.neighbours ? COLOURS : COLOURS.filter((c) => c !== "neighbours");
    const colours = [...words, ...(viewport.scene.per_boid ?? []).map(({ name }) => name)];
    switch (key) {
      case " ": calls.toggle(); return true;
      case ".": calls.step(false); return true;
      case ",": calls.step(true); return true;
      case "r": calls.restart(); return true;
      case "s": calls.shoo?.(true); return true;
      case "a": calls.call?.(true); return true;
      case "d": calls.draw?.(); return true;
      case "Delete": case "Backspace": return calls.remove?.() ?? false;
      case "Enter": return calls.finish?.() ?? false;
      case "h": calls.home(); return true;
      case "t": camera.top(); return true;
      case "g": calls.charts(); return true;
      case "b": calls.table?.(); return true;
      case "p": calls.panel?.(); return true;
      case "f": calls.choose({ follow: after(follow, choices.follow) }); return true;
      case "c": calls.choose({ colourBy: after(colours, choices.colourBy) }); return true;
      case "l": calls.choose({ style: after(STYLES, choices.style) }); return true;
      case "+": case "=": camera.zoomBy(shot, 1.2); return true;
      case "-": case "_": camera.zoomBy(shot, 1 / 1.2); return true;
      case "?": calls.help(); return true;
      case "Escape":
        if (!calls.escape?.()) calls.deselect?.();
        return true;
      default: return false;
    }
  };
  target.addEventListener("keydown", down);
  target.addEventListener("keyup", up);
  return () => {
    target.removeEventListener("keydown", down);
    target.removeEventListener("keyup", up);
  };
}

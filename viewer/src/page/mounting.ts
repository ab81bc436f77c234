/** What every page begins with. */

import { bytesOfLetters, inflated } from "../replay/unpack";
import { languageNow, speak as begin, tm, type Words } from "../words";

export interface Mounted {
  dispose(): void;
}

/** Show texts in the page's language, or the reader's, from packed messages. To be awaited before anything is mounted. */
export async function speak(packed: string): Promise<void> {
  begin(JSON.parse(new TextDecoder().decode(await inflated(bytesOfLetters(packed)))) as Words, navigator.languages);
}

/** A page of its own: fill the window, and take keys wherever they are pressed. */
export function fillWindow(root: HTMLElement): void {
  document.documentElement.lang = languageNow();
  document.title = tm(document.title);
  document.body.style.margin = "0";
  Object.assign(root.style, { position: "fixed", inset: "0" });
}

/** Whether the page shows nothing else. */
export function isAlone(root: HTMLElement): boolean {
  return root.parentElement === document.body
    && [...document.body.children].every((child) => child === root || /SCRIPT$/.test(child.tagName));
}

/** Text for elsewhere: to the clipboard, or saved as a file. */

import type { Shell } from "./shell";
import { h } from "../ui/dom";
import { openSheet } from "../ui/help";

/** Fields with texts to copy by hand. */
export function textFields(title: string, ...texts: string[]): HTMLTextAreaElement[] {
  return texts.map((text) => {
    const lines = Math.min(18, text.split("\n", 18).length);
    const area = h("textarea", { class: "mono", readonly: true, "data-test": "toml", "aria-label": title, style: `height:${1.5 * lines + 1.8}em` });
    area.value = text;
    return area;
  });
}

/** To the clipboard; if that is not allowed, into the page to be copied by hand, below some text. */
export async function copyText(shell: Shell, text: string, title: string, said: string, ...above: Node[]): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    shell.notices.say(said, { about: "copy" });
  } catch {
    const [area] = textFields(title, text) as [HTMLTextAreaElement];
    openSheet(shell.frame, title, ...above, area);
    area.select();
  }
}

export function download(content: BlobPart, type: string, name: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

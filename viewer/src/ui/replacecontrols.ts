/** Controls that are made again while somebody uses one: what is typed stays, and so does the keyboard's focus. */

type Field = HTMLInputElement | HTMLTextAreaElement;

const isField = (element: Element | null): element is Field => element?.matches("input[type=text], textarea") === true;

/** The selector of a control, by what it has in every making: its label, and what it controls. */
function selectorOf(control: Element): string {
  const names = [...control.attributes].filter(({ name }) => name === "aria-label" || name.startsWith("data-"));
  return control.localName + names.map(({ name, value }) => `[${name}="${CSS.escape(value)}"]`).join("");
}

/** Replace all that is in `place`. A text that was typed and not taken yet is in the new field of the same name. */
export function replaceControls(place: HTMLElement, controls: Node[]): void {
  const { activeElement } = place.getRootNode() as Document | ShadowRoot;
  const active = activeElement && place.contains(activeElement) ? activeElement : null;
  const fields = [...place.querySelectorAll("textarea"), ...(isField(active) ? [active] : [])];
  const typed = new Map(
    fields.filter((field) => field.value !== field.defaultValue).map((field) => [selectorOf(field), field.value]),
  );
  const selected = isField(active) ? [active.selectionStart, active.selectionEnd] as const : null;
  // Chrome takes what has been typed so far when it removes a field.
  if (isField(active)) active.value = active.defaultValue;
  place.replaceChildren(...controls);
  for (const [selector, text] of typed) {
    const field = place.querySelector<Field>(selector);
    if (!field) continue;
    field.value = text;
    field.dispatchEvent(new Event("input"));
  }
  const again = active && place.querySelector<HTMLElement>(selectorOf(active));
  again?.focus({ preventScroll: true });
  if (selected && isField(again)) again.setSelectionRange(...selected);
}

/** Helpers that make elements. */

type Child = Node | string | null | undefined | false;
type Props = Record<string, unknown>;

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  props: Props = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on") && typeof value === "function") {
      element.addEventListener(key.slice(2).toLowerCase(), value as EventListener);
    } else if (key === "class") element.className = String(value);
    else if (key === "text") element.textContent = String(value);
    else if (key === "value") (element as HTMLInputElement).value = String(value);
    else if (key === "checked") (element as HTMLInputElement).checked = Boolean(value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  for (const child of children) if (child) element.append(child);
  return element;
}

const PATHS: Record<string, string> = {
  play: "M8 5.2v13.6L19 12z",
  pause: "M7 5h3.4v14H7zM13.6 5H17v14h-3.4z",
  step: "M6 5.5v13L14.5 12zM16 5.5h2.6v13H16z",
  restart: "M12 5V1.8L7.2 6 12 10.2V7a5.5 5.5 0 1 1-5.3 7H4.6A7.5 7.5 0 1 0 12 5z",
  close: "M6.4 5 12 10.6 17.6 5 19 6.4 13.4 12 19 17.6 17.6 19 12 13.4 6.4 19 5 17.6 10.6 12 5 6.4z",
  more: "M7.4 9 12 13.6 16.6 9 18 10.4l-6 6-6-6z",
  help: "M11 17h2v2h-2zm1-13a5 5 0 0 0-5 5h2a3 3 0 1 1 4.6 2.5C12 12.500 11 13.300 11 15h2c0-.8.6-1.300 1.500-2A5 5 0 0 0 12 4z",
  panel: "M4 6h10v2H4zm0 5h16v2H4zm0 5h7v2H4zM16 4h2v6h-2zM13 14h2v6h-2z",
  film: "M4 5h16v14H4zm2 2v2h2V7zm0 4v2h2v-2zm0 4v2h2v-2zm10-8v2h2V7zm0 4v2h2v-2zm0 4v2h2v-2zm-6-8v10h4V7z",
  page: "M6 3h8l5 5v13H6zm7 1.800V9h4.200z",
  picture: "M4 5h16v14H4zm2 2v7.600l3.500-4.100 3 3.500 2-2.200L18 15.500V7zm9 1.500h2v2h-2z",
  link: "M10.600 13.400a4 4 0 0 1 0-5.700l3-3a4 4 0 0 1 5.700 5.700l-1.800 1.800-1.400-1.400 1.800-1.800a2 2 0 0 0-2.900-2.900l-3 3a2 2 0 0 0 0 2.900zm2.800-2.800a4 4 0 0 1 0 5.700l-3 3a4 4 0 0 1-5.700-5.700l1.800-1.800 1.400 1.400-1.800 1.800a2 2 0 0 0 2.900 2.900l3-3a2 2 0 0 0 0-2.900z",
  copy: "M8 3h11v13H8zM5 8v13h11v-2H7V8z",
  reset: "M12 5V1.800L7.200 6 12 10.200V7a5.500 5.500 0 1 1-5.300 7H4.600A7.500 7.500 0 1 0 12 5z",
  undo: "M9.500 4.500 5 9l4.500 4.500V10.500H14a4 4 0 0 1 0 8H8v2h6a6 6 0 0 0 0-12H9.500z",
  redo: "M14.500 4.500 19 9l-4.500 4.500V10.500H10a4 4 0 0 0 0 8h6v2h-6a6 6 0 0 1 0-12h4.500z",
  home: "M4 4h6v2H6v4H4zm10 0h6v6h-2V6h-4zM4 14h2v4h4v2H4zm14 0h2v6h-6v-2h4z",
  hand: "M12 3a2 2 0 0 1 2 2v5l4.600 1.300A2 2 0 0 1 20 13.300L19 21H9.500L4 14.500l1.500-1.300L10 15V5a2 2 0 0 1 2-2z",
  call: "M12 2v5.500l2-2 1.400 1.400L12 10.300 8.600 6.900 10 5.500l2 2zM12 22v-7.300zM11 22v-5.500l-2 2-1.400-1.400L11 13.700h2l3.400 3.400-1.400 1.400-2-2V22zM2 11h5.500l-2-2 1.400-1.400 4.400 4.400-4.400 4.400-1.400-1.400 2-2H2zm20 0h-5.500l2-2-1.400-1.400-4.400 4.400 4.400 4.400 1.400-1.400-2-2H22z",
  pen: "M4 20v-4.200L15.600 4.200a2 2 0 0 1 2.800 0l1.400 1.400a2 2 0 0 1 0 2.800L8.200 20zm2-2h1.400l8.800-8.800-1.400-1.400L6 16.600zM12 18h8v2h-8z",
  sphere: "M12 3.500a8.500 8.500 0 1 0 0 17 8.500 8.500 0 0 0 0-17zm0 2a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13z",
  box: "M4 5h16v14H4zm2 2v10h12V7z",
  wall: "M3 5h18v14H3zm2 2v2.500h5V7zm7 0v2.500h7V7zM5 11.500V13h2v-1.500zm4 0V13h6v-1.500zm8 0V13h2v-1.500zM5 15v2h5v-2zm7 0v2h7v-2z",
  path: "M5 15a3 3 0 0 1 2.800 2H14a2 2 0 0 0 0-4h-4a4 4 0 0 1 0-8h6.200a3 3 0 1 1 0 2H10a2 2 0 0 0 0 4h4a4 4 0 0 1 0 8H7.800A3 3 0 1 1 5 15z",
  goal: "M6 3h2v1h11l-3 4 3 4H8v9H6z",
  predator: "M2 7c4 0 7 1 10 5 3-4 6-5 10-5-1 5-4 7-7 7l-3 6-3-6C6 14 3 12 2 7z",
  bin: "M9 3h6v2h5v2H4V5h5zM6 8h12l-1 13H7zm3 2 .4 9h1.600l-.3-9zm4.300 0-.3 9h1.600l.4-9z",
  table: "M3 5h18v14H3zm2 2v2h4V7zm6 0v2h8V7zM5 11v2h4v-2zm6 0v2h8v-2zM5 15v2h4v-2zm6 0v2h8v-2z",
  chart: "M4 4h2v14h14v2H4zm4 11 4-5 3 3 4.500-6 1.500 1.200-6 8-3-3-2.600 3.300z",
  beside: "M4 5h7v14H4zm2 2v10h3V7zm7-2h7v14h-7z",
  embed: "M8.600 6.600 10 8l-4 4 4 4-1.400 1.400L3.200 12zM15.400 6.600 14 8l4 4-4 4 1.400 1.400L20.800 12z",
  swap: "M7 5.500 3 9l4 3.500V10h9V8H7zm10 6L21 15l-4 3.500V16H8v-2h9z",
  rename: "M4 16.300V20h3.700L18 9.700 14.300 6zM20.700 7a1 1 0 0 0 0-1.400l-2.300-2.300a1 1 0 0 0-1.400 0l-1.600 1.600 3.700 3.700z",
  lock: "M7 10V8a5 5 0 0 1 10 0v2h2v11H5V10zm2 0h6V8a3 3 0 0 0-6 0zm-2 2v7h10v-7z",
  loop: "M7 7h8V4l5 4.500L15 13v-3H9v3H7zm10 10H9v3l-5-4.500L9 11v3h6v-3h2z",
};

export function icon(name: string): SVGSVGElement {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", PATHS[name] ?? "");
  path.setAttribute("fill-rule", "evenodd");
  svg.append(path);
  return svg;
}

export function iconButton(name: string, label: string, test: string, onClick: () => void, keys = ""): HTMLButtonElement {
  const title = keys ? `${label} (${keys})` : label;
  return h(
    "button",
    { type: "button", class: "icon", "aria-label": label, title, "data-test": test, onClick },
    icon(name),
  );
}

/** A row of buttons of which one is pressed. */
export function segments(
  test: string,
  label: string,
  options: { value: string; label: string }[],
  onChoose: (value: string) => void,
): { element: HTMLElement; set(value: string): void } {
  const buttons = options.map(({ value, label: text }) =>
    h(
      "button",
      {
        type: "button", role: "radio", "data-value": value, "data-test": `${test}-${value}`,
        onClick: () => onChoose(value),
      },
      text,
    ),
  );
  const element = h("div", { class: "segments", role: "radiogroup", "aria-label": label, "data-test": test }, ...buttons);
  return {
    element,
    set(value: string) {
      element.dataset["value"] = value;
      for (const button of buttons) {
        button.setAttribute("aria-checked", String(button.dataset["value"] === value));
      }
    },
  };
}

let idCount = 0;
export const newId = (): string => `m${++idCount}`;

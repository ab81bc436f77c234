/** The row of the panel that shows and selects the engine of a page. */

import type { EngineChannel } from "../channel/engines";
import type { EngineChoice } from "../webgpu/engineaddress";
import { h, newId, segments } from "./dom";
import { term } from "./term";
import { mark, t, tv } from "../words";

const ABOUT = mark(
  "What simulates the flock. WebGPU runs on the graphics card, with up to {most} boids in all; WebAssembly on the processor, with up to {fewer}. Changing it begins the flock again, with its numbers and seed.",
);

/** `channels`: to the flocks of the page, of which the first one is shown. */
export function engineRow(channels: EngineChannel[]): HTMLElement {
  const [first] = channels as [EngineChannel];
  const options: { value: EngineChoice; label: string }[] = [{ value: "gpu", label: "WebGPU" }, { value: "wasm", label: "WebAssembly" }];
  const choice = segments("engine", t("Engine"), options, (value) => {
    for (const channel of channels) channel.choose(value as EngineChoice);
  });
  const { most, fewer } = first.limits;
  const { label, note } = term(t("engine"), tv(ABOUT, { most, fewer }));
  const without = h("p", { class: "note", id: newId(), "data-test": "engine-why" });
  const button = choice.element.querySelector<HTMLButtonElement>("[data-value=gpu]")!;
  const show = (): void => {
    choice.set(first.engine);
    const { device, why } = first.engines;
    button.disabled = device === null;
    without.hidden = device !== null;
    without.textContent = device === null ? `${why} ${t("WebAssembly simulates the flock.")}` : "";
  };
  button.setAttribute("aria-describedby", without.id);
  first.onEngine = show;
  show();
  return h("div", { class: "row engines" }, label, choice.element, note, without);
}

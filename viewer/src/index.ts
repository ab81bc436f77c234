/** murmurate's viewer: one module for the live view, the notebook and the page that simulates. */

import { bareIn } from "./page/flockonly";
import type { Channel } from "./channel/channel";
import { SocketChannel, socketUrl } from "./channel/websocket";
import { WidgetChannel, type WidgetModel } from "./channel/widget";
import { channelOf, flightIn, supportsWasm } from "./page/flightpage";
import type { EngineChannel } from "./channel/engines";
import { engineRow } from "./ui/enginerow";
import { formatNumber, nameOf } from "./controls/specs";
import { copyText } from "./page/copying";
import { paceOf } from "./page/embedding";
import { h, icon, newId } from "./ui/dom";
import { addScript } from "./webgpu/opendevice";
import type {} from "./tasks/kit";
import { Live } from "./live";
import { changesOfPage, Tools } from "./page/tools";
import { fillWindow, isAlone, speak, type Mounted } from "./page/mounting";
import { languageNow, spaced, t, tm, tn } from "./words";
import type { FlightHead } from "./wire/contracts";

export { speak };
export type { Channel };

export function mountLive(root: HTMLElement, options: { url: string }): Mounted {
  fillWindow(root);
  const channel = new SocketChannel(socketUrl(options.url, location.href));
  return new Live(root, channel, { keys: document });
}

/** Any transport; keys act while the view has the focus. */
export function mountOn(root: HTMLElement, channel: Channel): Mounted {
  if (!root.style.height && root.clientHeight < 200) root.style.height = "560px";
  return new Live(root, channel);
}

/** A flock that is simulated in the page. If it cannot be, the contents of the page remain. */
export async function mountFlight(root: HTMLElement, head: FlightHead, text: string): Promise<Mounted> {
  if (!supportsWasm()) throw new Error(t("this browser has no WebAssembly with SIMD"));
  const alone = isAlone(root);
  const packed = await flightIn(text);
  const { changes, wrong } = changesOfPage();
  const { worker } = packed;
  const begin = await channelOf(worker, packed, changes);
  const second = { ...changes?.beside, ...(changes?.seed && { seed: changes.seed }) };
  const other = packed.second ? await channelOf(worker, packed.second, second) : undefined;
  if (alone) fillWindow(root);
  const channels = [begin()];
  const channel = channels[0]!;
  const beside = other && ((): EngineChannel => channels[channels.push(other()) - 1]!);
  const { task } = packed;
  const tools = new Tools(head.name, packed.seed, changes, wrong, engineRow(channels));
  const live = new Live(root, channel, { tools, beside, bare: bareIn(location.hash), ...(alone && { keys: document }) });
  if (task) {
    addScript(task.script);
    globalThis.murmurateTask?.({ h, icon, newId, nameOf, formatNumber, paceOf, copyText, t, tn, tm, languageNow, spaced }, live, task);
  }
  return live;
}

/** anywidget. */
async function render({ model, el }: { model: WidgetModel; el: HTMLElement }): Promise<() => void> {
  const root = document.createElement("div");
  root.style.height = "560px";
  el.append(root);
  await speak(model.get("words"));
  const mounted = new Live(root, new WidgetChannel(model));
  return () => mounted.dispose();
}

export default { render };

/** The viewer of replays, which need nothing of a flock that is simulated. */

import { fillWindow, isAlone, speak, type Mounted } from "./page/mounting";
import { Player } from "./player";
import type { ReplayHead } from "./wire/contracts";

export { speak };

export function mountReplay(root: HTMLElement, head: ReplayHead, payload: string): Mounted {
  const alone = isAlone(root);
  if (alone) fillWindow(root);
  else if (!root.style.height && root.clientHeight < 200) root.style.height = "560px";
  return new Player(root, head, payload, alone ? document : undefined);
}

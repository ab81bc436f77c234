/** What is added to a live view from outside, and what it is given of it. */

import type { KeptPart } from "./keptsettings";
import type { Requests } from "./requests";
import type { Shell } from "./shell";
import type { Viewport } from "../scene/viewport";
import type { ViewSettings } from "../scene/viewsettings";
import type { SceneMessage, StatusMessage } from "../wire/contracts";
import type { ReachedMessage } from "../wire/messages";

/** The live view, as an added part sees it. */
export interface LiveView {
  readonly shell: Shell;
  readonly requests: Requests;
  readonly settings: ViewSettings;
  readonly kept: KeptPart;
  readonly viewport: Viewport | null;
  readonly scene: SceneMessage | null;
}

export interface LivePart {
  /** For the panel: a row under the flock, and buttons. */
  readonly row: HTMLElement;
  readonly buttons: HTMLElement[];
  /** The live view has its first scene, and so has a flight of another flock beside it. */
  attach(live: LiveView, beside?: LiveView): void;
  status(status: StatusMessage): void;
  reached(message: ReachedMessage): void;
  dispose(): void;
}

/** The chosen boid: its identity in all views, and the card that shows what it senses. */

import { BoidCard } from "../ui/boidcard";
import { choicesOf } from "../ui/viewrows";
import type { Viewport } from "../scene/viewport";
import type { Frame, Identity } from "../wire/frame";
import type { ViewSettings } from "../scene/viewsettings";
import type { BoidMessage, SceneMessage } from "../wire/contracts";
import { tm } from "../words";

/** The parts of the live view that a chosen boid needs. */
interface Chooser {
  readonly settings: ViewSettings;
  readonly viewport: Viewport | null;
  /** All that show its boids. */
  readonly viewports: Viewport[];
  readonly scene: SceneMessage | null;
}

export class ChosenBoid {
  readonly card = new BoidCard(() => this.pick(null), () => this.live.settings.choose({ follow: "boid" }));

  /** `choose`: request what a boid senses; null: nothing. */
  constructor(private readonly live: Chooser, private readonly choose: (boid: Identity | null) => void) {}

  pick(boid: number | null): void {
    const { viewport, viewports, scene, settings } = this.live;
    if (!viewport || !scene) return;
    const had = viewport.chosen !== null;
    const who = boid === null ? null : viewport.rows.identity(boid);
    for (const one of viewports) one.choose(who);
    viewport.overlay.boid = null;
    this.card.hide();
    for (const one of viewports) one.redraw();
    if (boid === null && settings.choices.follow === "boid") settings.choose({ follow: choicesOf(scene.view).follow });
    if (boid !== null || had) this.choose(who);
  }

  show(message: BoidMessage): void {
    const { viewport } = this.live;
    if (!viewport || viewport.chosen === null) return;
    viewport.overlay.boid = message;
    viewport.overlay.neighbourIds = message.neighbour_ids ?? null;
    this.card.show(message, viewport.overlay, viewport.picture.look);
    viewport.redraw();
  }

  /** The chosen boid has left. */
  left({ flock, id }: Identity, { time }: Frame): void {
    const { viewport, scene, settings } = this.live;
    if (!viewport || !scene) return;
    viewport.overlay.boid = viewport.overlay.neighbourIds = null;
    this.card.showLeft(`${tm(scene.flocks[flock]?.name ?? "")} ${id}`, time);
    if (settings.choices.follow === "boid") settings.choose({ follow: choicesOf(scene.view).follow });
    this.choose(null);
  }
}

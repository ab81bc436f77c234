/** The choices of how the flock is shown, put into effect; live view and player share it. */

import type { Shell } from "./shell";
import type { Theatre } from "./theatre";
import { choicesOf, type ViewChoices, type ViewRows } from "./ui/viewrows";
import type { SceneCore } from "./wire/messages";

export class Viewing {
  choices: ViewChoices = choicesOf({});

  constructor(
    private readonly shell: Shell,
    private readonly rows: () => ViewRows,
    private readonly theatre: () => Theatre | null,
    /** Called when colours or styles of a scene have changed. */
    private readonly changed: (before: ViewChoices, styled: boolean) => void = () => undefined,
  ) {}

  choose(change: Partial<ViewChoices>): void {
    const theatre = this.theatre();
    if (!theatre) return;
    const { scene } = theatre;
    if (change.follow === "boid" && theatre.chosen === null) {
      this.shell.notices.say("Click on a boid to follow it.", { about: "follow" });
      return this.rows().show(this.choices, scene);
    }
    const before = this.choices;
    this.choices = { ...before, ...change };
    const { style, colourBy, trails, box, follow, turning } = this.choices;
    this.shell.setStyle(style);
    Object.assign(theatre.picture, { colourBy, trails, box });
    if (follow !== theatre.camera.state.follow) theatre.camera.setFollow(follow);
    if (change.turning !== undefined) {
      theatre.camera.turning = turning;
      if (turning && theatre.camera.turn === 0) theatre.camera.turn = 4;
    }
    this.rows().show(this.choices, scene);
    const styled = change.style !== undefined;
    if (styled) {
      const names = scene.flocks.map((flock) => flock.name);
      this.shell.charts.enter(names, this.shell.chartColours(scene, style));
    }
    this.changed(before, styled);
    theatre.redraw();
  }

  home(scene: SceneCore | null): void {
    this.theatre()?.camera.reset();
    this.choose({ follow: choicesOf(scene?.view ?? {}).follow });
  }

  /** A new scene; another flock brings its own view. */
  enter(scene: SceneCore, fresh: boolean): void {
    this.choose(fresh ? choicesOf(scene.view) : { ...this.choices });
  }
}

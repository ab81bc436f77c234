/** View settings: the choices of how the flock is shown, applied; live view and player share them. */

import type { Shell } from "../page/shell";
import type { Viewport } from "./viewport";
import { choicesOf, type ViewChoices, type ViewRows } from "../ui/viewrows";
import { colourIn, placeOf, WORDS } from "../look/pernumber";
import type { SceneCore } from "../wire/contracts";
import type { ColourBy } from "../look/styles";
import { t, tm } from "../words";

export class ViewSettings {
  choices: ViewChoices = choicesOf({});
  /** Whether a table shows the boids, and so their neighbours. */
  table = false;

  constructor(
    private readonly shell: Shell,
    private readonly rows: () => ViewRows,
    private readonly viewport: () => Viewport | null,
    /** Called when colours or styles of a scene have changed. */
    private readonly changed: (before: ViewChoices, styled: boolean) => void = () => undefined,
  ) {}

  choose(change: Partial<ViewChoices>): void {
    const viewport = this.viewport();
    if (!viewport) return;
    const { scene } = viewport;
    if (change.follow === "boid" && viewport.chosen === null) {
      this.shell.notices.say(t("Click on a boid to follow it."), { about: "follow" });
      return this.rows().show(this.choices, scene);
    }
    const before = this.choices;
    this.choices = { ...before, ...change };
    const { style, colourBy, trails, box, follow, turning } = this.choices;
    this.shell.setStyle(style);
    for (const one of this.shell.viewports) {
      const which = placeOf(one.scene, colourBy);
      const by = which >= 0 ? "value" : (WORDS as readonly string[]).includes(colourBy) ? (colourBy as ColourBy) : "flock";
      Object.assign(one.picture, { colourBy: by, which, trails, box });
      one.setRanges();
    }
    for (const { camera, chosen } of this.shell.viewports) {
      if (follow !== camera.state.follow && (follow !== "boid" || chosen !== null)) camera.setFollow(follow);
      if (change.turning === undefined) continue;
      camera.turning = turning;
      if (turning && camera.turn === 0) camera.turn = 4;
    }
    this.rows().show(this.choices, scene);
    const styled = change.style !== undefined;
    if (styled) {
      const names = scene.flocks.map((flock) => tm(flock.name));
      this.shell.charts.enter(scene.charts, names, this.shell.chartColours(scene, style));
    }
    this.changed(before, styled);
    for (const one of this.shell.viewports) one.redraw();
  }

  /** What frames are to hold for the colours. */
  get extra(): { neighbours: boolean; number: string } {
    const { colourBy } = this.choices;
    return { neighbours: this.table || colourBy === "neighbours", number: (WORDS as readonly string[]).includes(colourBy) ? "" : colourBy };
  }

  home(scene: SceneCore | null): void {
    // The page's own flight last: a twin moves as it does.
    for (const { camera } of this.shell.viewports.reverse()) camera.reset();
    this.choose({ follow: choicesOf(scene?.view ?? {}).follow });
  }

  /** A new scene; another flock brings its own view. */
  enter(scene: SceneCore, fresh: boolean): void {
    const choices = fresh ? choicesOf(scene.view) : { ...this.choices };
    this.choose({ ...choices, colourBy: colourIn(scene, choices.colourBy) });
  }
}

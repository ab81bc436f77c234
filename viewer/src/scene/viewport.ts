/** The viewport: canvas, camera and the drawing loop. Live view and replay share it; they differ in
 * where the moments come from. */

import { Camera } from "../camera/camera";
import type { Insets, Shot } from "../camera/projection";
import { css } from "../look/colours";
import { MANY_BOIDS } from "../look/shapes";
import { colourScale } from "../look/pernumber";
import { lookOf } from "./backdrop";
import { Detail } from "./detail";
import { LOOKS, skyOf } from "../look/styles";
import { total } from "./flocks";
import { FrameRate } from "./framerate";
import { Overlay, type OverlaySource } from "./overlay";
import { periodOf } from "./period";
import { pickBoid } from "./pick";
import { ColourRanges } from "../page/colourranges";
import { RendererSlot } from "./rendererslot";
import { whenSeen } from "../page/visibility";
import { firstPicture, type Picture, type Renderer } from "./renderer";
import { FrameRows, Selection } from "../page/selection";
import type { Moment } from "../state/feed";
import { isHidden, type Frame, type Identity, type Vec3 } from "../wire/frame";
import type { ObstacleInfo, SceneCore } from "../wire/contracts";
import type { Style } from "../look/styles";
import { placeBetween } from "../wire/torus";

export interface ViewportCalls {
  /** The moment to draw; null: nothing yet. */
  take(at: number, refresh: number): Moment | null;
  /** After each drawing. */
  drawn?(fresh: boolean): unknown;
}

const COARSE = 0.7; // columns and rows of a coarse picture without a graphics card, over those of a whole one

/** The last step that is drawn to. */
const lastStep = ({ boids, now }: Moment): number => boids?.steps[1] ?? now.step;

export class Viewport implements OverlaySource {
  readonly element: HTMLElement;
  readonly overlay: Overlay;
  readonly picture: Picture;
  camera: Camera;
  scene: SceneCore;
  style: Style = "dark";
  playing = true;
  readonly selection = new Selection();
  moment: Moment | null = null;
  readonly pace = new FrameRate();
  detail = new Detail();
  shot!: Shot;
  private readonly slot: RendererSlot;
  private dirty = true;
  private jumped = false;
  private running = true;
  private last = 0;
  private refresh = 1000 / 60;
  private between = 1;
  private size = { width: 1, height: 1 };
  private side = 1;
  private obstacles: ObstacleInfo[] = [];
  /** Called after each drawing, with its time in milliseconds. */
  afterDrawing: (at: number) => unknown = () => undefined;
  /** Notify the user. */
  say: (text: string) => unknown = () => undefined;
  insets: Insets = { left: 0, right: 0, top: 0, bottom: 0 };
  private ranges = new ColourRanges();
  private readonly motion = matchMedia("(prefers-reduced-motion: reduce)");
  private readonly unwatch: () => void;

  constructor(
    private readonly calls: ViewportCalls,
    scene: SceneCore,
  ) {
    this.scene = scene;
    this.element = document.createElement("div");
    this.element.className = "scene";
    this.picture = firstPicture(LOOKS.dark);
    // Very many small boids do without smooth edges.
    this.slot = new RendererSlot({
      wanted: () => ({ antialias: total(this.scene) <= MANY_BOIDS, clear: this.picture.look.sky.length > 1 }),
      replaced: () => this.replaced(),
      redraw: () => this.redraw(),
      say: (text) => this.say(text),
    });
    this.overlay = new Overlay();
    const { canvas, marks } = this.overlay;
    this.element.append(this.picture.backdrop.canvas, this.renderer.canvas, canvas, marks.element);
    this.camera = new Camera(scene);
    this.shot = this.camera.shot();
    this.enter(scene, true);
    requestAnimationFrame(this.loop);
    this.unwatch = whenSeen(this.element, (seen) => (seen ? this.wake() : this.rest()));
  }

  get renderer(): Renderer {
    return this.slot.renderer;
  }

  /** Why there is no WebGL, if that is so. */
  get whyFlat(): string {
    return this.slot.whyFlat;
  }

  /** It is hidden: nothing is drawn, so no steps are requested either. */
  private rest(): void {
    if (!this.running) return;
    this.running = false;
    if (this.renderer.kind === "canvas") return;
    this.redrawNow(); // what WebGL has drawn can be read until the browser has shown it
    this.slot.rest();
  }

  private wake(): void {
    if (this.running) return;
    this.running = true;
    this.last = 0;
    this.slot.wake();
    this.redraw();
    requestAnimationFrame(this.loop);
  }

  /** Choose a boid; null: none. */
  choose(boid: Identity | null): void {
    this.selection.choose(boid, this.frame, this.scene.flocks);
    this.redraw();
  }
  /** Row of the chosen boid in the frame. */
  get chosen(): number | null {
    return this.selection.row;
  }

  get rows(): FrameRows {
    return new FrameRows(this.frame, this.scene.flocks);
  }

  /** Boids that are there now. */
  get present(): number { return this.frame?.present ?? total(this.scene); }

  /** The ranges of the colours, of what was seen. */
  setRanges(): void {
    Object.assign(this.picture, colourScale(this.scene, this.picture, this.ranges));
  }

  /** A new scene. `fresh`: another flock, which the camera frames; else it stays. */
  enter(scene: SceneCore, fresh: boolean): void {
    this.scene = scene;
    this.picture.look = lookOf(this.style, scene);
    this.slot.renew();
    const before = this.camera;
    this.camera = new Camera(scene);
    if (!fresh) this.camera.takeOver(before);
    this.camera.still = this.motion.matches;
    this.camera.resize(this.size.width, this.size.height, this.insets);
    this.obstacles = scene.obstacles;
    this.fill(null);
    this.ranges = new ColourRanges();
    this.moment = null;
    this.detail = new Detail();
    this.fit();
    this.redraw();
  }

  /** Is seen as another viewport is: its camera's moves, its ranges of colours. */
  seeAs(other: Viewport): void {
    this.camera.follow(other.camera);
    this.ranges = other.ranges;
    this.setRanges();
    this.redraw();
  }

  /** Shows obstacles; without any given, those shown last. Ghosts are drawn by the overlay instead. */
  setObstacles(obstacles = this.obstacles): void {
    this.obstacles = obstacles;
    this.renderer.setObstacles(obstacles.filter(({ name }) => !this.overlay.ghosts?.names.has(name)));
    this.redraw();
  }

  setStyle(style: Style): void {
    this.style = style;
    this.picture.look = lookOf(style, this.scene);
    // A sky of many colours is the page's own background, painted once and not in every frame.
    this.element.style.background = skyOf(this.picture.look);
    this.slot.renew();
    this.redraw();
  }

  /** Give a new renderer what it should draw. */
  private fill(moment = this.moment): void {
    this.picture.backdrop.canvas.style.visibility = this.renderer.kind === "canvas" ? "hidden" : ""; // it has the scenery
    this.renderer.enter(this.scene);
    this.setObstacles();
    if (moment) this.slot.show(moment, true);
  }

  private replaced(): void {
    this.fit();
    this.fill();
    this.redraw();
  }

  redraw(): void {
    this.dirty = true;
  }

  /** The next moment does not follow on this one: no trail leads there. */
  cut(): void {
    this.jumped = true;
    this.redraw();
  }

  /** `side`: what darts are in proportion to. */
  resize(width: number, height: number, insets: Insets, side: number): void {
    this.size = { width, height };
    this.side = side;
    this.insets = insets;
    this.camera.resize(width, height, insets);
    this.fit();
    this.redraw();
  }

  dispose(): void {
    this.unwatch();
    this.running = false;
    this.renderer.dispose();
  }

  /** Where a boid is drawn now; null when there is no such boid. */
  positionOf(boid: number): Vec3 | null {
    const moment = this.moment;
    if (!moment || boid < 0 || boid >= moment.now.count) return null;
    if (isHidden(moment.before, moment.now, boid, moment.part)) return null;
    const period = periodOf(this.scene);
    return placeBetween(moment.before, moment.now, boid, moment.part, period, this.camera.imageCentre);
  }

  /** The colour of a rule's arrow, as CSS. */
  ruleColour(rule: string): string {
    return css(this.overlay.colourOf(rule, this.picture.look.arrows));
  }

  pick(x: number, y: number, reach: number, first = 0, count = Infinity): number | null {
    if (!this.moment) return null;
    const period = periodOf(this.scene);
    return pickBoid(this.shot, this.moment, period, this.camera.imageCentre, x, y, reach, first, count);
  }

  get frame(): Frame | null { return this.moment?.now ?? null; }

  private fit(): void {
    const plain = this.renderer.kind === "canvas";
    const density = Math.min(devicePixelRatio || 1, plain ? 1.5 : 2);
    this.renderer.resize(this.size.width, this.size.height, plain && this.detail.coarse ? COARSE * density : density);
    this.overlay.resize(this.size.width, this.size.height);
  }

  private readonly loop = (at: number): void => {
    if (!this.running) return;
    requestAnimationFrame(this.loop);
    const elapsed = this.last > 0 ? at - this.last : 16;
    this.last = at;
    this.refresh += 0.1 * (Math.min(200, elapsed) - this.refresh);
    const moment = this.calls.take(at, this.refresh);
    const rotates = this.playing && !this.overlay.sketch; // what is being drawn keeps its place
    const moved = this.camera.ease(elapsed / 1000, rotates);
    const turning = this.camera.turning && rotates && !this.camera.still;
    if (this.detail.isDue(at)) this.dirty = true;
    const last = this.moment;
    const fresh = moment !== null && (moment.fresh || !last || moment.boids !== last.boids);
    const between = moment?.boids?.between ?? moment?.part ?? 1;
    if (!moment || !(this.dirty || moved || turning || fresh || between !== this.between)) {
      if (!moment && (this.dirty || moved)) this.redrawNow();
      return;
    }
    this.between = between;
    const cut = this.jumped || !last || lastStep(moment) < lastStep(last) || moment.now.layout !== last.now.layout;
    this.jumped = false;
    if (fresh) this.slot.show(moment, cut);
    if (moment.boids !== last?.boids) this.slot.checkColours(this.picture);
    if ((moment.fresh || !last) && this.ranges.look(moment.now, this.scene, cut)) this.setRanges();
    this.moment = moment;
    if (moment.fresh) this.selection.find(moment.now, this.scene.flocks);
    const boid = this.chosen === null ? null : this.positionOf(this.chosen);
    this.camera.look(moment.now, elapsed / 1000, boid);
    this.redrawNow();
    this.pace.count(at);
    this.calls.drawn?.(moment.fresh);
    this.afterDrawing(at);
  };

  /** Draw at once, for example before the canvas is read. `whole`: with all pixels, also on a slow machine. */
  redrawNow(whole = false): void {
    if (this.detail.begin(whole)) this.fit();
    this.dirty = false;
    this.shot = this.camera.shot();
    this.picture.magnified = this.camera.state.zoom;
    const { imageCentre, fixed } = this.camera;
    this.picture.backdrop.draw(this.scene, this.picture.look, this.shot, this.detail.coarse);
    this.renderer.draw({ shot: this.shot, picture: this.picture, part: this.moment?.part ?? 1, imageCentre, fixed, side: this.side });
    this.overlay.draw(this);
    this.detail.end();
  }
}

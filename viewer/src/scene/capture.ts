/** Pictures and clips of the scene, made by the browser itself. */

import { css, ramp } from "../look/colours";
import type { Look } from "../look/styles";
import type { Viewport } from "./viewport";
import { t } from "../words";

const FPS = 30;
const PIECE = 500; // milliseconds from one piece of a clip to the next
const PATIENCE = 10_000; // milliseconds for the first one, on a busy machine
const FORMATS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];

/** The sky, the flock and the marks on it, in one canvas. `whole`: with all pixels, of which the canvas gets the size. */
function compose(viewport: Viewport, into: HTMLCanvasElement, whole: boolean): void {
  viewport.redrawNow(whole); // a WebGL canvas can be read only right after it was drawn
  const { canvas } = viewport.renderer;
  if (whole) [into.width, into.height] = [canvas.width, canvas.height];
  const pen = into.getContext("2d")!;
  paintSky(pen, viewport.picture.look, into.width, into.height);
  const { backdrop } = viewport.picture;
  if (!backdrop.canvas.hidden) pen.drawImage(backdrop.canvas, 0, 0, into.width, into.height);
  pen.drawImage(canvas, 0, 0, into.width, into.height);
  if (!viewport.overlay.canvas.hidden) pen.drawImage(viewport.overlay.canvas, 0, 0, into.width, into.height);
}

/** The sky of `skyOf` as CSS. */
function paintSky(pen: CanvasRenderingContext2D, look: Look, width: number, height: number): void {
  const sky = pen.createLinearGradient(0, 0, 0, height);
  ramp(look.sky, 33, look.skyAt).forEach((colour, k) => sky.addColorStop(k / 32, css(colour)));
  pen.fillStyle = look.sky.length > 1 ? sky : css(look.sky[0]!);
  pen.fillRect(0, 0, width, height);
  if (look.glowStrength === 0) return;
  pen.save();
  pen.translate(0.68 * width, 0.98 * height);
  pen.scale(0.84 * width, 0.68 * height);
  const glow = pen.createRadialGradient(0, 0, 0, 0, 0, 1);
  for (const at of [0, 0.25, 0.5, 0.75, 1]) {
    glow.addColorStop(at, css(look.glow, at === 1 ? 0 : look.glowStrength * Math.exp(-1.4 * (2 * at) ** 2)));
  }
  pen.fillStyle = glow;
  pen.fillRect(-2, -2, 4, 4);
  pen.restore();
}

/** The picture as it is now, a PNG. */
export async function still(viewport: Viewport): Promise<Blob> {
  const canvas = document.createElement("canvas");
  compose(viewport, canvas, true);
  return new Promise((done, failed) => {
    canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error(t("this browser cannot make a PNG")))), "image/png");
  });
}

/** Whether this browser records clips. */
export const records = (): boolean => typeof MediaRecorder !== "undefined" && "captureStream" in HTMLCanvasElement.prototype;

/** A clip that is being recorded, until it is stopped. */
export class Clip {
  private readonly recorder: MediaRecorder;
  private readonly pieces: Blob[] = [];
  private readonly canvas = document.createElement("canvas");
  private running = true;
  private readonly begun: Promise<void>;

  constructor(private readonly viewport: Viewport) {
    compose(viewport, this.canvas, true);
    const mimeType = FORMATS.find((format) => MediaRecorder.isTypeSupported(format));
    this.recorder = new MediaRecorder(this.canvas.captureStream(FPS), { mimeType, videoBitsPerSecond: 8_000_000 });
    this.begun = new Promise((done) => {
      this.recorder.ondataavailable = ({ data }) => {
        this.pieces.push(data);
        if (data.size > 0) done();
      };
    });
    this.recorder.start(PIECE);
    requestAnimationFrame(this.follow);
  }

  private readonly follow = (): void => {
    if (!this.running) return;
    compose(this.viewport, this.canvas, false);
    requestAnimationFrame(this.follow);
  };

  /** Its bytes, and the ending of its file name. A clip lasts at least as long as the browser takes to write its
   * first piece. */
  async stop(): Promise<{ blob: Blob; suffix: string }> {
    await Promise.race([this.begun, new Promise((late) => setTimeout(late, PATIENCE))]);
    this.running = false;
    const ended = new Promise((done) => (this.recorder.onstop = done));
    this.recorder.stop();
    await ended;
    const type = this.recorder.mimeType.split(";")[0]!;
    return { blob: new Blob(this.pieces, { type }), suffix: type.endsWith("mp4") ? ".mp4" : ".webm" };
  }
}

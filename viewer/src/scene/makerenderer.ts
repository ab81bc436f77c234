/** Which of the renderers draws here. */

import { GlRenderer } from "../gl/renderer";
import { isSoftware } from "../gl/software";
import type { Renderer } from "./renderer";
import { CanvasRenderer } from "../soft/renderer";
import { WebGpuRenderer } from "../webgpu/renderer";
import { t } from "../words";

/** `draw=gl`, `draw=webgpu` or `draw=canvas` in the address after #: one of the renderers, whatever is better. */
export const requestedRenderer = (): string => /\bdraw=(\w+)/.exec(location.hash)?.[1] ?? "";

export interface RendererOptions {
  /** Smooth edges. */
  antialias: boolean;
  /** The sky behind it shines through. */
  clear: boolean;
  /** Draw with WebGPU on this device. */
  device: GPUDevice | null;
  /** Why there is no WebGL, where that is known. */
  whyFlat: string;
  /** The graphics card is available again: the picture must be drawn. */
  restored(): void;
  /** WebGPU does not draw any more, and why. */
  lost(why: string): void;
  /** There is no WebGL, and why. */
  flat(why: string): void;
}

/** WebGL that the processor computes is much slower than what the processor draws by itself. */
export function makeRenderer({ antialias, clear, device, whyFlat, restored, lost, flat }: RendererOptions): Renderer {
  if (device) return new WebGpuRenderer(device, { antialias, clear, lost });
  const plain = whyFlat !== "" || requestedRenderer() === "canvas" || (requestedRenderer() !== "gl" && isSoftware());
  if (plain) return new CanvasRenderer();
  try {
    return new GlRenderer(antialias, clear, restored);
  } catch {
    flat(t("This browser does not support WebGL 2, or graphics acceleration is switched off in its settings, so the flock is drawn on a plain 2-D canvas. Everything else works."));
    return new CanvasRenderer();
  }
}

/** The states of a flock that is simulated on a graphics card, where they are: what the WebGPU renderer draws
 * without any of it passing through JavaScript. */

/** Two successive states. A pair of other states is another object; only `between` changes in one. */
export interface DeviceBoids {
  readonly device: GPUDevice;
  /**
   * Two vec4 (32 bytes) for each boid, in the order of the scene's flocks: position and id bits; velocity and
   * (flock index | timer << 8) bits. Usage STORAGE | COPY_SRC. Their contents stay until another pair is shown.
   */
  readonly before: GPUBuffer;
  readonly now: GPUBuffer;
  readonly count: number;
  /** Steps of the two states: wings beat and birds lean by them. */
  readonly steps: readonly [before: number, now: number];
  /** Where between the two states boids are drawn, 0 to 1. */
  between: number;
  /** An f32 for each boid, for its colour, and what it is: neighbours, or the place in the scene's `per_boid`.
   * Not finite: it has none. */
  readonly numbers?: { readonly buffer: GPUBuffer; readonly of: "neighbours" | number } | undefined;
}

/** Blends sprites into the image in memory. */

/** Strength from which a pixel of a shape hides what lies behind it. */
export const SOLID = 100;

/** Blends the pixels of a sprite over the image. */
export function blendSprite(colours: Int32Array, marks: Int32Array, from: number, to: number, here: number, colour: number, strength: number): void {
  const [paint, other] = colour >> 24 === 0 ? [colour, colour] : folded(colour);
  for (let k = from; k < to; k++) {
    const mark = marks[k]!;
    const at = here + (mark >> 9);
    const s = (((mark & 255) + 1) * strength) >>> 8;
    const keep = 256 - s;
    const ink = (mark & 256) !== 0 ? other : paint;
    const old = colours[at]!;
    const rb = (Math.imul(ink & 0xff00ff, s) + Math.imul(old & 0xff00ff, keep)) >>> 8;
    const g = Math.imul((ink >>> 8) & 255, s) + Math.imul((old >>> 8) & 255, keep);
    colours[at] = 0xff000000 | (rb & 0xff00ff) | (g & 0xff00);
  }
}

export function writeDepths(depths: Float32Array, marks: Int32Array, from: number, to: number, here: number, depth: number): void {
  for (let k = from; k < to; k++) {
    if ((marks[k]! & 255) > SOLID) depths[here + (marks[k]! >> 9)] = depth;
  }
}

/** A colour on the two sides of a fold. */
export function folded(colour: number): [number, number] {
  const fold = (colour >> 24) / 127;
  const side = (by: number): number => {
    const channel = (shift: number): number => Math.min(255, Math.round(((colour >>> shift) & 255) * by)) << shift;
    return channel(16) | channel(8) | channel(0);
  };
  return [side(1 + fold), side(1 - fold)];
}

/** Where the scene is on the page: one flight, or two beside or above each other, between the panels. */

import type { Insets } from "../camera/projection";

/** The page, and how much of its sides is covered. */
export interface Room extends Insets {
  width: number;
  height: number;
}

/** A part of the page, and how much of its sides is covered. `side`: what darts are in proportion to. */
export interface Part extends Room {
  x: number;
  y: number;
  side: number;
}

/** What darts are in proportion to: the shorter side. A narrow, high picture, as on a phone, has more room
 * than that. */
export const sideOf = (width: number, height: number): number =>
  Math.max(Math.min(width, height), width < 520 && height > 1.3 * width ? Math.min(720, 1.1 * Math.sqrt(width * height)) : 0);

/** Two parts with room for as much each: side by side, or above each other where the room is higher than
 * wide. `caption`: pixels above the lower one. */
export function halvesOf(room: Room, caption: number): [Part, Part] {
  const { width, height, left, right, top, bottom } = room;
  const across = width - left - right;
  const down = height - top - bottom;
  if (across >= down) {
    const cut = Math.round(left + across / 2);
    const side = Math.min(across / 2, down);
    return [
      { x: 0, y: 0, width: cut, height, left, right: 0, top, bottom, side },
      { x: cut, y: 0, width: width - cut, height, left: 0, right, top, bottom, side },
    ];
  }
  const half = (down - caption) / 2;
  const cut = Math.round(top + half);
  const side = Math.min(across, half);
  return [
    { x: 0, y: 0, width, height: cut, left, right, top, bottom: 0, side },
    { x: 0, y: cut, width, height: height - cut, left, right, top: caption, bottom, side },
  ];
}

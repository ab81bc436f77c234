/** Readers who asked their system for less motion: pages start paused for them. */

/** Whether a page starts paused. `play` in the address after #: the reader has pressed a button of the page around. */
export const startsPaused = (): boolean =>
  matchMedia("(prefers-reduced-motion: reduce)").matches && !new URLSearchParams(location.hash.slice(1)).has("play");

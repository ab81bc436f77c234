/** What a page that is a part of another one tells it: that the flock flies, and what was changed of it. */

export function tellPageAround(message: { murmurate: "flies" } | { murmurate: "link"; flock: string }): void {
  if (window.parent !== window) window.parent.postMessage(message, "*");
}

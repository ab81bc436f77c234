/** Whether an element is in sight: on the screen, and not scrolled out of it, also as a part of another page. */

/** Calls `changed` when that changes; an element counts as seen until the browser says otherwise. Returns what ends it. */
export function whenSeen(element: Element, changed: (seen: boolean) => void): () => void {
  if (typeof IntersectionObserver === "undefined") return () => undefined;
  const observer = new IntersectionObserver((entries) => changed(entries[entries.length - 1]!.isIntersecting));
  observer.observe(element);
  return () => observer.disconnect();
}

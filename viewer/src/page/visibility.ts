/** Whether an element is in sight: on the screen, and not scrolled out of it, also as a part of another page. */

/** Call `changed` when an element becomes visible or hidden; it counts as visible until the browser reports
 * otherwise. Returns a function that ends it. */
export function whenSeen(element: Element, changed: (seen: boolean) => void): () => void {
  if (typeof IntersectionObserver === "undefined") return () => undefined;
  const observer = new IntersectionObserver((entries) => changed(entries[entries.length - 1]!.isIntersecting));
  observer.observe(element);
  return () => observer.disconnect();
}

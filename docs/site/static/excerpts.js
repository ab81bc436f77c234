/* The search page: below each result a part of its page in which the searched words stand, marked. */
(() => {
  "use strict";
  const LONG = 190; // letters of an excerpt
  const results = document.getElementById("search-results");
  const words = (new URLSearchParams(location.search).get("q") ?? "").toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? [];
  if (!results || words.length === 0 || !window.searchTexts) return;
  /* The search finds word stems: 'flocks' finds 'flock'. */
  const stems = words.map((word) => (word.length > 4 ? word.replace(/(ing|ed|es|s)$/, "") : word));
  const escaped = stems.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(?:${escaped.join("|")})[\\p{L}\\p{N}]*`, "giu");

  /** Where the excerpt begins: the stretch with the most different words. */
  function begin(text) {
    const found = [...text.matchAll(pattern)].map(({ index, 0: word }) => ({ index, stem: stems.findIndex((stem) => word.toLowerCase().startsWith(stem)) }));
    let [best, most] = [-1, 0];
    found.forEach(({ index }, k) => {
      const inside = new Set(found.slice(k, k + 40).filter((one) => one.index < index + LONG - 40).map(({ stem }) => stem)).size;
      if (inside > most) [best, most] = [index, inside];
    });
    if (best < 0) return 0;
    const from = Math.max(0, best - 50);
    return from === 0 ? 0 : text.indexOf(" ", from) + 1;
  }

  function excerpt(text) {
    const from = begin(text);
    const end = text.length <= from + LONG ? text.length : text.lastIndexOf(" ", from + LONG);
    const part = text.slice(from, end);
    const line = document.createElement("p");
    line.className = "excerpt";
    let at = 0;
    if (from > 0) line.append("… ");
    for (const { index, 0: word } of part.matchAll(pattern)) {
      line.append(part.slice(at, index), Object.assign(document.createElement("mark"), { textContent: word }));
      at = index + word.length;
    }
    line.append(part.slice(at), end < text.length ? " …" : "");
    return line;
  }

  function add(item) {
    const link = item.querySelector?.("a");
    if (!link || item.querySelector(".excerpt")) return;
    const page = decodeURI(new URL(link.href).pathname);
    const name = Object.keys(window.searchTexts).find((one) => page.endsWith(`/${one}.html`));
    if (name) item.append(excerpt(window.searchTexts[name]));
  }
  results.querySelectorAll("li").forEach(add);
  new MutationObserver((changes) => changes.forEach(({ addedNodes }) => addedNodes.forEach((node) => {
    if (node.nodeName === "LI") add(node);
    else node.querySelectorAll?.("li").forEach(add);
  }))).observe(results, { childList: true, subtree: true });
})();

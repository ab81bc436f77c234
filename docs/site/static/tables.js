/* Wide tables: on narrow screens each row is a list, in which the head of its column stands before each cell. */
(() => {
  "use strict";
  const WIDE = 5; // columns
  for (const table of document.querySelectorAll(".bd-article table")) {
    const heads = [...table.querySelectorAll("thead th")].map((head) => head.textContent.trim());
    if (heads.length < WIDE || heads.filter(Boolean).length < WIDE - 1) continue;
    table.classList.add("wide");
    table.setAttribute("role", "table"); // browsers forget it where rows are shown as blocks
    for (const row of table.rows) {
      row.setAttribute("role", "row");
      [...row.cells].forEach((cell, k) => {
        cell.setAttribute("role", cell.tagName === "TH" ? "columnheader" : "cell");
        cell.dataset.head = heads[k] ?? "";
      });
    }
  }
})();

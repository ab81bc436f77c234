"""What axe-core finds wrong with a page by WCAG 2.2, A and AA, and controls that are too small."""

from __future__ import annotations

from typing import Any

from node_packages import node_package

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
RUN = """async (rules) => {
  const { violations } = await axe.run({ runOnly: rules, preload: false });
  return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 200))]);
}"""

SMALL = """() => {
  const root = document.querySelector("#murmurate")?.shadowRoot ?? document;
  const kinds = "button, input, select, summary, textarea, nav a, .sd-tab-set > label";
  return [...root.querySelectorAll(kinds)].filter((one) => {
    const { width, height } = one.getBoundingClientRect();
    const unseen = one.closest(".hidden, .sd-tab-set > input");  // a label is in its place
    return width > 0 && height > 0 && (width < 23.9 || height < 23.9) && !unseen;
  }).map((one) => one.outerHTML.slice(0, 160));
}"""
"""Controls that are less than 24 pixels wide or high (WCAG 2.5.8)."""


def violations(tab: Any) -> list[list[str]]:
    """Each rule that is broken, and what breaks it; in frames too."""
    text = (node_package("axe-core") / "axe.min.js").read_text(encoding="utf-8")
    for frame in tab.frames:
        frame.evaluate(text)
    violations: list[list[str]] = tab.evaluate(RUN, RULES)
    return violations

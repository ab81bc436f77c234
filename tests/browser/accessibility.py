"""What axe-core finds wrong with a page by WCAG 2.2, A and AA."""

from __future__ import annotations

from typing import Any

from node_packages import node_package

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
RUN = """async (rules) => {
  const { violations } = await axe.run({ runOnly: rules, preload: false });
  return violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html.slice(0, 200))]);
}"""


def violations(tab: Any) -> list[list[str]]:
    """Each rule that is broken, and what breaks it; in frames too."""
    text = (node_package("axe-core") / "axe.min.js").read_text(encoding="utf-8")
    for frame in tab.frames:
        frame.evaluate(text)
    violations: list[list[str]] = tab.evaluate(RUN, RULES)
    return violations

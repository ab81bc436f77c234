"""Rows as CSV and HTML."""

from __future__ import annotations

import math
import re

import pytest

from murmurate.tables import finite, to_csv, to_html


def test_cells_of_csv() -> None:
    rows = [{"a": 1, "b": None}, {"a": 'x, "y"', "b": 0.5}]
    assert to_csv(rows) == 'a,b\n1,\n"x, ""y""",0.5\n'
    assert to_csv([], ["a", "b"]) == "a,b\n" and to_csv([]) == ""


def test_html_is_escaped_and_numbers_are_aligned_to_the_right() -> None:
    text = to_html(("<a>", "b"), [("1 & 2", "x"), ("", "3"), ("± 4", "")], "c < d", ["e > f"])
    sides = re.findall(r'<t[hd] style="text-align: (\w+)">([^<]*)', text)
    cells = [("&lt;a&gt;", "b"), ("1 &amp; 2", "x"), ("", "3"), ("± 4", "")]
    assert sides == [pair for a, b in cells for pair in (("right", a), ("left", b))]
    assert ">c &lt; d</caption>" in text and text.endswith("</table><p>e &gt; f</p>")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_numbers_that_json_does_not_have(value: float) -> None:
    assert finite(value) is None and finite(2) == 2.0

"""Rows as CSV and HTML."""

from __future__ import annotations

import math

import pytest

from murmurate.tables import finite, to_csv, to_html


def test_cells_of_csv() -> None:
    rows = [{"a": 1, "b": None}, {"a": 'x, "y"', "b": 0.5}]
    assert to_csv(rows) == 'a,b\n1,\n"x, ""y""",0.5\n'
    assert to_csv([], ["a", "b"]) == "a,b\n" and to_csv([]) == ""


def test_text_of_html_is_escaped() -> None:
    text = to_html(("<a>", "b"), [("1 & 2", "3")], "c < d", ["e > f"])
    assert text == (
        "<table><caption>c &lt; d</caption><tr><th>&lt;a&gt;</th><th>b</th></tr>"
        "<tr><td>1 &amp; 2</td><td>3</td></tr></table><p>e &gt; f</p>"
    )


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_numbers_that_json_does_not_have(value: float) -> None:
    assert finite(value) is None and finite(2) == 2.0

"""What the documentation site makes of models (docs/site/ext), as far as it needs no Sphinx."""

from __future__ import annotations

import base64
import json
import sys
from typing import Any

import pytest
from page_blocks import ROOT

import murmurate as mm

sys.path.insert(0, str(ROOT / "docs" / "site" / "ext"))

import downloads
import flocks
import screen_readers
import typeset


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("| 1/N sum_i u_i |", "| 1/<i>N</i> ∑<sub>i</sub> <i>u</i><sub>i</sub> |"),
        ("r_i x u_i", "<i>r</i><sub>i</sub> × <i>u</i><sub>i</sub>"),
        ("a |v_i|^2 <= 3", "a |<i>v</i><sub>i</sub>|<sup>2</sup> ≤ 3"),
        ("(1 + r)^-beta", "(1 + <i>r</i>)<sup>−beta</sup>"),
        ("mean of x_j - x_i", "mean of <i>x</i><sub>j</sub> − <i>x</i><sub>i</sub>"),
        ("2 * pi, dv_i", "2 · π, <i>dv</i><sub>i</sub>"),
        ("v <- <b>", "<i>v</i> ← &lt;<i>b</i>&gt;"),
    ],
)
def test_formulas_are_set(text: str, said: str) -> None:
    assert typeset.typeset(text) == f'<span class="formula">{said}</span>'


def scene(*tries: str, **fields: Any) -> dict[str, Any]:
    return {"tries": list(tries), "schemas": {"rules.a": {"properties": fields}}}


def test_a_try_says_all_its_settings() -> None:
    line = "rules.a.radius=1.5: a b (with rules.a.weight=inf): a swarm"
    one = flocks._try(line, scene(line, weight={}))
    assert one.words == "A b: a swarm" and one.works_in_page
    assert one.values == {"rules.a.radius": 1.5, "rules.a.weight": "inf"}
    text = base64.urlsafe_b64decode(one.link + "=" * (-len(one.link) % 4))
    assert json.loads(text) == {"version": 1, "values": one.values}


def test_a_try_that_a_page_cannot_do_is_no_button() -> None:
    line = "rules.a.radius=1: and rules.a.normalise=false: the other reading"
    assert not flocks._try(line, scene(line, normalise={"fixed": "compiled"})).works_in_page
    assert not flocks._try(line, scene(normalise={})).works_in_page


def test_what_is_tried_is_as_the_command_line_has_it() -> None:
    """Of all published flocks: what a button sets, a model can be set to."""
    for name in mm.zoo():
        model = mm.load(name)
        for line in model.tries:
            one = flocks._try(line, scene())
            values = {k: float("inf") if v == "inf" else v for k, v in one.values.items()}
            assert line.startswith(next(iter(one.values)) + "="), line
            assert model.set(values) != model and "=" not in one.words, line


def test_lines_of_a_signature_are_no_list_of_definitions() -> None:
    lines, terms = "<dl>\n<dd>a,</dd>\n</dl>", "<dl>\n<dt>a</dt><dd>b</dd>\n</dl>"
    assert screen_readers.put_right(lines + terms) == f'<dl role="presentation">{lines[4:]}{terms}'


def test_the_button_of_a_folded_cell_is_named_by_what_it_shows() -> None:
    folded = '<summary aria-label="Toggle hidden content">\n<span>The answer</span>'
    assert screen_readers.put_right(folded) == "<summary>\n<span>The answer</span>"


def test_a_lesson_is_downloaded_as_it_lies_in_the_repository() -> None:
    """Only its first text has more on the site, a link to the file."""
    text = (ROOT / "docs" / "lessons" / "1-three-rules.ipynb").read_text(encoding="utf-8")
    before = json.loads(text)
    after = json.loads(downloads.with_download(text, "1-three-rules.ipynb"))
    assert "{download}`Download this notebook <1-three-rules.ipynb>`" in after["cells"][0]["source"]
    assert after["cells"][1:] == before["cells"][1:]


@pytest.mark.slow  # its start is compiled
def test_a_model_with_numbers_that_differ_has_a_live_page() -> None:
    page = flocks._page("jolles-2017")
    assert page.startswith("<!") and flocks.packed_head(page)["name"] == "jolles-2017"

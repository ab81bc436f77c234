"""What mm.live_page puts into a cell: a page of its own, which needs no kernel and no network."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser

import pytest

import murmurate as mm
from murmurate.errors import NotebookError


def tags(text: str) -> list[dict[str, str]]:
    """The attributes of each element, all of which are iframes."""
    head = []

    class Reader(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            assert tag == "iframe"
            head.append(dict(attrs))

    Reader().feed(text)
    return head


@pytest.mark.slow  # a kernel of WebAssembly
def test_a_cell_holds_the_whole_page() -> None:
    page = mm.live_page("p5", seed=7, max_boids=300, height=420, view=mm.View(style="light"))
    formatters = pytest.importorskip("IPython.core.formatters")
    bundle, _ = formatters.DisplayFormatter().format(page)
    assert set(bundle) == {"text/html", "text/plain"}
    assert re.fullmatch(r"<Page: a live flock, 0\.\d MB>", bundle["text/plain"])
    (tag,) = tags(bundle["text/html"])
    assert tag["sandbox"] == "allow-scripts allow-downloads" and "height:420px" in tag["style"]
    assert tag["srcdoc"] == page.html
    assert (
        json.loads(re.search(r'id="murmurate-head">(.*?)</script>', page.html)[1])["name"] == "p5"
    )


@pytest.mark.parametrize("height", [99, 10_001, 420.0, "420px", True])
def test_heights_that_are_none(height: object) -> None:
    with pytest.raises(NotebookError, match=r"height: got .*pixels"):
        mm.live_page("p5", height=height)


def test_the_flock_beside_is_a_model_too() -> None:
    with pytest.raises(mm.ModelError, match="no model named 'nobody'"):
        mm.live_page("p5", beside="nobody")
    large = mm.load("p5").set({"flocks.boids.count": 301})
    with pytest.raises(mm.ModelError, match="max_boids: got 300"):
        mm.live_page("p5", beside=large, max_boids=300)


def test_models_that_no_page_simulates() -> None:
    simulation = mm.Simulation(mm.load("ucl").set({"flocks.boids.count": 5}), engine="reference")
    with pytest.raises(mm.ModelError, match="Make a replay"):
        mm.live_page(simulation)

"""The figures of README and of the page of benchmarks are those of the committed results."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path += [str(ROOT / "docs"), str(ROOT / "benchmarks")]
import make_benchmarks  # noqa: E402
from peer_chart import digest  # noqa: E402
from peer_table import PEERS  # noqa: E402

from language import additions  # noqa: E402


@pytest.mark.parametrize("page", make_benchmarks.PAGES, ids=lambda page: page.stem)
def test_the_pages_say_what_was_measured(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert make_benchmarks.BLOCK.search(text)
    assert make_benchmarks.filled(text, make_benchmarks.blocks()) == text


def test_every_table_is_on_a_page() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in make_benchmarks.PAGES)
    named = {found["name"] for found in make_benchmarks.BLOCK.finditer(text)}
    assert named == set(make_benchmarks.blocks())


def test_the_charts_are_made_of_the_results() -> None:
    scaling = make_benchmarks.read("scaling")["rows"]
    delays = [row for row in scaling if row["kind"] == "delay"]
    charts = {"benchmarks": make_benchmarks.read("peers")["rows"], "scaling": scaling}
    for name, rows in (charts | {"slow-network": delays}).items():
        assert digest(rows) in (ROOT / "docs" / f"{name}.svg").read_text(encoding="utf-8")


def test_every_peer_was_measured() -> None:
    measured = {row["peer"] for row in make_benchmarks.read("peers")["rows"]}
    assert measured == {peer.name for peer in PEERS}


def test_every_addition_to_the_language_was_measured() -> None:
    measured = [(row["part"], row["name"]) for row in make_benchmarks.read("language")["rows"]]
    assert measured == [(one.part, one.name) for one in additions()]

"""Symptoms of flocks that do not flock: each file shows its symptom or its cure, measured over many
flights, and the two differ in the numbers that the page names."""

from __future__ import annotations

import re

import numpy as np
import pytest
from page_blocks import ROOT
from scipy.spatial import cKDTree

import murmurate as mm
from murmurate.verify import verify

PAGE = (ROOT / "docs" / "why-no-flock.md").read_text(encoding="utf-8")
FOLDER = ROOT / "docs" / "symptoms"
FILES = sorted(path.stem for path in FOLDER.glob("*.toml"))
SYMPTOMS = [name for name in FILES if not name.endswith("-mended")]
WORDS = {"title": "", "about": "", "name": "flock", "expect": ()}
ROW = re.compile(
    r"^\| \[.+?\]\(#(?P<heading>[\w-]+)\) \| (?P<paths>`.+?`) \| (?P<before>\S+) \| (?P<after>\S+) "
    r"\| \[(?P<name>\w+)\]\(symptoms/\w+\.toml\), \[mended\]\(symptoms/\w+-mended\.toml\) \|$",
    re.MULTILINE,
)
ROWS = {row["name"]: row for row in ROW.finditer(PAGE)}


def flock(name: str) -> mm.Model:
    return mm.load(FOLDER / f"{name}.toml")


@pytest.mark.parametrize("name", [name for name in FILES if name != "slow"])
def test_the_file_shows_what_the_page_says(name: str) -> None:
    results = verify(flock(name))
    assert results and all(one.agrees for one in results), results


@pytest.mark.parametrize("name", SYMPTOMS)
def test_the_cure_is_the_number_that_the_page_names(name: str) -> None:
    row = ROWS[name]
    paths = re.findall(r"`(.+?)`", row["paths"])
    ill, well = (flock(one).set(WORDS) for one in (name, f"{name}-mended"))
    assert ill != well
    for value, model in (("before", ill), ("after", well)):
        assert model.set({path: float(row[value]) for path in paths}) == model
    assert ill.set({path: float(row["after"]) for path in paths}) == well


def test_the_slow_flock_looks_at_a_hundred_times_as_many() -> None:
    """Work and not time: neighbours within the radius of alignment."""
    seen = {}
    for name in ("slow", "slow-mended"):
        model = flock(name)
        places = mm.Simulation(model, seed=1).frame["boids"].positions % model.space.size
        tree = cKDTree(places, boxsize=model.space.size)
        radius = model.rules["alignment"].radius
        seen[name] = np.mean(tree.query_ball_point(places[:50], radius, return_length=True) - 1)
    assert 20 < seen["slow-mended"] < 40
    assert seen["slow"] > 80 * seen["slow-mended"]


def test_every_symptom_has_a_cure_a_row_a_section_and_a_place_for_its_page() -> None:
    assert {f"{name}-mended" for name in SYMPTOMS} | set(SYMPTOMS) == set(FILES)
    assert set(ROWS) == set(SYMPTOMS) and len(SYMPTOMS) >= 6
    places = re.findall(r"^<!-- live: (.+) -->$", PAGE, re.MULTILINE)
    beside = [f"symptoms/{name}.toml beside symptoms/{name}-mended.toml" for name in ROWS]
    alone = "symptoms/slow.toml"  # two in one page fly at the pace of the slower one
    assert places == [alone if alone in pair else pair for pair in beside]
    for row in ROWS.values():
        assert f"\n## {row['heading'].capitalize().replace('-', ' ')}\n" in PAGE

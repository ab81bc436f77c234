"""Symptoms of flocks that do not flock: each file shows its symptom or its fix, measured over many
runs, and the two differ only in the numbers that the page names."""

from __future__ import annotations

import re

import pytest
from page_blocks import ROOT
from scipy.spatial import cKDTree

import murmurate as mm
from murmurate.verify import verify

PAGE = (ROOT / "docs" / "why-no-flock.md").read_text(encoding="utf-8")
FOLDER = ROOT / "docs" / "symptoms"
FILES = sorted(path.stem for path in FOLDER.glob("*.toml"))
SYMPTOMS = [name for name in FILES if not name.endswith("-fixed")]
WORDS = {"title": "", "about": "", "name": "flock", "expect": ()}
ROW = re.compile(
    r"^\| \[.+?\]\(#(?P<heading>[\w-]+)\) \| (?P<paths>`.+?`) \| (?P<before>\S+) \| (?P<after>\S+) "
    r"\| \[(?P<name>\w+)\]\(symptoms/\w+\.toml\), \[fixed\]\(symptoms/\w+-fixed\.toml\) \|$",
    re.MULTILINE,
)
ROWS = {row["name"]: row for row in ROW.finditer(PAGE)}


def flock(name: str) -> mm.Model:
    return mm.load(FOLDER / f"{name}.toml")


@pytest.mark.slow  # a kernel for most of them
@pytest.mark.parametrize("name", [name for name in FILES if name != "slow"])
def test_the_file_shows_what_the_page_says(name: str) -> None:
    results = verify(flock(name))
    assert results and all(result.agrees for result in results), results


@pytest.mark.parametrize("name", SYMPTOMS)
def test_the_fix_is_the_number_that_the_page_names(name: str) -> None:
    row = ROWS[name]
    paths = re.findall(r"`(.+?)`", row["paths"])
    broken, fixed = (flock(file).set(WORDS) for file in (name, f"{name}-fixed"))
    assert broken != fixed
    for value, model in (("before", broken), ("after", fixed)):
        assert model.set({path: float(row[value]) for path in paths}) == model
    assert broken.set({path: float(row["after"]) for path in paths}) == fixed


def test_the_slow_flock_senses_a_hundred_times_as_many() -> None:
    """Count neighbours within the radius of alignment instead of measuring time."""
    counts = {}
    for name in ("slow", "slow-fixed"):
        model = flock(name)
        positions = mm.Simulation(model, seed=1).frame["boids"].positions % model.space.size
        tree = cKDTree(positions, boxsize=model.space.size)
        radius = model.rules["alignment"].radius
        counts[name] = tree.query_ball_point(positions[:50], radius, return_length=True).mean() - 1
    assert 20 < counts["slow-fixed"] < 40
    assert counts["slow"] > 80 * counts["slow-fixed"]


def test_every_symptom_has_a_fix_a_row_a_section_and_a_live_page() -> None:
    assert {f"{name}-fixed" for name in SYMPTOMS} | set(SYMPTOMS) == set(FILES)
    assert set(ROWS) == set(SYMPTOMS) and len(SYMPTOMS) >= 6
    marks = re.findall(r"^<!-- live: (.+) -->$", PAGE, re.MULTILINE)
    beside = [f"symptoms/{name}.toml beside symptoms/{name}-fixed.toml" for name in ROWS]
    alone = "symptoms/slow.toml"  # two flocks in one page run at the pace of the slower one
    assert marks == [alone if alone in pair else pair for pair in beside]
    for row in ROWS.values():
        assert f"\n## {row['heading'].capitalize().replace('-', ' ')}\n" in PAGE

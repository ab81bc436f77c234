"""The pages of the Python reference, docs/api, name every public name, each once."""

from __future__ import annotations

import re
from collections import Counter

from page_blocks import ROOT

import murmurate as mm
from murmurate import environments

API = ROOT / "docs" / "api"
NAMED = re.compile(r"^\.\. (?:auto\w+|data):: (\w+)$", re.MULTILINE)


def named(*pages: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for page in pages:
        found.update(NAMED.findall((API / f"{page}.rst").read_text(encoding="utf-8")))
    return found


def compare(pages: Counter[str], public: Counter[str]) -> None:
    missing, surplus = sorted(public - pages), sorted(pages - public)
    assert not missing, f"docs/api/*.rst: add '.. autoclass::' or '.. autofunction::' {missing}"
    assert not surplus, f"docs/api/*.rst: {surplus} are not public, or there twice; remove them"


def test_every_public_name_stands_on_one_page() -> None:
    pages = [path.stem for path in API.glob("*.rst") if path.stem not in ("learning", "measures")]
    again = {"milling", "nearest_neighbour_distance", "polarization", "measures"}
    public = Counter({*mm.__all__, "open"} - again)
    compare(named(*pages), public)


def test_every_measure_stands_among_the_measures() -> None:
    compare(named("measures"), Counter(mm.measures.__all__))


def test_every_page_is_in_the_table() -> None:
    text = (API / "index.rst").read_text(encoding="utf-8")
    assert set(re.findall(r"- :doc:`(\w+)`", text)) == {
        path.stem for path in API.glob("*.rst") if path.stem != "index"
    }


def test_everything_of_environments_stands_on_its_page() -> None:
    compare(named("learning"), Counter(environments.__all__))

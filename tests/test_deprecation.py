"""Old names work, warn at the caller's line, and are listed in docs/deprecations.md."""

from __future__ import annotations

import json
import re
import sys
import types
from pathlib import Path
from typing import Any

import pytest

from murmurate import deprecation
from murmurate.deprecation import (
    Deprecation,
    grouped_keywords,
    positional_keywords,
    renamed_attribute,
    renamed_keywords,
    renamed_names,
)
from processes import ran_well

PAGE = Path(__file__).parents[1] / "docs" / "deprecations.md"
LIST = """
import importlib, json, pkgutil, murmurate
from murmurate.deprecation import DECLARED
for module in pkgutil.walk_packages(murmurate.__path__, "murmurate."):
    if not module.name.endswith("__main__"):
        importlib.import_module(module.name)
print(json.dumps(sorted(DECLARED)))
"""


@pytest.fixture(autouse=True)
def declared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Declarations of these tests end with them."""
    monkeypatch.setattr(deprecation, "DECLARED", set(deprecation.DECLARED))


def rows() -> list[tuple[str, str, str]]:
    """The rows of the page's tables."""
    found = re.findall(r"^\| `(.+?)` \| `(.+?)` \| `(.+?)` \|$", PAGE.read_text("utf-8"), re.M)
    return sorted(found)


def test_the_page_lists_what_the_code_declares() -> None:
    """A missing row, in full: | `owner` | `old name` | `new name` |"""
    code = [tuple(row) for row in json.loads(ran_well(sys.executable, "-c", LIST))]
    page = rows()
    assert len(page) == len(set(page))
    missing = [f"| `{owner}` | `{old}` | `{new}` |" for owner, old, new in {*code} - {*page}]
    assert not missing, "add to docs/deprecations.md:\n" + "\n".join(sorted(missing))
    assert not {*page} - {*code}


@renamed_keywords(burn_in="warm_up")
def fit(model: str, *, warm_up: int = 0) -> tuple[str, int]:
    return model, warm_up


def test_an_old_keyword() -> None:
    with pytest.warns(DeprecationWarning, match=r"^fit: burn_in is deprecated. Use warm_up=") as w:
        assert fit("ucl", burn_in=3) == ("ucl", 3)  # type: ignore[call-arg]
    assert w[0].filename == __file__


def test_an_old_keyword_and_the_new_one() -> None:
    with (
        pytest.warns(DeprecationWarning),
        pytest.raises(TypeError, match="got burn_in and warm_up; expected one"),
    ):
        fit("ucl", burn_in=3, warm_up=3)  # type: ignore[call-arg]


def add(options: dict[str, int] | None, old: dict[str, int]) -> dict[str, int]:
    return {**(options or {}), **old}


@grouped_keywords("options", add, threads="options=RunOptions(threads=...)")
def run(*, options: Any = None) -> Any:
    return options


def test_an_old_keyword_that_another_argument_holds() -> None:
    with pytest.warns(DeprecationWarning, match=r"Use options=RunOptions\(threads=...\)"):
        assert run(options={"seed": 1}, threads=2) == {"seed": 1, "threads": 2}  # type: ignore[call-arg]
    assert run(threads=None) is None  # type: ignore[call-arg]


@positional_keywords("steps", "seed", after=1)
def film(model: str, *, steps: int = 1, seed: int = 0) -> tuple[str, int, int]:
    return model, steps, seed


def test_a_keyword_by_position() -> None:
    with pytest.warns(DeprecationWarning, match="steps by position is deprecated. Use steps="):
        assert film("ucl", 5, seed=2) == ("ucl", 5, 2)  # type: ignore[misc]
    with pytest.warns(DeprecationWarning), pytest.raises(TypeError, match="got steps twice"):
        film("ucl", 5, steps=2)  # type: ignore[misc]
    with pytest.warns(DeprecationWarning), pytest.raises(TypeError, match="positional"):
        film("ucl", 5, 2, 3)  # type: ignore[call-arg]


class Flock:
    n_boids = 5
    boids = renamed_attribute("Flock", "boids", "n_boids")


def test_an_old_attribute() -> None:
    with pytest.warns(DeprecationWarning, match="^Flock: boids is deprecated. Use n_boids") as w:
        assert Flock().boids == 5
    assert w[0].filename == __file__


def test_an_old_name_of_a_module() -> None:
    module: Any = types.ModuleType("birds")
    module.__getattr__ = renamed_names("birds", {"load_toml": ("json", "loads")})
    with pytest.warns(DeprecationWarning, match="^birds: load_toml is deprecated") as w:
        assert module.load_toml is json.loads
    assert w[0].filename == __file__
    with pytest.raises(AttributeError, match="module 'birds' has no attribute 'flock'"):
        _ = module.flock
    assert Deprecation("birds", "load_toml", "murmurate.loads") in deprecation.DECLARED

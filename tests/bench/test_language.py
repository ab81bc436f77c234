"""The benchmark of the language: it adds every kind of part that there is, and each is a model."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any, get_args

import pytest

import murmurate as mm
from murmurate.model.registry import MOTIONS, RULES
from murmurate.model.warnings import model_warnings

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.fixture
def language(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return importlib.import_module("language")


@pytest.fixture
def models(language: Any) -> dict[str, mm.Model]:
    return {f"{a.part}: {a.name}": language.with_addition(a) for a in language.additions()}


def built_in(kinds: dict[str, Any]) -> set[type]:
    return {kind for kind in kinds.values() if kind.__module__.startswith("murmurate.")}


def words(models: dict[str, mm.Model], field: str) -> set[Any]:
    return {getattr(model, field) for model in models.values()}


def test_additions_have_every_kind_of_the_language(models: dict[str, mm.Model]) -> None:
    rules = {type(rule) for model in models.values() for rule in model.rules.values()}
    motions = {type(flock.motion) for model in models.values() for flock in model.flocks.values()}
    of_tables = {mm.Learned, mm.LearnedWalls, mm.Policy}  # which are learned elsewhere
    missing = (built_in(RULES) - of_tables - rules) | (built_in(MOTIONS) - motions)
    assert not missing, "benchmarks/language.toml: add a line for each, such as that of wind"
    for field in ("order", "positions", "integrator"):
        assert words(models, field) == set(get_args(mm.Model.model_fields[field].annotation))


def test_no_model_has_a_warning(models: dict[str, mm.Model]) -> None:
    """Boids would crowd at a wall across a periodic axis."""
    assert {
        name: model_warnings(model) for name, model in models.items() if model_warnings(model)
    } == {}


def test_each_differs_from_the_plain_flock(language: Any, models: dict[str, mm.Model]) -> None:
    plain = {language.without_addition(a).fingerprint() for a in language.additions()}
    assert [name for name, model in models.items() if model.fingerprint() in plain] == []
    assert len({model.fingerprint() for model in models.values()}) == len(models)

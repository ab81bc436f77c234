"""Features of models that some engines do not simulate, and where a model has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from murmurate.model.distribution import Distribution
from murmurate.model.model import Model
from murmurate.model.obstacles import Mesh
from murmurate.model.population import Lifetime
from murmurate.model.rule import NeighbourRule, senses_arcs
from murmurate.model.rule_arguments import takes_herd

MAX_FLOCKS = 256
"""Flocks that an index of eight bits can number."""


def _order(model: Model) -> Iterator[str]:
    if model.order != "synchronous":
        yield f"order: got {model.order!r}; expected 'synchronous'"


def _integrator(model: Model) -> Iterator[str]:
    if model.integrator != "euler":
        yield f"integrator: got {model.integrator!r}; expected 'euler'"


def _neighbours(word: str) -> Callable[[Model], Iterator[str]]:
    def find(model: Model) -> Iterator[str]:
        for name, rule in model.rules.items():
            if isinstance(rule, NeighbourRule) and rule.neighbours == word:
                yield f"rules.{name}.neighbours: got {word!r}; expected 'all'"

    return find


def _view(model: Model) -> Iterator[str]:
    for name, rule in model.rules.items():
        if senses_arcs(rule):
            yield f"rules.{name}.kind: got {rule.kind!r}, which senses the view; expected none"


def _herd(model: Model) -> Iterator[str]:
    for name, rule in model.rules.items():
        if isinstance(rule, NeighbourRule) and takes_herd(type(rule).finish):  # type: ignore[attr-defined]
            yield f"rules.{name}.kind: got {rule.kind!r}, which senses a whole herd; expected none"


def _sensing(model: Model) -> Iterator[str]:
    for name, flock in model.flocks.items():
        if flock.sensing:
            yield f"flocks.{name}.sensing: got delay, refresh, errors or losses; expected none"


def _population(model: Model) -> Iterator[str]:
    if model.population:
        yield f"population: got {', '.join(model.population)}; expected none"


def _lifetimes(model: Model) -> Iterator[str]:
    for name, entry in model.population.items():
        if isinstance(entry, Lifetime) and isinstance(entry.duration, Distribution):
            text = entry.duration.text
            yield f"population.{name}.duration: got {text}; expected one number for all boids"


def _mesh(model: Model) -> Iterator[str]:
    for name, shape in model.obstacles.items():
        if isinstance(shape, Mesh):
            yield f"obstacles.{name}.kind: got 'mesh'; expected another shape"


def _flocks(model: Model) -> Iterator[str]:
    if len(model.flocks) > MAX_FLOCKS:
        yield f"flocks: got {len(model.flocks)}; expected at most {MAX_FLOCKS}"


FEATURES: dict[str, Callable[[Model], Iterator[str]]] = {
    "order": _order,
    "integrator": _integrator,
    "voronoi": _neighbours("voronoi"),
    "visible": _neighbours("visible"),
    "view": _view,
    "herd": _herd,
    "sensing": _sensing,
    "population": _population,
    "lifetimes": _lifetimes,
    "mesh": _mesh,
    "many flocks": _flocks,
}
"""Name -> function that yields where a model has it: path, value, and what is expected instead."""


def find_features(features: Iterable[str], model: Model) -> list[str]:
    """Return where a model has some of FEATURES, in words; each place once."""
    return list(dict.fromkeys(text for name in features for text in FEATURES[name](model)))

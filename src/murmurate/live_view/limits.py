"""Limits of what pages may ask of a model: which parts of it, how many boids, how many rules."""

from __future__ import annotations

from collections.abc import Iterable

from murmurate.errors import ModelError
from murmurate.model.model import Model

MOST_BOIDS = 2_000_000
MOST_PARTS = 64  # flocks, rules and obstacles, of each
OPEN_TO_PAGES = ("dt", "order", "positions", "space", "flocks", "rules", "obstacles")


def check_paths(paths: Iterable[str]) -> None:
    """Raises ModelError for dotted paths that pages may not change."""
    for path in paths:
        if path.partition(".")[0] not in OPEN_TO_PAGES:
            raise ModelError(f"{path}: a page may change {', '.join(OPEN_TO_PAGES)}")


def check_size(model: Model, loaded: Model) -> None:
    """Raises ModelError for a model that is too large; the one that was loaded may be as large."""
    before = sum(flock.count for flock in loaded.flocks.values())
    boids = sum(flock.count for flock in model.flocks.values())
    if boids > max(MOST_BOIDS, before):
        raise ModelError(f"{boids} boids in all: a page may ask for {MOST_BOIDS}")
    for word in ("flocks", "rules", "obstacles"):
        if len(getattr(model, word)) > max(MOST_PARTS, len(getattr(loaded, word))):
            raise ModelError(f"{word}: a page may ask for {MOST_PARTS} of them")

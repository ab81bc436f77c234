"""Identity: what a sample of flights is filed under, in ensembles and tables of verdicts."""

from __future__ import annotations

import hashlib

from murmurate.model.model import Model
from murmurate.model.results import Expectation
from murmurate.model.view import Look

WORDS = ("title", "about", "tries", "source", "view", "expect", "figure")
BOUNDS = {"why", "origin", "tier", "value", "tolerance", "low", "high"}


def flight_id(model: Model) -> str:
    """The fingerprint of what is flown, whatever is said of it, shown or expected."""
    words = {name: Model.model_fields[name].default for name in WORDS}
    plain = {n: f.model_copy(update={"look": Look()}) for n, f in model.flocks.items()}
    return model.model_copy(update={**words, "flocks": plain}).fingerprint()


def statistic_id(model: Model, one: Expectation) -> str:
    """16 letters for what is flown and measured, whatever is said of it or expected: the same model
    with the same numbers, the same measure at the same steps, from the same seeds on."""
    data = one.model_dump(exclude=BOUNDS | {"seeds"})
    return hashlib.sha256(f"{flight_id(model)} {data!r}".encode()).hexdigest()[:16]


def verdict_id(model: Model, one: Expectation) -> str:
    """16 letters for a statistic, its seeds, and its bounds."""
    data = one.run_seeds(), one.bounds()
    return hashlib.sha256(f"{statistic_id(model, one)} {data!r}".encode()).hexdigest()[:16]

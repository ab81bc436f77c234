"""The table of measures: name, kind, unit, definition and source of each.

`@measure(...)` adds a function to the table where the function is defined. The command line, the
documentation and the tests read the table.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Literal, TypeVar, cast

from murmurate.errors import MeasureError
from murmurate.model.messages import format_unknown

Kind = Literal["number", "curve", "word", "frames", "per animal", "hunt"]
Function = TypeVar("Function", bound=Callable[..., Any])
NO_DEFAULT = inspect.Parameter.empty
NOT_OPTIONS = ("flock", "edges", "predators")  # keyword arguments that are not options of a measure


@dataclass(frozen=True)
class Measure:
    """A measure, with everything that tables and commands need to know about it.

    Attributes
    ----------
    name : str
        Name of the measure, equal to that of its function.
    function : callable
        The function that computes it.
    kind : str
        What the function maps to what:

        - 'number': FlockFrame -> float
        - 'curve': FlockFrame -> Curve
        - 'word': FlockFrame -> str
        - 'frames': frames of one flock -> Estimate or Curve
        - 'per animal': frames of one flock -> PerAnimal
        - 'hunt': frames with prey and predators -> Estimate
    unit : str
        Unit of the value in the model's units; '1' if dimensionless.
    bounds : str
        Range of the value, as text.
    definition : str
        Definition in one line of plain text.
    source : str
        DOIs, separated by blanks; '' for a definition without a particular source.
    across : str
        For a curve, the quantity on the x axis with its unit.
    defaults : dict
        Option -> default value, for options that have one.
    required : tuple of str
        Options without a default.
    slow : bool
        True if a frame of 1,000 boids takes more than 10 ms. A slow measure is computed only on
        request. A test checks this flag against docs/measure-costs.json.
    event : bool
        True if the measure follows one event, starting from the frame before it. Only the user
        knows that frame, so the measure is computed only on request.
    path : bool
        True if the measure follows each animal along its path, as all of kind 'per animal' do. Its
        value depends on the time between frames, so it is computed only on request.
    population : bool
        True if the measure describes which boids are in the flock, or how they differ. It is
        computed only on request, since most flocks stay the same and have equal boids.
    min_boids : int or str
        Boids that a value needs; the name of an option, such as 'k': more boids than its value.
    missing : str
        Why there is no value although there are enough boids: a clause, such as 'all boids fly
        alike'. '' if there always is one.
    collector : callable or None
        For kinds 'frames', 'per animal' and 'hunt': makes an object with `add(...)` and `result()`.
    """

    name: str
    function: Callable[..., Any]
    kind: Kind
    unit: str
    bounds: str
    definition: str
    source: str = ""
    across: str = ""
    defaults: dict[str, Any] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    slow: bool = False
    event: bool = False
    path: bool = False
    population: bool = False
    min_boids: int | str = 1
    missing: str = ""
    collector: Callable[..., Any] | None = None

    @property
    def on_request(self) -> bool:
        """True if the measure is computed only when it is named."""
        return self.slow or self.event or self.path or self.population

    @property
    def limits(self) -> tuple[float, float]:
        """Smallest and largest value, for the axes of plots; infinite where `bounds` has none."""
        low = re.match(r"(?:above )?(-?[\d.]+),? (?:to|up)", self.bounds)
        high = re.search(r"\bto (\d+)(?:/(\d+))?(?![\w.])", self.bounds)
        if "about" in self.bounds or not (low or high):
            return -math.inf, math.inf
        return (
            float(low[1]) if low else -math.inf,
            int(high[1]) / int(high[2] or 1) if high else math.inf,
        )

    def why_missing(self, boids: int, frames: int, options: Mapping[str, Any]) -> str:
        """Return why the measure has no value for a flock, as a clause.

        Parameters
        ----------
        boids : int
            Largest number of boids that a frame has.
        frames : int
            Number of frames.
        options : mapping
            Option -> value.
        """
        if frames == 0:
            return "there is no frame"
        if boids == 0:
            return "the flock has no boid in any frame"
        needed, why = self.min_boids, ""
        if isinstance(needed, str):
            k = options.get(needed)
            needed, why = (1 if k is None else int(k) + 1), f", for {needed} = {k}"
        if boids < needed:
            return f"it needs {needed} boids or more{why}; the flock has {boids}"
        return self.missing or "no frame has a value"

    def __repr__(self) -> str:
        return f"<Measure {self.name}: {self.definition}>"


MEASURES: dict[str, Measure] = {}


def measure(
    kind: Kind,
    *,
    unit: str,
    bounds: str,
    definition: str,
    source: str = "",
    across: str = "",
    slow: bool = False,
    event: bool = False,
    path: bool = False,
    population: bool = False,
    min_boids: int | str = 1,
    missing: str = "",
    collector: Callable[..., Any] | None = None,
) -> Callable[[Function], Function]:
    """Add a function to `MEASURES` under its own name, and return it unchanged.

    The keyword arguments of the function become the options of the measure. See `Measure` for the
    parameters.
    """

    def register(function: Function) -> Function:
        name = function.__name__
        options = list(inspect.signature(function).parameters.values())[1:]
        options = [option for option in options if option.name not in NOT_OPTIONS]
        MEASURES[name] = Measure(
            name=name,
            function=function,
            kind=kind,
            unit=unit,
            bounds=bounds,
            definition=definition,
            source=source,
            across=across,
            defaults={o.name: o.default for o in options if o.default is not NO_DEFAULT},
            required=tuple(o.name for o in options if o.default is NO_DEFAULT),
            slow=slow,
            event=event,
            path=path or kind == "per animal",
            population=population,
            min_boids=min_boids,
            missing=missing,
            collector=collector,
        )
        return function

    return register


def options_of(other: Callable[..., Any]) -> Callable[[Function], Function]:
    """Give a function that takes `**options` the signature of `other`.

    The decorated function raises TypeError for the same arguments as `other`.
    """
    signature = inspect.signature(other)

    def decorate(function: Function) -> Function:
        @wraps(function)
        def checked(*arguments: Any, **options: Any) -> Any:
            signature.bind(*arguments, **options)
            return function(*arguments, **options)

        checked.__signature__ = signature  # type: ignore[attr-defined]
        return cast(Function, checked)

    return decorate


def plain_measure(name: Any, kind: Kind) -> Measure | None:
    """Return the measure of a kind by its name; None if there is none, or it needs an option."""
    other = MEASURES.get(name) if isinstance(name, str) else None
    return None if other is None or other.kind != kind or other.required else other


def find_measure(name: str) -> Measure:
    """Return the measure called `name`.

    Raises MeasureError, with the most similar name, for an unknown one.
    """
    if not isinstance(name, str):
        raise MeasureError(f"measure: got {name!r}; expected the name of one, such as 'speed'")
    if name not in MEASURES:
        raise MeasureError(format_unknown("measure", name, sorted(MEASURES)))
    return MEASURES[name]

"""The table of measures: name, kind, unit, definition and source of each.

A measure enters it where it is written, by `@measure(...)`; the command line, the documentation
and the tests read it from there.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Literal, TypeVar, cast

from murmurate.measures.limits import MeasureError
from murmurate.model.registry import unknown

Kind = Literal["number", "curve", "word", "frames", "per animal", "hunt"]
Function = TypeVar("Function", bound=Callable[..., Any])


@dataclass(frozen=True)
class Measure:
    """One measure, and all that a table or a command has to know about it.

    name        its name, that of the function
    function    the function itself
    kind        number: FlockFrame -> float
                curve: FlockFrame -> Curve
                word: FlockFrame -> str
                frames: frames, one flock -> Estimate or Curve
                per animal: frames, one flock -> PerAnimal
                hunt: frames, prey and predators -> Estimate
    unit        of the value, in the model's units; '1' where it has none
    across      of a curve: what its x is, with its unit
    bounds      the values it can take, as text
    definition  one line, in plain text
    source      DOI; several are divided by blanks; '' where the definition is nobody's in
    particular
    defaults    option -> value, where the option has one
    required    options that must be given
    slow        whether a frame of 1,000 boids takes more than 10 ms: such a measure is taken only
                where it is asked for; a test holds this to docs/measure-costs.json
    event       whether it follows one event, from the frame before it: nobody can guess which frame
                that is, so such a measure is taken only where it is asked for
    path        whether it follows each animal along its path, as those per animal do: its value
                depends on the time between frames, so it is taken only where it is asked for
    collector   of kinds frames, per animal and hunt: makes an object with add(...) and result()
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
    collector: Callable[..., Any] | None = None

    @property
    def on_request(self) -> bool:
        """Whether it is taken only where it is asked for."""
        return self.slow or self.event or self.path

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
    collector: Callable[..., Any] | None = None,
) -> Callable[[Function], Function]:
    """Enters a function into the table under its own name, and leaves it as it is. Its options are
    its keyword arguments."""

    def enter(function: Function) -> Function:
        name = function.__name__
        options = list(inspect.signature(function).parameters.values())[1:]
        options = [o for o in options if o.name not in ("flock", "edges", "predators")]
        none = inspect.Parameter.empty
        MEASURES[name] = Measure(
            name=name,
            function=function,
            kind=kind,
            unit=unit,
            bounds=bounds,
            definition=definition,
            source=source,
            across=across,
            defaults={o.name: o.default for o in options if o.default is not none},
            required=tuple(o.name for o in options if o.default is none),
            slow=slow,
            event=event,
            path=path or kind == "per animal",
            collector=collector,
        )
        return function

    return enter


def options_of(other: Callable[..., Any]) -> Callable[[Function], Function]:
    """For a measure that takes **options: they are those of another one, and the signature says
    so. Others raise TypeError, as they would there."""
    said = inspect.signature(other)

    def decorate(function: Function) -> Function:
        @wraps(function)
        def checked(*arguments: Any, **options: Any) -> Any:
            said.bind(*arguments, **options)
            return function(*arguments, **options)

        checked.__signature__ = said  # type: ignore[attr-defined]
        return cast(Function, checked)

    return decorate


def find(name: str) -> Measure:
    """The measure of that name. Raises MeasureError with the nearest known name."""
    if not isinstance(name, str):
        raise MeasureError(f"{name!r} is no name of a measure: it must be text, such as 'speed'")
    if name not in MEASURES:
        raise MeasureError(unknown("measure", name, sorted(MEASURES)))
    return MEASURES[name]

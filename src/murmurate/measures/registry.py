"""The table of measures: name, kind, unit, definition and source of each.

`@measure(...)` adds a function to the table where the function is defined. The command line, the
documentation and the tests read the table.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from murmurate.errors import MeasureError
from murmurate.measures.definition import Kind, Measure
from murmurate.measures.measure_text import measure_doc
from murmurate.measures.over_frames import (
    Collector,
    OverFrames,
    Result,
    accumulate_all,
    accumulate_hunt,
)
from murmurate.model.messages import format_unknown

Function = TypeVar("Function", bound=Callable[..., Any])
NO_DEFAULT = inspect.Parameter.empty
NOT_OPTIONS = ("flock", "edges", "predators")  # keyword arguments that are not options of a measure


MEASURES: dict[str, Measure] = {}


def measure(
    kind: Kind = "number", *, source: str = "", **fields: Any
) -> Callable[[Function], Function]:
    """Add a function to `MEASURES` under its own name, and complete its docstring.

    Parameters
    ----------
    kind : str
        As for `Measure`, whose other fields have defaults too: only what is special is stated.
    source : str
        Keys of `SOURCES`, separated by semicolons.
    **fields
        Other fields of `Measure`. The keyword arguments of the function are the options.
    """

    def register(function: Function) -> Function:
        name, signature = function.__name__, inspect.signature(function)
        options = [o for o in list(signature.parameters.values())[1:] if o.name not in NOT_OPTIONS]
        new = MEASURES[name] = Measure(
            name=name,
            function=function,
            kind=kind,
            publications=tuple(source.split("; ")) if source else (),
            defaults={o.name: o.default for o in options if o.default is not NO_DEFAULT},
            required=tuple(o.name for o in options if o.default is NO_DEFAULT),
            **{"path": kind == "per animal", **fields},
        )
        if function.__doc__:  # Python leaves docstrings out with option -OO
            function.__doc__ = measure_doc(new, function.__doc__, signature)
        return function

    return register


def measure_over_frames(
    collector: type[Collector[Result]], kind: Kind = "frames", **fields: Any
) -> OverFrames[Result]:
    """Return the measure that adds frames to a collector and returns its result.

    Its name is that of the class, as `turn_speed` for `TurnSpeed`. Its options are the arguments
    of the class, and its docstring is made from that of the class.
    """
    add_all: Callable[..., Any] = accumulate_hunt if kind == "hunt" else accumulate_all
    _, frames, *flocks = inspect.signature(add_all).parameters.values()
    options = [*inspect.signature(collector).parameters.values(), *flocks]
    signature = inspect.Signature(
        [frames, *(option.replace(kind=option.KEYWORD_ONLY) for option in options)],
        return_annotation=inspect.signature(collector.result).return_annotation,
    )

    def function(*arguments: Any, **keywords: Any) -> Result:
        bound = signature.bind(*arguments, **keywords).arguments
        inputs = {p.name: bound.pop(p.name) for p in (frames, *flocks) if p.name in bound}
        return cast(Result, add_all(collector(**bound), **inputs).result())

    function.__name__ = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", collector.__name__).lower()
    function.__qualname__, function.__module__ = function.__name__, collector.__module__
    function.__doc__ = collector.__doc__
    function.__signature__ = signature  # type: ignore[attr-defined]
    return cast(OverFrames[Result], measure(kind, collector=collector, **fields)(function))


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
    """Return the measure of a kind by its name, or None, also if it needs an option."""
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

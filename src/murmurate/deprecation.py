"""Deprecations: old names that work for one release, with a warning at the caller's line.

Each declaration adds a Deprecation to `DECLARED`; docs/deprecations.md lists all of them, and a
test compares the two. Keywords, attributes and names of modules have a function each:

    @renamed_keywords(burn_in="warm_up")
    def fit(model, *, warm_up=0): ...

    class Simulation:
        boids = renamed_attribute("Simulation", "boids", "n_boids")

    _renamed = renamed_names("murmurate", {"Still": ("murmurate.model.start", "Stationary")})

Keys of files and options of the command line are declared, and warned of where they are read:

    BURN_IN = declare("fit.toml", "burn_in", "warm_up")
    warn_deprecated(BURN_IN)
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Mapping
from functools import wraps
from importlib import import_module
from typing import Any, NamedTuple, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Deprecation(NamedTuple):
    """An old name and the name to use instead.

    Attributes
    ----------
    owner : str
        What has the name: a function ('fit'), a class ('Simulation'), a module ('murmurate'), a
        file ('fit.toml') or a command ('murmurate sweep').
    old, new : str
        The two names. `new` may be an expression, such as 'options=RunOptions(engine=...)'.
    """

    owner: str
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.owner}: {self.old} is deprecated. Use {self.new}"


DECLARED: set[Deprecation] = set()
"""All deprecations of the modules that are imported."""


def declare(owner: str, old: str, new: str) -> Deprecation:
    """Add a deprecation to `DECLARED` and return it."""
    deprecation = Deprecation(owner, old, new)
    DECLARED.add(deprecation)
    return deprecation


def warn_deprecated(deprecation: Deprecation) -> None:
    """Issue a DeprecationWarning at the line of the caller outside of murmurate."""
    warnings.warn(
        f"{deprecation}. The old name goes in the next release",
        DeprecationWarning,
        stacklevel=caller_level(),
    )


def caller_level() -> int:
    """Return the `stacklevel` of the nearest caller outside of murmurate."""
    frame, level = sys._getframe(1), 1
    while frame.f_back and frame.f_globals.get("__name__", "").split(".")[0] == "murmurate":
        frame, level = frame.f_back, level + 1
    return level


def renamed_keywords(**names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that accepts old names of keywords.

    Parameters
    ----------
    **names
        Old name -> new name. The decorated function has the new ones only.

    Raises
    ------
    TypeError
        A call has both names of a keyword.
    """

    def replace(old: Mapping[str, Any], keywords: dict[str, Any], owner: str) -> None:
        for name, value in old.items():
            new = names[name]
            if new in keywords:
                raise TypeError(f"{owner}: got {name} and {new}; expected one. Leave out {name}")
            keywords[new] = value

    return _keywords({name: f"{new}=" for name, new in names.items()}, replace)


def grouped_keywords(
    group: str, build: Callable[[Any, dict[str, Any]], Any], **names: str
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that accepts old keywords which another argument holds now.

    Parameters
    ----------
    group : str
        The new argument, such as 'options'.
    build : callable
        Called with its value in the call (None: absent) and the old keywords; returns the value to
        pass on. Old keywords that are None do not count.
    **names
        Old keyword -> the expression to use instead, such as 'options=RunOptions(engine=...)'.
    """

    def replace(old: Mapping[str, Any], keywords: dict[str, Any], owner: str) -> None:
        keywords[group] = build(keywords.get(group), dict(old))

    return _keywords(names, replace)


def _keywords(
    names: Mapping[str, str],
    replace: Callable[[Mapping[str, Any], dict[str, Any], str], None],
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that warns of old keywords, and calls `replace` with those of a call."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        owner = function.__qualname__.removesuffix(".__init__")
        deprecations = {old: declare(owner, old, new) for old, new in names.items()}

        @wraps(function)
        def call(*arguments: P.args, **keywords: P.kwargs) -> R:
            __tracebackhide__ = True  # notebooks leave this frame out of tracebacks
            old = {name: keywords.pop(name) for name in names if name in keywords}
            old = {name: value for name, value in old.items() if value is not None}
            if old:
                for name in old:
                    warn_deprecated(deprecations[name])
                replace(old, keywords, owner)
            return function(*arguments, **keywords)

        return call

    return decorate


def positional_keywords(*names: str, after: int) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Return a decorator that accepts keywords by position, as an earlier release did.

    Parameters
    ----------
    *names
        The keywords, in their old order.
    after : int
        How many positional arguments the function has.
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        owner = function.__qualname__.removesuffix(".__init__")
        deprecations = [declare(owner, f"{name} by position", f"{name}=") for name in names]

        @wraps(function)
        def call(*arguments: P.args, **keywords: P.kwargs) -> R:
            extra = arguments[after : after + len(names)]
            for deprecation, name, value in zip(deprecations, names, extra, strict=False):
                warn_deprecated(deprecation)
                if name in keywords:
                    raise TypeError(f"{owner}: got {name} twice; expected one. Give {name}=")
                keywords[name] = value
            rest = arguments[:after] + arguments[after + len(names) :]
            return function(*rest, **keywords)  # type: ignore[arg-type]

        return call

    return decorate


def renamed_attribute(owner: str, old: str, new: str) -> Any:
    """Return a property that reads the attribute or method `new`, with a warning."""
    deprecation = declare(owner, old, new)

    def read(instance: object) -> Any:
        warn_deprecated(deprecation)
        return getattr(instance, new)

    read.__doc__ = f"Deprecated name of `{new}`."
    return property(read)


def renamed_names(module: str, names: Mapping[str, tuple[str, str]]) -> Callable[[str], Any]:
    """Return a function for a module's `__getattr__` that reads old names, with a warning.

    Parameters
    ----------
    module : str
        The module, such as 'murmurate'.
    names
        Old name -> the module that has the object, and its path there: ('murmurate.measures',
        'speed'). The message names it as murmurate does: 'murmurate.measures.speed'.

    Returns
    -------
    callable
        Old name -> object. Raises AttributeError for other names.
    """
    deprecations = {
        old: declare(module, old, f"{_public(home)}.{path}") for old, (home, path) in names.items()
    }

    def read(name: str) -> Any:
        if name not in deprecations:
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        warn_deprecated(deprecations[name])
        home, path = names[name]
        return getattr(import_module(home), path)

    return read


def _public(home: str) -> str:
    """Return the module by which users reach a module's names."""
    return home if home in ("murmurate.measures", "murmurate.plots.style") else "murmurate"

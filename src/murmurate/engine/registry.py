"""Engines by name: the built-in ones, registered ones, and those of installed packages.

An engine is a class that follows `murmurate.engine.protocol.Engine`. To make one known, call
`register("mine", MyEngine)`, or let an installed package declare it, so that worker processes and
the command line find it too:

    [project.entry-points."murmurate.engines"]
    mine = "my_package.my_engine:MyEngine"

A module or package is imported when its engine is first asked for, and not before: the reference
engine needs no compiler.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from operator import attrgetter
from typing import Any

from murmurate.errors import ModelError

GROUP = "murmurate.engines"  # of entry points
BUILT_IN = {
    "cpu": ("murmurate.engine.cpu", "CpuEngine"),
    "reference": ("murmurate.engine.reference", "ReferenceEngine"),
    "slabs": ("murmurate.slabs.slab_engine", "SlabEngine"),
    "wasm": ("murmurate.wasm.wasm_engine", "WasmEngine"),
}
SAME_BITS = ("cpu", "slabs")
"""Engines that leave the same bits: one goes on where another ended."""
# what each class must have; murmurate.engine.protocol.Engine says what each of them does
METHODS = ("check", "step", "state", "set_state", "replace_model", "is_compatible", "copy")

_registered: dict[str, type[Any]] = {}


def register(name: str, cls: type[Any]) -> None:
    """Makes an engine known by a name, for this process. The same again changes nothing.

    Raises ModelError for a name that another engine has, and for a class that lacks a method of the
    protocol.
    """
    if not isinstance(name, str) or not name.strip():
        raise ModelError(f"an engine's name is {name!r}: it must be a word")
    if name in BUILT_IN or _registered.get(name, cls) is not cls:
        raise ModelError(f"an engine is called {name!r} already: choose another name")
    _check_class(name, cls)
    _registered[name] = cls


def engine_names() -> tuple[str, ...]:
    """The names of all engines that are known here, the built-in ones first."""
    return tuple(dict.fromkeys([*BUILT_IN, *sorted({*_registered, *_installed()})]))


def check_name(name: object) -> None:
    """Raises ModelError for a name that no engine has; loads none."""
    if name in BUILT_IN or name in _registered:
        return
    known = engine_names()
    if name not in known:
        words = [repr(one) for one in known]
        listed = f"{', '.join(words[:-1])} or {words[-1]}"
        raise ModelError(f"engine is {name!r}: it must be {listed}")


def engine_class(name: str) -> type[Any]:
    """The class of the engine of that name, loaded now if it was not yet. It follows
    `murmurate.engine.protocol.Engine`.

    Raises ModelError for a name that is not known, and for a package's engine that cannot be
    loaded.
    """
    check_name(name)
    if name in BUILT_IN:
        module, attribute = BUILT_IN[name]
        found: type[Any] = getattr(import_module(module), attribute)
        return found
    if name not in _registered:
        register(name, _loaded(_installed()[name]))
    return _registered[name]


def import_path(name: str) -> str:
    """Where another process finds an engine's class, as entry points say it: 'module:Class'; '' for
    an engine that it knows by itself.

    Raises ModelError for a class that another process cannot import.
    """
    if name in BUILT_IN or name not in _registered or name in _installed():
        return ""
    cls = _registered[name]
    module, path = cls.__module__, cls.__qualname__
    if "<" in path or (module == "__main__" and not hasattr(sys.modules[module], "__file__")):
        raise ModelError(
            f"engine {name!r} is known in this process only, and workers are others, which cannot "
            f"import its class {path}: put it at the top of a file that can be imported, or "
            f"declare it as an entry point of the group {GROUP!r}"
        )
    return f"{module}:{path}"


def register_from(name: str, path: str) -> None:
    """Makes an engine known by what import_path says of it in another process. Raises ImportError
    or AttributeError where it is not there."""
    module, _, attributes = path.partition(":")
    register(name, attrgetter(attributes)(import_module(module)))


def _installed() -> dict[str, EntryPoint]:
    """The engines that installed packages declare, by name; none of them is loaded."""
    return {point.name: point for point in entry_points(group=GROUP)}


def _loaded(point: EntryPoint) -> Any:
    try:
        return point.load()
    except Exception as error:
        raise ModelError(
            f"engine {point.name!r} cannot be loaded from {point.value}: "
            f"{type(error).__name__}: {error}"
        ) from error


def _check_class(name: str, cls: Any) -> None:
    missing = [method for method in METHODS if not callable(getattr(cls, method, None))]
    if not isinstance(cls, type) or missing:
        lack = f"it has no {', '.join(missing)}" if missing else "it is no class"
        raise ModelError(
            f"engine {name!r}: {cls!r} cannot be one, since {lack}: see "
            "murmurate.engine.protocol.Engine"
        )

"""Engines by name: the built-in ones, registered ones, and those of installed packages.

An engine is a class that follows `murmurate.engines.protocol.Engine`. To make one known, call
`register("mine", MyEngine)`, or let an installed package declare it, so that worker processes and
the command line find it too:

    [project.entry-points."murmurate.engines"]
    mine = "my_package.my_engine:MyEngine"

    [project.entry-points."murmurate.engine_options"]
    mine = "my_package.my_options:MyOptions"

The second is for an engine with options of its own, `MyEngine.Options`. A module or package is
imported when its engine is first used, and that of options when these are: the reference engine
needs no compiler, and options of engine 'slabs' are checked without Ray.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from operator import attrgetter
from typing import Any

from murmurate.engines.base import EngineBase, EngineOptions
from murmurate.errors import ModelError

GROUP = "murmurate.engines"  # of entry points
OPTIONS_GROUP = "murmurate.engine_options"


@dataclass(frozen=True)
class BuiltIn:
    """Where the class of an engine is, and that of its options: 'module:Class'."""

    engine: str
    options: str = "murmurate.engines.base:EngineOptions"


BUILT_IN = {
    "cpu": BuiltIn("murmurate.engines.cpu.cpu_engine:CpuEngine"),
    "reference": BuiltIn("murmurate.engines.reference.reference_engine:ReferenceEngine"),
    "slabs": BuiltIn(
        "murmurate.engines.slabs.slab_engine:SlabEngine",
        "murmurate.engines.slabs.slab_options:Slabs",
    ),
    "wasm": BuiltIn("murmurate.engines.wasm.wasm_engine:WasmEngine"),
}
# what each class must have; murmurate.engines.base.EngineBase has the rest of the protocol
METHODS = ("step", "state", "set_state", "replace_model")
COMPLETED = "_completed_class"
"""The attribute of a class that was given its defaults here: the class as it was registered."""

_registered: dict[str, type[EngineBase]] = {}


def register(name: str, cls: type[Any]) -> None:
    """Make an engine known by a name, for this process. The same again changes nothing.

    Parameters
    ----------
    name
        A name that no engine has.
    cls
        A class that follows murmurate.engines.protocol.Engine. What EngineBase has and the class
        lacks is taken from there.

    Raises
    ------
    ModelError
        Another engine has the name, or the class lacks a method of the protocol, or its Options
        cannot be options.
    """
    if not isinstance(name, str) or not name.strip():
        raise ModelError(f"an engine's name is {name!r}: it must be a word")
    known = _registered.get(name)
    if known is not None and vars(known).get(COMPLETED, known) is cls:
        return
    if name in BUILT_IN or known is not None:
        raise ModelError(f"an engine is called {name!r} already: choose another name")
    _registered[name] = _complete(name, cls)


def engine_names() -> tuple[str, ...]:
    """The names of all engines that are known here, the built-in ones first."""
    return tuple(dict.fromkeys([*BUILT_IN, *sorted({*_registered, *_installed()})]))


def check_name(name: object) -> None:
    """Raises ModelError for a name that no engine has; loads none."""
    if isinstance(name, str) and (name in BUILT_IN or name in _registered):
        return
    known = engine_names()
    if not isinstance(name, str) or name not in known:
        words = [repr(one) for one in known]
        listed = f"{', '.join(words[:-1])} or {words[-1]}" if words[1:] else "".join(words)
        raise ModelError(f"engine is {name!r}: it must be {listed}")


def engine_class(name: str) -> type[Any]:
    """The class of the engine of that name, loaded now if it was not yet. It follows
    `murmurate.engines.protocol.Engine`.

    Raises ModelError for a name that is not known, and for a package's engine that cannot be
    loaded.
    """
    check_name(name)
    if name in BUILT_IN:
        built_in: type[Any] = _imported(BUILT_IN[name].engine)
        return built_in
    if name not in _registered:
        register(name, _loaded(_installed()[name]))
    return _registered[name]


def engine_family(name: str) -> str:
    """Return the family of an engine: engines of one family leave the same bits. Where it depends
    on the device, that is known of an engine only once it is made; see Simulation.family.

    Raises ModelError as engine_class does.
    """
    family = engine_class(name).family  # a property, where it depends on the device
    return family if isinstance(family, str) and family else name


def options_class(name: str) -> type[EngineOptions]:
    """Return the class of what only the engine of that name has. The engine is not loaded, unless
    its package declares no options.

    Raises ModelError for a name that is not known, and for what cannot be loaded or be options.
    """
    check_name(name)
    if name in BUILT_IN or name in _registered or name not in _installed(OPTIONS_GROUP):
        known = BUILT_IN.get(name)
        options: type[EngineOptions] = (
            engine_class(name).Options if known is None else _imported(known.options)
        )
        return options
    return _checked_options(name, _loaded(_installed(OPTIONS_GROUP)[name]))


def option_classes() -> dict[str, type[EngineOptions]]:
    """Return the classes of options that are known without loading an engine: name of the engine ->
    class. Options of a package that cannot be loaded are left out: asking for the engine says why.
    """
    found = {name: options_class(name) for name in (*BUILT_IN, *_registered)}
    for name in _installed(OPTIONS_GROUP).keys() & _installed().keys() - found.keys():
        try:
            found[name] = options_class(name)
        except ModelError:
            continue
    return found


def options_of(name: str, values: Mapping[str, Any]) -> EngineOptions:
    """Return the options of an engine from the values of their fields.

    Raises
    ------
    ModelError
        The engine has no such option, or the value is not allowed.
    """
    cls = options_class(name)
    own = {field.name for field in fields(cls)}
    for field, value in values.items():
        if field not in own:
            raise ModelError(no_such_option(name, field, field, value))
    return cls(**values)


def no_such_option(name: str, option: str, field: str, value: object) -> str:
    """Return the message about an option that an engine does not have.

    option  as it was given, such as '--workers'
    field   its name in the options of engines that have it
    """
    have = [
        repr(other)
        for other, cls in sorted(option_classes().items())
        if field in {one.name for one in fields(cls)}
    ]
    other = f", or choose engine {' or '.join(have)}" if have else ""
    return (
        f"{option}: got {value!r}; expected nothing, since engine {name!r} has no such "
        f"option. Leave it out{other}"
    )


def import_path(name: str) -> str:
    """Where another process finds an engine's class, as entry points say it: 'module:Class'; '' for
    an engine that it knows by itself.

    Raises ModelError for a class that another process cannot import.
    """
    if name in BUILT_IN or name not in _registered or name in _installed():
        return ""
    engine = _registered[name]
    for cls in (engine.Options, engine):
        module, path = cls.__module__, cls.__qualname__
        if "<" in path or (module == "__main__" and not hasattr(sys.modules[module], "__file__")):
            raise ModelError(
                f"engine {name!r} is known in this process only, and workers are others, which "
                f"cannot import its class {path}: put it at the top of a file that can be "
                f"imported, or declare it as an entry point of the group {GROUP!r}"
            )
    return f"{module}:{path}"


def register_from(name: str, path: str) -> None:
    """Makes an engine known by what import_path says of it in another process. Raises ImportError
    or AttributeError where it is not there."""
    register(name, _imported(path))


def _imported(path: str) -> Any:
    """What stands at 'module:Class'."""
    module, _, attributes = path.partition(":")
    return attrgetter(attributes)(import_module(module))


def _installed(group: str = GROUP) -> dict[str, EntryPoint]:
    """What installed packages declare, by the name of the engine; nothing is loaded."""
    return {point.name: point for point in entry_points(group=group)}


def _loaded(point: EntryPoint) -> Any:
    try:
        return point.load()
    except Exception as error:
        what = "engine" if point.group == GROUP else "options of engine"
        raise ModelError(
            f"{what} {point.name!r} cannot be loaded from {point.value}: "
            f"{type(error).__name__}: {error}"
        ) from error


def _complete(name: str, cls: Any) -> type[EngineBase]:
    """The class, with what EngineBase has and it lacks. Raises ModelError for what is no engine."""
    missing = [method for method in METHODS if not _has(cls, method)]
    if not isinstance(cls, type) or missing:
        lack = f"it has no {', '.join(missing)}" if missing else "it is no class"
        raise ModelError(
            f"engine {name!r}: {cls!r} cannot be one, since {lack}: see "
            "murmurate.engines.protocol.Engine"
        )
    _checked_options(name, getattr(cls, "Options", EngineOptions))
    if issubclass(cls, EngineBase):
        return cls
    own = {key: getattr(cls, key) for key in ("__module__", "__qualname__", "__doc__")}
    return type(cls.__name__, (cls, EngineBase), own | {COMPLETED: cls})


def _has(cls: Any, method: str) -> bool:
    found = getattr(cls, method, None)
    return callable(found) and not getattr(found, "__isabstractmethod__", False)


def _checked_options(name: str, cls: Any) -> type[EngineOptions]:
    """The class. Raises ModelError for one that cannot be that of options."""
    if not (isinstance(cls, type) and issubclass(cls, EngineOptions)):
        wrong = "a subclass of EngineOptions"
    elif "__dataclass_params__" not in vars(cls):
        wrong = "a frozen dataclass"
    else:
        try:
            cls()
            return cls
        except TypeError:
            wrong = "a dataclass whose fields have defaults"
    raise ModelError(
        f"engine {name!r}: got {cls!r} as its Options; expected {wrong}. See murmurate.engines.base"
    )

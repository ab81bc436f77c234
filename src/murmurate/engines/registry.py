"""Engines by name: built-in ones, registered ones, and those of installed packages.

An engine is a class with the methods of `murmurate.engines.base.EngineBase`.
`register("mine", MyEngine)` makes it known to this process. An installed package can declare it
instead, so that worker processes and the command line find it too:

    [project.entry-points."murmurate.engines"]
    mine = "my_package.my_engine:MyEngine"

    [project.entry-points."murmurate.engine_options"]
    mine = "my_package.my_options:MyOptions"

The second is for an engine with `MyEngine.Options`. The modules are imported when the engine or its
options are first used: the reference engine needs no compiler, and options of engine 'slabs' are
checked without Ray.
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
    """Where the class of an engine and the class of its options are defined: 'module:Class'."""

    engine: str
    options: str = "murmurate.engines.base:EngineOptions"


BUILT_IN = {
    "cpu": BuiltIn("murmurate.engines.cpu.cpu_engine:CpuEngine"),
    "gpu": BuiltIn(
        "murmurate.engines.gpu.gpu_engine:GpuEngine", "murmurate.engines.gpu.gpu_options:Gpu"
    ),
    "reference": BuiltIn("murmurate.engines.reference.reference_engine:ReferenceEngine"),
    "slabs": BuiltIn(
        "murmurate.engines.slabs.slab_engine:SlabEngine",
        "murmurate.engines.slabs.slab_options:Slabs",
    ),
    "wasm": BuiltIn("murmurate.engines.wasm.wasm_engine:WasmEngine"),
}
# methods that a class must define; EngineBase has defaults for the others
METHODS = ("step", "state", "set_state", "replace_model")
COMPLETED = "_completed_class"
"""Attribute of a class to which `register` added defaults: the class that was registered."""

REGISTERED: dict[str, type[EngineBase]] = {}
"""Engines that `register` added, by name."""


def register(name: str, cls: type[Any]) -> None:
    """Register an engine under a name, for this process.

    Registering the same class again has no effect.

    name  a name that no engine has
    cls  a class with the methods of murmurate.engines.base.EngineBase, or a subclass. It inherits
        methods that it lacks.
    raises ModelError  another engine has the name, the class lacks a required method, or its
        Options is not a class of options
    """
    if not isinstance(name, str) or not name.strip():
        raise ModelError(f"name of an engine: got {name!r}; expected a word")
    present = REGISTERED.get(name)
    if present is not None and vars(present).get(COMPLETED, present) is cls:
        return
    if name in BUILT_IN or present is not None:
        raise ModelError(
            f"name of an engine: got {name!r}; expected a name that no engine has. Choose another"
        )
    REGISTERED[name] = _complete(name, cls)


def unregister(name: str) -> None:
    """Remove an engine that `register` added; other names have no effect."""
    REGISTERED.pop(name, None)


def engine_names() -> tuple[str, ...]:
    """Return the names of all engines, the built-in ones first."""
    return tuple(dict.fromkeys([*BUILT_IN, *sorted({*REGISTERED, *_installed()})]))


def check_name(name: object) -> None:
    """Raise ModelError if no engine has this name. No engine is loaded."""
    if isinstance(name, str) and (name in BUILT_IN or name in REGISTERED):
        return
    names = engine_names()
    if not isinstance(name, str) or name not in names:
        words = [repr(word) for word in names]
        expected = f"{', '.join(words[:-1])} or {words[-1]}" if words[1:] else "".join(words)
        raise ModelError(f"engine: got {name!r}; expected {expected}")


def engine_class(name: str) -> type[Any]:
    """Return the class of an engine, which derives from `murmurate.engines.base.EngineBase`.

    The first call imports its module.

    raises ModelError  no engine has the name, or the engine of a package cannot be loaded
    """
    check_name(name)
    if name in BUILT_IN:
        built_in: type[Any] = _import(BUILT_IN[name].engine)
        return built_in
    if name not in REGISTERED:
        register(name, _load(_installed()[name]))
    return REGISTERED[name]


def engine_family(name: str) -> str:
    """Return the family of an engine: engines of one family produce equal bits.

    A family that depends on the device is known only for an instance; see Simulation.family.

    raises ModelError  no engine has the name, or the engine of a package cannot be loaded
    """
    family = engine_class(name).family  # a property if it depends on the device
    return family if isinstance(family, str) and family else name


def options_class(name: str) -> type[EngineOptions]:
    """Return the class of an engine's options.

    This does not load the engine, unless its package declares no options.

    raises ModelError  no engine has the name, or its options cannot be loaded or are not a class of
        options
    """
    check_name(name)
    if name in BUILT_IN or name in REGISTERED or name not in _installed(OPTIONS_GROUP):
        built_in = BUILT_IN.get(name)
        options: type[EngineOptions] = (
            engine_class(name).Options if built_in is None else _import(built_in.options)
        )
        return options
    return _check_options(name, _load(_installed(OPTIONS_GROUP)[name]))


def option_classes() -> dict[str, type[EngineOptions]]:
    """Return the classes of options by name of the engine, without loading an engine.

    The result omits options of a package that cannot be loaded: `engine_class` reports the cause.
    """
    classes = {name: options_class(name) for name in (*BUILT_IN, *REGISTERED)}
    for name in _installed(OPTIONS_GROUP).keys() & _installed().keys() - classes.keys():
        try:
            classes[name] = options_class(name)
        except ModelError:
            continue
    return classes


def options_of(name: str, values: Mapping[str, Any]) -> EngineOptions:
    """Return the options of an engine from the values of their fields, or raise ModelError."""
    cls = options_class(name)
    names = {field.name for field in fields(cls)}
    for field, value in values.items():
        if field not in names:
            raise ModelError(no_such_option(name, field, field, value))
    return cls(**values)


def no_such_option(name: str, option: str, field: str, value: object) -> str:
    """Return the message about an option that an engine does not have.

    name  the engine
    option  the option as the user wrote it, such as '--workers'
    field  its name in the options of engines that have it
    """
    engines = [
        repr(other)
        for other, cls in sorted(option_classes().items())
        if field in {own.name for own in fields(cls)}
    ]
    other = f", or choose engine {' or '.join(engines)}" if engines else ""
    return (
        f"{option}: got {value!r}; expected nothing, since engine {name!r} has no such "
        f"option. Leave it out{other}"
    )


def import_path(name: str) -> str:
    """Return where another process finds an engine's class: 'module:Class', as in entry points.

    The result is empty for an engine that every process knows.

    raises ModelError  another process cannot import the class
    """
    if name in BUILT_IN or name not in REGISTERED or name in _installed():
        return ""
    engine = REGISTERED[name]
    for cls in (engine.Options, engine):
        module, path = cls.__module__, cls.__qualname__
        if "<" in path or (module == "__main__" and not hasattr(sys.modules[module], "__file__")):
            raise ModelError(
                f"engine {name!r}: got class {path}; expected a class that worker processes can "
                "import. Define it at the top of a file that can be imported, or declare it as an "
                f"entry point of the group {GROUP!r}"
            )
    return f"{module}:{path}"


def register_from(name: str, path: str) -> None:
    """Register an engine by its `import_path` in another process."""
    register(name, _import(path))


def _import(path: str) -> Any:
    """Import an object by its path 'module:Class'."""
    module, _, attributes = path.partition(":")
    return attrgetter(attributes)(import_module(module))


def _installed(group: str = GROUP) -> dict[str, EntryPoint]:
    """Return the entry points of installed packages by name of the engine, without loading them."""
    return {point.name: point for point in entry_points(group=group)}


def _load(point: EntryPoint) -> Any:
    """Load an entry point. Raise ModelError if that fails."""
    try:
        return point.load()
    except Exception as error:
        what = "engine" if point.group == GROUP else "options of engine"
        raise ModelError(
            f"{what} {point.name!r} cannot be loaded from {point.value}: "
            f"{type(error).__name__}: {error}. Mend or uninstall the package that declares it"
        ) from error


def _complete(name: str, cls: Any) -> type[EngineBase]:
    """Return the class with defaults of EngineBase. Raise ModelError unless it is an engine."""
    missing = [method for method in METHODS if not _has(cls, method)]
    if not isinstance(cls, type) or missing:
        methods = f"with the methods {', '.join(missing)}" if missing else "of an engine"
        raise ModelError(
            f"engine {name!r}: got {cls!r}; expected a class {methods}. See "
            "murmurate.engines.base.EngineBase"
        )
    _check_options(name, getattr(cls, "Options", EngineOptions))
    if issubclass(cls, EngineBase):
        return cls
    own = {key: getattr(cls, key) for key in ("__module__", "__qualname__", "__doc__")}
    return type(cls.__name__, (cls, EngineBase), own | {COMPLETED: cls})


def _has(cls: Any, name: str) -> bool:
    """Return whether a class defines a method."""
    method = getattr(cls, name, None)
    return callable(method) and not getattr(method, "__isabstractmethod__", False)


def _check_options(name: str, cls: Any) -> type[EngineOptions]:
    """Return the class. Raise ModelError unless it is a class of options."""
    if not (isinstance(cls, type) and issubclass(cls, EngineOptions)):
        expected = "a subclass of EngineOptions"
    elif "__dataclass_params__" not in vars(cls):
        expected = "a frozen dataclass"
    else:
        try:
            cls()
            return cls
        except TypeError:
            expected = "a dataclass whose fields have defaults"
    raise ModelError(
        f"engine {name!r}: got {cls!r} as its Options; expected {expected}. See "
        "murmurate.engines.base.EngineOptions"
    )

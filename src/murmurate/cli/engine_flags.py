"""Options of engines on the command line, generated from the fields of EngineOptions classes.

An option of a built-in engine has the name of its field: --workers. An option of another package
has the name of its engine too, --their-engine.depth, so that names cannot collide.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, make_dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

from cyclopts import Group, Parameter

from murmurate.engines.base import EngineChoice
from murmurate.engines.registry import (
    BUILT_IN,
    check_name,
    no_such_option,
    option_classes,
    options_class,
)
from murmurate.errors import CommandError

FLIGHT = Group("The simulation", sort_key=1)


@dataclass(frozen=True)
class Flag:
    """An option of the command line.

    option   the name with dashes, such as '--workers'
    field    its name in the options of engines
    engines  engine -> help and type of its field
    """

    option: str
    field: str
    engines: dict[str, tuple[str, Any]]


def _flags() -> dict[str, Flag]:
    """Return the options by the name of their attribute in OwnOptions."""
    flags: dict[str, Flag] = {}
    for engine, cls in option_classes().items():
        types = get_type_hints(cls)
        for field in fields(cls):
            built_in, word = engine in BUILT_IN, field.name.replace("_", "-")
            name = field.name if built_in else f"{engine} {field.name}"
            option = f"--{word}" if built_in else f"--{engine}.{word}"
            flag = flags.setdefault(name, Flag(option, field.name, {}))
            flag.engines[engine] = field.metadata.get("help", ""), types[field.name]
    return {f"option_{k}": flag for k, flag in enumerate(flags.values())}


def _own_class(flags: dict[str, Flag]) -> type[Any]:
    """Return a dataclass of options for cyclopts. None: the option is absent."""
    specs = []
    for name, flag in flags.items():
        texts = [
            f"With --engine {engine}{f': {text}' if text else ''}."
            for engine, (text, _) in flag.engines.items()
        ]
        parameter = Parameter(name=flag.option, help=" ".join(texts))
        type_ = reduce(or_, (type_ for _, type_ in flag.engines.values()), None)
        specs.append((name, Annotated[type_, parameter], None))
    cls = make_dataclass(
        "OwnOptions", specs, namespace={"__module__": __name__}, frozen=True, kw_only=True
    )
    return Parameter(name="*", group=FLIGHT)(cls)


FLAGS = _flags()

if TYPE_CHECKING:

    class OwnOptions:
        """Values of the options of engines. None: the option is absent."""

else:
    OwnOptions = _own_class(FLAGS)


def _passed_flags(own: OwnOptions | None) -> list[tuple[Flag, Any]]:
    values = [(flag, getattr(own, name, None)) for name, flag in FLAGS.items()]
    return [(flag, value) for flag, value in values if value is not None]


def own_words(own: OwnOptions | None) -> list[str]:
    """Return the options of engines on the command line, such as '--workers'."""
    return [flag.option for flag, _ in _passed_flags(own)]


def chosen(engine: str, own: OwnOptions | None) -> EngineChoice:
    """Return the engine that options of the command line select.

    raises CommandError  the engine does not have the option
    raises ModelError  the engine is not known, or a value is not allowed
    """
    passed = _passed_flags(own)
    if not passed:
        return engine
    check_name(engine)
    for flag, value in passed:
        if engine not in flag.engines:
            raise CommandError(no_such_option(engine, flag.option, flag.field, value))
    return options_class(engine)(**{flag.field: value for flag, value in passed})

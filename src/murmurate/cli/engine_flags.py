"""Options of the command line that are fields of the options of engines: see EngineOptions.

They are made from the fields, so an engine with a new option needs nothing here. Those of built-in
engines are called by the name of the field, --workers, and those of other packages by the name of
the engine too, --their-engine.depth, so that they cannot collide with options of commands.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, make_dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

from cyclopts import Group, Parameter

from murmurate.cli.terminal import CommandError
from murmurate.engines.base import EngineChoice
from murmurate.engines.registry import (
    BUILT_IN,
    check_name,
    no_such_option,
    option_classes,
    options_class,
)

FLIGHT = Group("The flight", sort_key=1)


@dataclass(frozen=True)
class Flag:
    """An option of the command line.

    option   as it is given, such as '--workers'
    field    its name in the options of engines
    engines  engine -> help and type of its field
    """

    option: str
    field: str
    engines: dict[str, tuple[str, Any]]


def _flags() -> dict[str, Flag]:
    """Options by the name of their attribute in OwnOptions."""
    found: dict[str, Flag] = {}
    for engine, cls in option_classes().items():
        types = get_type_hints(cls)
        for field in fields(cls):
            built_in, word = engine in BUILT_IN, field.name.replace("_", "-")
            name = field.name if built_in else f"{engine} {field.name}"
            option = f"--{word}" if built_in else f"--{engine}.{word}"
            flag = found.setdefault(name, Flag(option, field.name, {}))
            flag.engines[engine] = field.metadata.get("help", ""), types[field.name]
    return {f"option_{k}": flag for k, flag in enumerate(found.values())}


def _own_class(flags: dict[str, Flag]) -> type[Any]:
    """A dataclass of options, which cyclopts reads; None: not given."""
    made = []
    for name, flag in flags.items():
        texts = [
            f"With --engine {engine}{f': {text}' if text else ''}."
            for engine, (text, _) in flag.engines.items()
        ]
        parameter = Parameter(name=flag.option, help=" ".join(texts))
        type_ = reduce(or_, (type_ for _, type_ in flag.engines.values()), None)
        made.append((name, Annotated[type_, parameter], None))
    found = make_dataclass(
        "OwnOptions", made, namespace={"__module__": __name__}, frozen=True, kw_only=True
    )
    return Parameter(name="*", group=FLIGHT)(found)


FLAGS = _flags()

if TYPE_CHECKING:

    class OwnOptions:
        """What was given of the options of engines; None: not given."""

else:
    OwnOptions = _own_class(FLAGS)


def _given(own: OwnOptions | None) -> list[tuple[Flag, Any]]:
    values = [(flag, getattr(own, name, None)) for name, flag in FLAGS.items()]
    return [(flag, value) for flag, value in values if value is not None]


def own_words(own: OwnOptions | None) -> list[str]:
    """Return the options of engines that were given, such as '--workers'."""
    return [flag.option for flag, _ in _given(own)]


def chosen(engine: str, own: OwnOptions | None) -> EngineChoice:
    """Return the engine that options of the command line ask for.

    Raises
    ------
    CommandError
        An option is given that the engine does not have.
    ModelError
        The engine is not known, or a value is not allowed.
    """
    given = _given(own)
    if not given:
        return engine
    check_name(engine)
    for flag, value in given:
        if engine not in flag.engines:
            raise CommandError(no_such_option(engine, flag.option, flag.field, value))
    return options_class(engine)(**{flag.field: value for flag, value in given})

"""What the classes of a model say about themselves: the fields of each, with units, bounds,
defaults and descriptions. The JSON schema and docs/reference.md are both written from this."""

from __future__ import annotations

import inspect
import math
import re
import types
import typing
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

import murmurate.rules  # noqa: F401  (makes the built-in kinds known)
from murmurate.model.motion import MOTIONS, Motion
from murmurate.model.quantity import quantities
from murmurate.model.rule import KINDS, NeighbourRule, Rule
from murmurate.model.value import Value

UNIT = re.compile(r"\s*Unit: ([^.]+)\.$")
FAMILIES = ("reynolds", "others", "places", "paths", "noise")
REQUIRED = PydanticUndefined


def rules() -> dict[str, type[Rule]]:
    """The built-in rules, family by family: kind -> class."""
    return _built_in(KINDS)


def motions() -> dict[str, type[Motion]]:
    """The built-in motions: kind -> class."""
    return _built_in(MOTIONS)


def _built_in(registry: Any) -> dict[str, Any]:
    known = [(k, c) for k, c in registry.items() if c.__module__.startswith("murmurate.")]
    return dict(sorted(known, key=lambda item: _family(item[1])))


def _family(cls: type) -> int:
    name = cls.__module__.rpartition(".")[2]
    return FAMILIES.index(name) if name in FAMILIES else len(FAMILIES)


def base_of(cls: type[Rule]) -> type[Rule]:
    """What a rule shares with others: the fields of a Rule or of a NeighbourRule."""
    return NeighbourRule if issubclass(cls, NeighbourRule) else Rule


def described(cls: type[BaseModel], name: str) -> tuple[str, str]:
    """A field's description, and the unit that it or the description gives."""
    assert issubclass(cls, Value)
    text = " ".join(cls.field_texts().get(name, "").split())
    extra = cls.model_fields[name].json_schema_extra
    unit = str(extra.get("unit", "")) if isinstance(extra, dict) else ""
    if found := UNIT.search(text):
        unit, text = unit or found[1], text[: found.start()]
    return text, unit


def docstring(thing: type | Callable[..., Any]) -> str:
    return inspect.getdoc(thing) or ""


def is_quantity(cls: type[BaseModel], name: str) -> bool:
    """Whether a field is a scalar, or a vector of them, each of which may be a schedule."""
    return name in quantities(cls)  # type: ignore[arg-type]


def is_vector(field: FieldInfo) -> bool:
    return any(
        get_origin(inner) is tuple for inner in (field.annotation, *_inner(field.annotation))
    )


def bounds(extra: Any) -> str:
    """'> 0 or inf'."""
    signs = {"exclusiveMinimum": ">", "minimum": ">=", "maximum": "<="}
    text = " and ".join(f"{sign} {extra[key]:g}" for key, sign in signs.items() if key in extra)
    return f"{text} or inf" if text and extra["infinite"] else text


def limits(field: FieldInfo) -> dict[str, float]:
    """The bounds of a field that is no quantity, by their JSON schema names."""
    return _limits([*field.metadata, *_metadata(field.annotation)])


def _limits(metadata: list[Any]) -> dict[str, float]:
    names = {
        "gt": "exclusiveMinimum", "ge": "minimum", "le": "maximum",
        "min_length": "minItems", "max_length": "maxItems",
    }  # fmt: skip
    found: dict[str, float] = {}
    for item in metadata:
        for part in (item, *getattr(item, "metadata", ())):
            for name, word in names.items():
                if getattr(part, name, None) is not None:
                    found[word] = getattr(part, name)
    return found


def _metadata(annotation: Any) -> list[Any]:
    return list(annotation.__metadata__) if get_origin(annotation) is Annotated else []


def _inner(annotation: Any) -> Iterator[Any]:
    for inner in get_args(annotation):
        yield inner
        yield from _inner(inner)


def schema_of(annotation: Any, metadata: list[Any], refer: Callable[[type], Any]) -> Any:
    """The JSON schema of a type; `refer` gives the one of a class."""
    if get_origin(annotation) is Annotated:
        base, *more = get_args(annotation)
        return schema_of(base, [*more, *metadata], refer)
    origin, inner = get_origin(annotation), get_args(annotation)
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in (Union, types.UnionType):
        parts = [schema_of(part, [], refer) for part in inner if part is not type(None)]
        return (parts[0] if len(parts) == 1 else {"anyOf": parts}) | _limits(metadata)
    if origin is tuple:
        schema: Any = {"type": "array"}
        if len(inner) == 2 and inner[1] is Ellipsis:
            schema["items"] = schema_of(inner[0], [], refer)
        else:
            schema["items"] = schema_of(inner[0], [], refer)
            schema |= {"minItems": len(inner), "maxItems": len(inner)}
        return schema | _limits(metadata)
    if origin is dict:
        return {"type": "object", "additionalProperties": schema_of(inner[1], [], refer)}
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return refer(annotation)
    words = {float: "number", int: "integer", str: "string", bool: "boolean"}
    if annotation is Any or annotation not in words:
        return {}
    return {"type": words[annotation]} | _limits(metadata)


def kind_of_value(cls: type[BaseModel]) -> str:
    """'ball' of InBall."""
    return str(cls.model_fields["kind"].default)


def members(union: Any) -> list[type[BaseModel]]:
    """The classes of a union of values."""
    if get_origin(union) is Annotated:
        union = get_args(union)[0]
    return [part for part in typing.get_args(union) if isinstance(part, type)]


def plain_number(value: Any) -> Any:
    """A default as JSON can hold it; infinity has no JSON."""
    if isinstance(value, BaseModel):
        return None
    if isinstance(value, tuple):
        return [plain_number(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value

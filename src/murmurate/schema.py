"""The fields of model files with units, bounds and descriptions, and their JSON schema (draft 7).

Editors complete and check model files with the schema. The reference in the documentation is
written from the same functions.
"""

from __future__ import annotations

import inspect
import json
import math
import re
import typing
from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined

import murmurate.rules  # noqa: F401  (makes the built-in kinds known)
from murmurate.model.distribution import DISTRIBUTIONS, Distribution, Each
from murmurate.model.flock import Flock
from murmurate.model.model import Model
from murmurate.model.quantity import SCHEDULES, may_differ, quantities
from murmurate.model.registry import MOTIONS, RULES
from murmurate.model.rule import Motion, NeighbourRule, Rule
from murmurate.model.rule_functions import is_of_user
from murmurate.model.value import Value, json_schema

UNIT = re.compile(r"\s*Unit: ([^.]+)\.$")
FAMILIES = ("interactions", "individual")
REQUIRED = PydanticUndefined
KEYS = (
    "type", "exclusiveMinimum", "minimum", "maximum", "minItems", "maxItems", "maxLength",
)  # fmt: skip


def rules() -> dict[str, type[Rule]]:
    """Return the built-in rules, sorted by family: kind -> class."""
    return _built_in(RULES)


def motions() -> dict[str, type[Motion]]:
    """Return the built-in motions: kind -> class."""
    return _built_in(MOTIONS)


def _built_in(registry: Any) -> dict[str, Any]:
    classes = [(k, c) for k, c in registry.items() if not is_of_user(c)]
    return dict(sorted(classes, key=lambda item: _family(item[1])))


def _family(cls: type) -> int:
    name = cls.__module__.rpartition(".")[2]
    return FAMILIES.index(name) if name in FAMILIES else len(FAMILIES)


def base_of(cls: type[Rule]) -> type[Rule]:
    """Return the base class of a rule, NeighbourRule or Rule."""
    return NeighbourRule if issubclass(cls, NeighbourRule) else Rule


def describe(cls: type[BaseModel], name: str) -> tuple[str, str]:
    """Return the description of a field, and its unit, which may be in the description."""
    assert issubclass(cls, Value)
    text = " ".join(cls.field_texts().get(name, "").split())
    extra = cls.model_fields[name].json_schema_extra
    unit = str(extra.get("unit", "")) if isinstance(extra, dict) else ""
    if match := UNIT.search(text):
        unit, text = unit or match[1], text[: match.start()]
    return text, unit


def parameter_label(model: Model | None, path: str) -> str:
    """Return the name of a number for an axis or a table: 'noise (rad)', 'alignment weight'.

    model  its classes state the unit. None: the label has none.
    path  dotted path, such as 'flocks.boids.motion.noise'. The name of a flock is left out if the
        model has no other one.
    """
    first, *rest = path.split(".")
    label, several = path, model is None or len(model.flocks) > 1
    if first == "rules":
        label = " ".join(rest)
    elif first == "flocks" and len(rest) > 1:
        flock, *rest = rest
        rest = rest[1:] if rest[0] == "motion" and len(rest) > 1 else rest
        of = f" of {flock}" if several else ""
        label = f"number of {flock}" if rest == ["count"] else " ".join(rest) + of
    else:
        label = " ".join((first, *rest))
    unit = "" if model is None else parameter_unit(model, path)
    return label.replace("_", " ") + (f" ({unit})" if unit else "")


def parameter_unit(model: Model, path: str) -> str:
    """Return the unit of a number of a model, such as 'rad' or 'length'; '' if it has none.

    The numbers of a distribution have the unit of the number that is distributed.
    """
    value: Any = model
    unit = ""
    for key in path.split("."):
        if isinstance(value, Value):
            own = describe(type(value), key)[1] if key in type(value).model_fields else ""
            unit = unit if isinstance(value, Distribution) else own
        try:
            if isinstance(value, Mapping):
                value = value[key]
            else:
                value = value[int(key)] if isinstance(value, tuple) else getattr(value, key)
        except (AttributeError, IndexError, KeyError, ValueError):
            return unit  # of a value that a change of the model adds
    words = {"radians": "rad", "degrees": "°", "speed": "length/time"}
    if unit.startswith("speed/"):
        unit = unit.replace("speed/time", "length/time^2")
    return re.sub(r"\b(radians|degrees|speed)\b", lambda match: words[match[0]], unit)


def docstring(thing: type | Callable[..., Any]) -> str:
    """Return the docstring of a class or function; '' if it has none."""
    return inspect.getdoc(thing) or ""


def is_quantity(cls: type[BaseModel], name: str) -> bool:
    """Return whether a field is a scalar or a vector, whose numbers may be schedules."""
    return name in quantities(cls)  # type: ignore[arg-type]


def is_vector(field: FieldInfo) -> bool:
    """Return whether a quantity is a vector."""
    return any(
        get_origin(inner) is tuple for inner in (field.annotation, *_inner(field.annotation))
    )


def bounds(extra: Any) -> str:
    """Return the bounds of a quantity, such as '> 0 or inf'."""
    signs = {"exclusiveMinimum": ">", "minimum": ">=", "maximum": "<="}
    text = " and ".join(f"{sign} {extra[key]:g}" for key, sign in signs.items() if key in extra)
    return f"{text} or inf" if text and extra["infinite"] else text


def _inner(annotation: Any) -> Iterator[Any]:
    for inner in get_args(annotation):
        yield inner
        yield from _inner(inner)


def field_schema(cls: type[BaseModel], name: str, refer: Callable[[type], Any]) -> Any:
    """Return the JSON schema of a field; it is made from that of pydantic.

    refer  returns the schema of a class
    """
    annotation = cls.model_fields[name].annotation
    classes = {
        part.__name__: part for part in (annotation, *_inner(annotation)) if isinstance(part, type)
    }

    def short(schema: Any) -> Any:
        if "$ref" in schema:
            return refer(classes[schema["$ref"].rpartition("/")[2]])
        if "const" in schema or "enum" in schema:
            return {"enum": schema.get("enum") or [schema["const"]]}
        if union := schema.get("anyOf") or schema.get("oneOf"):
            parts = [short(part) for part in union if part != {"type": "null"}]
            return parts[0] if len(parts) == 1 else {"anyOf": parts}
        result = {key: schema[key] for key in KEYS if key in schema}
        if schema.get("type") == "array":
            result["items"] = short((schema.get("prefixItems") or [schema.get("items", {})])[0])
        if schema.get("type") == "object":
            of_key = schema.get("additionalProperties")
            result["additionalProperties"] = short(of_key) if isinstance(of_key, dict) else {}
        return result

    return short(json_schema(cls)["properties"][name])


def kind_of_value(cls: type[BaseModel]) -> str:
    """Return the kind of a start, obstacle or schedule: 'ball' for InBall."""
    return str(cls.model_fields["kind"].default)


def members(union: Any) -> list[type[BaseModel]]:
    """Return the classes of a union."""
    if get_origin(union) is Annotated:
        union = get_args(union)[0]
    return [part for part in typing.get_args(union) if isinstance(part, type)]


def plain_number(value: Any) -> Any:
    """Return a default as JSON can hold it; None for infinity."""
    if isinstance(value, BaseModel):
        return None
    if isinstance(value, tuple):
        return [plain_number(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


Schema = dict[str, Any]


class SchemaWriter:
    """Builds the schema of a model, and the definitions that it refers to."""

    def __init__(self) -> None:
        self.definitions: dict[str, Schema] = {}

    def model(self) -> Schema:
        """Return the complete schema."""
        table = self._table(Model, {})
        table["properties"]["rules"] = self._rules()
        return {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": "A murmurate model",
            "description": "A flock model of murmurate, the flocking simulator.",
            **{k: v for k, v in table.items() if k != "description"},
            "definitions": dict(sorted(self.definitions.items())),
        }

    def refer(self, cls: type[BaseModel]) -> Schema:
        """Return the schema of a class, which refers to its definition."""
        if cls is Motion:
            return self._one_of("motion", dict(motions()), default="add")
        kind = cls.model_fields.get("kind")
        if (
            kind is not None and len(get_args(kind.annotation)) < 2
        ):  # else `kind` is a word of its own
            return self._of_kind(cls)
        return self._define(cls.__name__, cls, {})

    def _of_kind(self, cls: type[BaseModel]) -> Schema:
        """Return the schema of a start, obstacle or schedule, which must have its kind."""
        ref = self._define(cls.__name__, cls, {"kind": {"const": kind_of_value(cls)}})
        _require_kind(self.definitions[cls.__name__])
        return ref

    def _define(self, name: str, cls: type[BaseModel], fixed: Schema) -> Schema:
        if name not in self.definitions:
            self.definitions[name] = {}  # reserves the name, for recursive classes
            self.definitions[name] = self._table(cls, fixed)
        return {"$ref": f"#/definitions/{name}"}

    def _table(self, cls: type[BaseModel], fixed: Schema) -> Schema:
        properties, required = {}, []
        for name, field in cls.model_fields.items():
            if name in fixed:
                properties[name] = fixed[name]
                continue
            properties[name] = self._field(cls, name)
            if field.is_required() and name != "motion":
                required.append(name)
        schema: Schema = {
            "type": "object",
            "description": " ".join(docstring(cls).split("\n\n")[0].split()),
            "properties": properties,
            "additionalProperties": False,
        }
        return schema | ({"required": required} if required else {})

    def _field(self, cls: type[BaseModel], name: str) -> Schema:
        field = cls.model_fields[name]
        text, unit = describe(cls, name)
        notes = [text]
        if is_quantity(cls, name):
            extra = quantities(cls)[name]  # type: ignore[arg-type]
            schema = self._quantity(extra, may_differ(cls))
            if is_vector(field):
                schema = {"type": "array", "items": schema, "minItems": 2, "maxItems": 3}
                if may_differ(cls):
                    schema = {"anyOf": [schema, self._shape("shape", {})]}
            if allowed := bounds(extra):
                notes.append(f"Allowed: {allowed}.")
        else:
            schema = field_schema(cls, name, self.refer)
            if (cls, name) == (Flock, "start"):
                extra = {"kind": {"const": "shape"}, "velocity": _numbers("The velocity of all.")}
                schema["anyOf"].append(self._shape("ShapeStart", extra))
        if unit:
            notes.append(f"Unit: {unit}.")
        default = field.get_default()
        if default is not REQUIRED:
            value = plain_number(default)
            if value not in (None, "", [], {}):
                schema = {**schema, "default": value}
            elif default == float("inf"):
                notes.append("inf unless given.")
        words = " ".join(filter(None, notes))
        return _wrap_ref({**schema, "description": words} if words else schema)

    def _quantity(self, extra: Schema, differs: bool) -> Schema:
        number: Schema = {"type": "number"}
        number |= {k: extra[k] for k in ("exclusiveMinimum", "minimum", "maximum") if k in extra}
        if "scheduled" not in self.definitions:
            self.definitions["scheduled"] = {
                "description": "A number that changes in time.",
                "anyOf": [self._of_kind(cls) for cls in SCHEDULES],
            }
        kinds = [number, {"$ref": "#/definitions/scheduled"}]
        if differs and "individual" not in self.definitions:
            self.definitions["individual"] = {
                "description": "A number that differs between boids.",
                "anyOf": [*(self._of_kind(cls) for cls in DISTRIBUTIONS), _number_file()],
            }
        return {"anyOf": [*kinds, {"$ref": "#/definitions/individual"}] if differs else kinds}

    def _shape(self, name: str, extra: Schema) -> Schema:
        """Return the schema of a table that names a text or an SVG file; see shape_tables."""
        words = {"file": "An SVG file in the folder of the model file.", "text": "A text.",
                 "font": "A font in that folder, .ttf or .otf."}  # fmt: skip
        length: Schema = {"type": "number", "exclusiveMinimum": 0}
        self.definitions[name] = {
            "type": "object",
            "description": "A point for each boid, inside the outlines of a text or an SVG file.",
            "properties": {
                **{key: {"type": "string", "description": text} for key, text in words.items()},
                "width": {**length, "description": "Width of the outlines. Unit: length."},
                "height": {**length, "description": "Height of the outlines. Unit: length."},
                "centre": _numbers("Their centre; that of the space unless given. Unit: length."),
                "plane": {"enum": ["xy", "xz", "yz"], "description": "Their plane in 3-D."},
                **extra,
            },
            "required": ["kind"] if extra else [],
            "additionalProperties": False,
        }
        return {"$ref": f"#/definitions/{name}"}

    def _one_of(self, what: str, classes: dict[str, type[BaseModel]], default: str) -> Schema:
        """Return the schema of one of several classes; the default one needs no kind."""
        if what not in self.definitions:
            self.definitions[what] = {}
            branches = []
            for kind, cls in classes.items():
                ref = self._define(f"{what}-{kind}", cls, {"kind": {"const": kind}})
                branches.append(ref)
                if kind != default:
                    _require_kind(self.definitions[f"{what}-{kind}"])
            branches.append(_user_kind(list(classes), required=True))
            self.definitions[what] = {"anyOf": branches}
        return {"$ref": f"#/definitions/{what}"}

    def _rules(self) -> Schema:
        """Return the schema of the rules by name; a rule without a kind has its name as kind."""
        kinds = list(rules())
        need = {"required": ["kind"]}
        for kind, cls in rules().items():
            table = self._table(cls, {"kind": {"const": kind}})
            if hasattr(cls, "fields_of_file"):
                text = "A file in the folder of the model file that has its other fields."
                table["properties"]["file"] = {"type": "string", "description": text}
                table.pop("required", None)
            self.definitions[f"rule-{kind}"] = _with_formula(table, cls)
        branches = [{"allOf": [{"$ref": f"#/definitions/rule-{kind}"}, need]} for kind in kinds]
        own = _user_kind(kinds, required=False)
        self.definitions["rule"] = {"anyOf": [*branches, own]}
        self.definitions["rule-with-kind"] = {"allOf": [{"$ref": "#/definitions/rule"}, need]}
        either = {
            kind: [f"#/definitions/rule-{kind}", "#/definitions/rule-with-kind"] for kind in kinds
        }
        return {
            "type": "object",
            "description": "The rules, in order: name -> rule.",
            "properties": {k: {"anyOf": [{"$ref": r} for r in refs]} for k, refs in either.items()},
            "additionalProperties": {"$ref": "#/definitions/rule"},
        }


def _numbers(description: str) -> Schema:
    """Return the schema of a vector of plain numbers."""
    items = {"type": "number"}
    return {
        "type": "array", "items": items, "minItems": 2, "maxItems": 3, "description": description,
    }  # fmt: skip


def _number_file() -> Schema:
    """Return the schema of a table that names a file with a number for each boid."""
    return {
        "type": "object",
        "description": docstring(Each).split("\n")[0],
        "properties": {
            "kind": {"const": "each"},
            "from": {
                "type": "string",
                "description": "A CSV file in the folder of the model file, a row for each boid.",
            },
            "column": {
                "type": "string",
                "description": "The column with the numbers; that with the parameter's name, or "
                "the only one, unless given.",
            },
        },
        "required": ["from"],
        "additionalProperties": False,
    }


def _with_formula(table: Schema, cls: type[Rule]) -> Schema:
    formula = cls.formula.replace("{", "").replace("}", "")
    return {**table, "description": f"{table['description']} Formula: {formula}"}


def _require_kind(table: Schema) -> None:
    table["required"] = sorted({"kind", *table.get("required", [])})


def _user_kind(kinds: list[str], required: bool) -> Schema:
    """Return the schema of a user's rule or motion, which allows all fields.

    kinds     the built-in kinds
    required  whether the kind must be given
    """
    own: Schema = {
        "type": "object",
        "description": "A kind of your own, written in Python.",
        "properties": {"kind": {"type": "string", "not": {"enum": kinds}}},
    }
    return {**own, "required": ["kind"]} if required else own


def _wrap_ref(schema: Schema) -> Schema:
    """Return a schema with its $ref in an allOf, since draft 7 ignores other keys beside a $ref."""
    if "$ref" not in schema or len(schema) == 1:
        return schema
    return {"allOf": [{"$ref": schema["$ref"]}], **{k: v for k, v in schema.items() if k != "$ref"}}


def schema_text() -> str:
    """Return the schema of model files as JSON text."""
    return json.dumps(SchemaWriter().model(), indent=1, allow_nan=False) + "\n"

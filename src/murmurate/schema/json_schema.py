"""The JSON schema of a model file, draft 7, by which editors complete and check."""

from __future__ import annotations

import json
from typing import Any, get_args

from pydantic import BaseModel

from murmurate.model.model import Model
from murmurate.model.motion import Motion
from murmurate.model.quantity import quantities
from murmurate.model.rule import Rule
from murmurate.model.schedule import SCHEDULES
from murmurate.schema.fields import (
    REQUIRED,
    bounds,
    described,
    docstring,
    is_quantity,
    is_vector,
    kind_of_value,
    motions,
    plain_number,
    rules,
    schema_of,
)

Schema = dict[str, Any]


class Maker:
    """Collects the definitions that the schema refers to."""

    def __init__(self) -> None:
        self.definitions: dict[str, Schema] = {}

    def model(self) -> Schema:
        whole = self._table(Model, {})
        whole["properties"]["rules"] = self._rules()
        return {
            "$schema": "http://json-schema.org/draft-07/schema#",
            "title": "A murmurate model",
            "description": "A flock model of murmurate, the flocking simulator.",
            **{k: v for k, v in whole.items() if k != "description"},
            "definitions": dict(sorted(self.definitions.items())),
        }

    def refer(self, cls: type[BaseModel]) -> Schema:
        if cls is Motion:
            return self._one_of("motion", dict(motions()), default="add")
        kind = cls.model_fields.get("kind")
        if kind is not None and len(get_args(kind.annotation)) < 2:  # else one of several words
            return self._of_kind(cls)
        return self._define(cls.__name__, cls, {})

    def _of_kind(self, cls: type[BaseModel]) -> Schema:
        """A start, obstacle or schedule: one of several kinds, which must be given."""
        ref = self._define(cls.__name__, cls, {"kind": {"const": kind_of_value(cls)}})
        _require_kind(self.definitions[cls.__name__])
        return ref

    def _define(self, name: str, cls: type[BaseModel], fixed: Schema) -> Schema:
        if name not in self.definitions:
            self.definitions[name] = {}  # holds the name while it is made
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
        text, unit = described(cls, name)
        notes = [text]
        if is_quantity(cls, name):
            extra = quantities(cls)[name]  # type: ignore[arg-type]
            schema = self._quantity(extra)
            if is_vector(field):
                schema = {"type": "array", "items": schema, "minItems": 2, "maxItems": 3}
            if allowed := bounds(extra):
                notes.append(f"Allowed: {allowed}.")
        else:
            schema = schema_of(field.annotation, list(field.metadata), self.refer)
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
        return _alone({**schema, "description": words} if words else schema)

    def _quantity(self, extra: Schema) -> Schema:
        number: Schema = {"type": "number"}
        number |= {k: extra[k] for k in ("exclusiveMinimum", "minimum", "maximum") if k in extra}
        if "scheduled" not in self.definitions:
            self.definitions["scheduled"] = {
                "description": "A number that changes in time.",
                "anyOf": [self._of_kind(cls) for cls in SCHEDULES],
            }
        return {"anyOf": [number, {"$ref": "#/definitions/scheduled"}]}

    def _one_of(self, what: str, classes: dict[str, type[BaseModel]], default: str) -> Schema:
        """One of several kinds; a table without a kind is of the default one."""
        if what not in self.definitions:
            self.definitions[what] = {}
            branches = []
            for kind, cls in classes.items():
                ref = self._define(f"{what}-{kind}", cls, {"kind": {"const": kind}})
                branches.append(ref)
                if kind != default:
                    _require_kind(self.definitions[f"{what}-{kind}"])
            branches.append(_of_ones_own(list(classes), need=True))
            self.definitions[what] = {"anyOf": branches}
        return {"$ref": f"#/definitions/{what}"}

    def _rules(self) -> Schema:
        """Rules by name. A rule without a kind is of the kind that it is named after."""
        kinds = list(rules())
        need = {"required": ["kind"]}
        for kind, cls in rules().items():
            table = self._table(cls, {"kind": {"const": kind}})
            self.definitions[f"rule-{kind}"] = _with_formula(table, cls)
        branches = [{"allOf": [{"$ref": f"#/definitions/rule-{kind}"}, need]} for kind in kinds]
        own = _of_ones_own(kinds, need=False)
        self.definitions["rule"] = {"anyOf": [*branches, own]}
        self.definitions["rule-with-kind"] = {"allOf": [{"$ref": "#/definitions/rule"}, need]}
        either = {
            kind: [f"#/definitions/rule-{kind}", "#/definitions/rule-with-kind"] for kind in kinds
        }
        return {
            "type": "object",
            "description": "What moves the boids, in order: name -> rule.",
            "properties": {k: {"anyOf": [{"$ref": r} for r in refs]} for k, refs in either.items()},
            "additionalProperties": {"$ref": "#/definitions/rule"},
        }


def _with_formula(table: Schema, cls: type[Rule]) -> Schema:
    formula = cls.formula.replace("{", "").replace("}", "")
    return {**table, "description": f"{table['description']} Formula: {formula}"}


def _require_kind(table: Schema) -> None:
    table["required"] = sorted({"kind", *table.get("required", [])})


def _of_ones_own(kinds: list[str], need: bool) -> Schema:
    """A rule or motion written in Python, of which nothing is known here."""
    own: Schema = {
        "type": "object",
        "description": "A kind of your own, written in Python.",
        "properties": {"kind": {"type": "string", "not": {"enum": kinds}}},
    }
    return {**own, "required": ["kind"]} if need else own


def _alone(schema: Schema) -> Schema:
    """In draft 7 whatever stands beside a $ref is not read, so the $ref is put into an allOf."""
    if "$ref" not in schema or len(schema) == 1:
        return schema
    return {"allOf": [{"$ref": schema["$ref"]}], **{k: v for k, v in schema.items() if k != "$ref"}}


def schema_text() -> str:
    """The whole file."""
    return json.dumps(Maker().model(), indent=1, allow_nan=False) + "\n"

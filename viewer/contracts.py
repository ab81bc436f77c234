"""Write src/wire/contracts.ts: the types of what Python and pages send each other, and the
numbers that both know.

    python contracts.py            (npm run contracts)

pydantic makes one JSON schema of the Python types, and json-schema-to-typescript prints it.
"""

from __future__ import annotations

import hashlib
import json
import re
import subprocess
from pathlib import Path
from typing import Any

from pydantic import ConfigDict, TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from murmurate.engines.gpu.program import NOBODY
from murmurate.engines.gpu.wgsl_modules import CONTROL
from murmurate.engines.manifest_types import (
    Manifest,
    NumberSources,
    PageProgram,
    PlainProgram,
    StartNumbers,
)
from murmurate.engines.wasm import population_functions, start_functions, trait_functions
from murmurate.language.tree import LARGE
from murmurate.live_view.messages import AnyMessage, Shape
from murmurate.live_view.server_messages import ServerMessage
from murmurate.model import distribution
from murmurate.model.number import MAX_NUMBER
from murmurate.model.rule_functions import METHODS, Method
from murmurate.model.shapes.shape import ROW
from murmurate.runs.live_page_types import FlightHead, PackedFlight, PackedPage, Role
from murmurate.show import wire_format
from murmurate.show.replay_types import ReplayHead, ReplayScene
from murmurate.show.scene_types import ModelScene, SceneCore, SceneMessage

HERE = Path(__file__).parent
TARGET = HERE / "src" / "wire" / "contracts.ts"
PACKAGE = HERE / "node_modules" / "json-schema-to-typescript"
TYPES = (
    FlightHead, ModelScene, NumberSources, PackedFlight, PackedPage, PageProgram, ReplayHead,
    SceneCore,
)  # fmt: skip
CONTRACTS: dict[str, Any] = {
    "ServerMessage": ServerMessage, "PageMessage": AnyMessage, "Shape": Shape,
    "StartNumbers": StartNumbers, "Role": Role, "Method": Method,
} | {type_.__name__: type_ for type_ in TYPES}  # fmt: skip
EXTENDING: tuple[Any, ...] = (
    Manifest, ModelScene, PackedPage, PageProgram, PlainProgram, ReplayScene, SceneMessage,
)  # fmt: skip
"""Types that extend their first base in TypeScript too; others repeat its fields."""
OWN_NAMES = {"f": "Float", "i": "Int", "u": "Uint"}
CONSTANTS: dict[str, Any] = {
    name: getattr(wire_format, name)
    for name in (
        "MAGIC", "VERSION", "HEADER", "RECORD", "NEIGHBOURS", "CHANGING", "COLOURED",
        "POSITION_LEVELS", "SPEED_LEVELS", "LEVELS", "NO_VALUE", "HEADING", "PERCHED",
    )
} | {
    "FIELDS": {
        name: (at, f"{OWN_NAMES[type_.base.kind]}{8 * type_.base.itemsize}")
        for name, (type_, at) in (wire_format.FIELDS.fields or {}).items()
        if type_.base.kind in OWN_NAMES
    },
    "RECORD_FIELDS": {name: at for name, (_, at) in (wire_format.RECORDS.fields or {}).items()},
    "CONTROL": {name: word for word, name in enumerate(CONTROL)},
    "NOBODY": NOBODY,
    "LARGE": LARGE,
    "OBSTACLE_NUMBERS": ROW,
    "START_WORDS": {
        name: getattr(start_functions, name)
        for name in ("KIND", "KEY0", "KEY1", "STEP", "LOWER_HALF", "TABLE_WORDS")
    },
    "MIN_SHARE": distribution.MIN_SHARE,
    "SUM_TOLERANCE": distribution.SUM_TOLERANCE,
    "MAX_NUMBER": MAX_NUMBER,
    "LARGEST_QUANTILE": -trait_functions.SMALLEST_QUANTILE,
    "TRAIT_KINDS": {
        "uniform": trait_functions.UNIFORM, "normal": trait_functions.NORMAL,
        "lognormal": trait_functions.LOGNORMAL,
    },
    "START_SIZES": {
        "integers": start_functions.N_INTEGERS, "numbers": start_functions.N_NUMBERS,
        "generator": start_functions.N_GENERATOR,
    },
    "POPULATION_WORDS": {
        name: getattr(population_functions, name)
        for name in ("SEED", "STEP", "FULL_FLOCK", "FULL_COUNT")
    } | {"LOWER_HALF": start_functions.LOWER_HALF},
    "METHODS": METHODS,
}  # fmt: skip
# of a schema, what its types and comments say
KEYS = {
    "$ref", "additionalProperties", "anyOf", "const", "description", "enum", "extends", "items",
    "oneOf", "required", "title", "tsType", "type",
}  # fmt: skip
OPTIONS = [
    "--no-additionalProperties",
    "--bannerComment=",
    "--ignoreMinAndMaxItems",
    "--style.printWidth=120",
]
HEAD = """/** What Python and pages send each other: contracts.py writes it from types in Python.
 * Schema DIGEST. Do not edit: npm run contracts. */

export type Plain = null | boolean | number | string | Plain[] | { [key: string]: Plain };
export type Table = { [key: string]: Plain };
/** A text, or texts by language. */
export type Texts = string | { [language: string]: string };

export interface JsonSchema {
  [key: string]: unknown;
  properties?: Record<string, JsonSchema>;
  description?: string;
  /** Why the page cannot change it. */
  fixed?: string;
}

"""


class _Schema(GenerateJsonSchema):
    """A schema without titles of fields, which would each become a type."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def contract_schema() -> str:
    """Return the JSON schema of all contracts as text."""
    config = ConfigDict(use_attribute_docstrings=True, extra="forbid")
    kinds: Any = tuple[tuple(CONTRACTS.values())]
    schema = TypeAdapter(kinds, config=config).json_schema(schema_generator=_Schema)
    definitions, roots = schema["$defs"], {}
    for name, own in zip(CONTRACTS, schema["prefixItems"], strict=True):
        definitions.setdefault(name, {"title": name, **own})
        roots[name] = {"$ref": f"#/$defs/{name}"}
    definitions |= {type_.__name__: _extending(type_, definitions) for type_ in EXTENDING}
    definitions, roots = (_printable(table, named=True) for table in (definitions, roots))
    about = {"title": "Contracts", "$comment": CONSTANTS}
    return json.dumps(about | {"properties": roots, "definitions": definitions})


def _extending(type_: Any, definitions: dict[str, Any]) -> dict[str, Any]:
    """Return the definition of a type without the fields of its first base."""
    schema, base = definitions[type_.__name__], type_.__orig_bases__[0].__name__
    inherited = definitions[base]["properties"]
    return schema | {
        "properties": {k: v for k, v in schema["properties"].items() if k not in inherited},
        "required": [name for name in schema["required"] if name not in inherited],
        "extends": {"$ref": f"#/$defs/{base}"},
    }


def digest(schema: str) -> str:
    """Return the digest that contracts.ts has of its schema, whatever the order of its keys."""
    ordered = json.dumps(json.loads(schema), sort_keys=True)
    return hashlib.sha256(ordered.encode()).hexdigest()[:16]


def _printable(value: Any, named: bool = False) -> Any:
    """Return a schema, or schemas by name, in the words that the printer knows."""
    if isinstance(value, list):
        return [_printable(item) for item in value]
    if not isinstance(value, dict):
        return value.replace("#/$defs/", "#/definitions/") if isinstance(value, str) else value
    if named:
        return {name: _printable(item) for name, item in value.items()}
    table = {key: _printable(item) for key, item in value.items() if key in KEYS}
    if "enum" in value.get("propertyNames", ()):  # a dict with some of these keys
        of_key = table.pop("additionalProperties")
        table["properties"] = dict.fromkeys(value["propertyNames"]["enum"], of_key)
    if "const" in value:  # pydantic before 2.10 adds `enum`
        table.pop("enum", None)
    if table.get("additionalProperties") is False:  # which not every version writes
        del table["additionalProperties"]
    if "properties" in value:
        table["properties"] = _printable(value["properties"], named=True)
    if "prefixItems" in value:
        table |= {"items": _printable(value["prefixItems"]), "additionalItems": False}
    if "$ref" in value and len(table) > 1:  # else the comment would be that of the type
        table["allOf"] = [{"$ref": table.pop("$ref")}]
    return table


def declarations(schema: str, package: Path = PACKAGE) -> str:
    """Return the TypeScript of a schema."""
    command = ["node", str(package / "dist" / "src" / "cli.js"), *OPTIONS]
    text = subprocess.run(command, input=schema, capture_output=True, text=True, check=True).stdout
    text = re.sub(r"export interface Contracts \{.*?\n\}\n", "", text, flags=re.S)
    text = re.sub(r"/\*\*\n *\* (.*)\n *\*/", r"/** \1 */", text)
    text = re.sub(r"([};]\n)(?=export|/\*\*)", r"\1\n", text)
    constants = "".join(
        f"export const {name} = {json.dumps(value)}{' as const' * (not isinstance(value, int))};\n"
        for name, value in CONSTANTS.items()
    )
    return f"{HEAD.replace('DIGEST', digest(schema))}{constants}\n{text.lstrip()}"


if __name__ == "__main__":
    TARGET.write_text(declarations(contract_schema()), encoding="utf-8", newline="\n")

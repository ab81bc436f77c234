"""Write src/wire/contracts.ts: the types of what Python and pages send each other.

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

from murmurate.engines.manifest_types import NumberSources, PageProgram, StartNumbers
from murmurate.live_view.messages import AnyMessage, Shape
from murmurate.live_view.server_messages import ServerMessage
from murmurate.model.rule_functions import Method
from murmurate.runs.live_page_types import FlightHead, PackedFlight, PackedPage, Role
from murmurate.show.replay_types import ReplayHead
from murmurate.show.scene_types import SceneCore

HERE = Path(__file__).parent
TARGET = HERE / "src" / "wire" / "contracts.ts"
PACKAGE = HERE / "node_modules" / "json-schema-to-typescript"
TYPES = (FlightHead, NumberSources, PackedFlight, PackedPage, PageProgram, ReplayHead, SceneCore)
CONTRACTS: dict[str, Any] = {
    "ServerMessage": ServerMessage, "PageMessage": AnyMessage, "Shape": Shape,
    "StartNumbers": StartNumbers, "Role": Role, "Method": Method,
} | {type_.__name__: type_ for type_ in TYPES}  # fmt: skip
# of a schema, what its types and comments say
KEYS = {
    "$ref", "additionalProperties", "anyOf", "const", "description", "enum", "items", "oneOf",
    "required", "title", "tsType", "type",
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
    definitions, roots = (_printable(table, named=True) for table in (definitions, roots))
    return json.dumps({
        "title": "Contracts", "properties": roots, "definitions": definitions,
    })  # fmt: skip


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
    return HEAD.replace("DIGEST", digest(schema)) + text.lstrip("\n")


if __name__ == "__main__":
    TARGET.write_text(declarations(contract_schema()), encoding="utf-8", newline="\n")

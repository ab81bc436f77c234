"""As much of JSON schema, draft 7, as model.schema.json has, without a library."""

from __future__ import annotations

from typing import Any

TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,), "array": (list,), "string": (str,), "boolean": (bool,),
    "integer": (int,), "number": (int, float),
}  # fmt: skip
KNOWN = {
    "$schema", "title", "description", "default", "definitions", "$ref", "type", "enum", "const",
    "properties", "required", "additionalProperties", "items", "minItems", "maxItems", "minimum",
    "maximum", "exclusiveMinimum", "maxLength", "anyOf", "allOf", "not",
}  # fmt: skip


def problems(schema: Any, data: Any) -> list[str]:
    """What is wrong with some data, in words."""
    return list(_problems(schema, data, schema, "model"))


def _problems(part: Any, data: Any, whole: Any, path: str) -> list[str]:
    assert set(part) <= KNOWN, f"a word that is not checked here: {set(part) - KNOWN}"
    if "$ref" in part:
        name = part["$ref"].removeprefix("#/definitions/")
        return _problems(whole["definitions"][name], data, whole, path)
    out = []
    kind = part.get("type")
    if kind and (
        not isinstance(data, TYPES[kind]) or (isinstance(data, bool) and kind != "boolean")
    ):
        return [f"{path}: not of type {kind}"]
    if "enum" in part and data not in part["enum"]:
        out.append(f"{path}: not one of {part['enum']}")
    if "const" in part and data != part["const"]:
        out.append(f"{path}: not {part['const']}")
    if "not" in part and not _problems(part["not"], data, whole, path):
        out.append(f"{path}: not allowed")
    for branch in part.get("allOf", []):
        out += _problems(branch, data, whole, path)
    if "anyOf" in part:
        tried = [_problems(branch, data, whole, path) for branch in part["anyOf"]]
        out += [] if [] in tried else min(tried, key=len)
    if isinstance(data, dict):
        out += _table(part, data, whole, path)
    elif isinstance(data, list):
        if not part.get("minItems", 0) <= len(data) <= part.get("maxItems", 1e9):
            out.append(f"{path}: {len(data)} items")
        for k, item in enumerate(data):
            out += _problems(part.get("items", {}), item, whole, f"{path}.{k}")
    elif isinstance(data, str):
        out += [f"{path}: {len(data)} letters"] * (len(data) > part.get("maxLength", len(data)))
    elif isinstance(data, int | float):
        out += [f"{path}: out of bounds"] * (
            not part.get("minimum", data) <= data <= part.get("maximum", data)
            or ("exclusiveMinimum" in part and data <= part["exclusiveMinimum"])
        )
    return out


def _table(part: Any, data: dict[str, Any], whole: Any, path: str) -> list[str]:
    known = part.get("properties", {})
    out = [f"{path}.{key}: missing" for key in part.get("required", []) if key not in data]
    for key, value in data.items():
        rest = part.get("additionalProperties", True)
        if key in known:
            out += _problems(known[key], value, whole, f"{path}.{key}")
        elif rest is False:
            out.append(f"{path}.{key}: not known")
        elif rest is not True:
            out += _problems(rest, value, whole, f"{path}.{key}")
    return out

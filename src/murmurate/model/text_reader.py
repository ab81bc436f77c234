"""TOML and JSON from outside, read within limits: nesting, length of dotted keys, digits.

A parser calls itself for what is nested, takes memory that grows with the square of the length of
a dotted key, and time that grows with the square of a number's digits; so texts are scanned first.
"""

from __future__ import annotations

import json
import re
import tomllib
from typing import Any, NoReturn

DEEPEST = 12  # tables and lists in each other; parts of a dotted key
LONGEST_WORD = 256  # characters of a number, or of one part of a key

# What can be too much in a TOML text: brackets; words; dotted keys. Comments and strings are passed
# over whole, and must end where the parser ends them: one or two quotes more may stand before the
# three that end a long string. Behind the place where the parser stops, nothing matters.
_QUOTED = r'"(?:[^"\\\n]|\\[^\n])*+"?|' + r"'[^'\n]*+'?"
_PART = rf"(?:{_QUOTED}|[\w+-]++)"
_TOML = re.compile(
    rf"(?P<key>(?<![\w+-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{DEEPEST},}}+)"
    rf"|(?P<word>(?<![\w+-])[\w+-]{{{LONGEST_WORD + 1},}}+)"
    r"|(?P<opening>[\[{])|(?P<closing>[\]}])"
    r"|\#[^\n]*+"
    r'|"""(?:[^"\\]|\\.|"(?!""))*+(?:"{3,5}+)?'
    r"|'''(?:[^']|'(?!''))*+(?:'{3,5}+)?"
    rf"|{_QUOTED}",
    re.DOTALL,
)

# A string whole, so that brackets in it do not count; a bracket.
_JSON = re.compile(r'"(?:[^"\\]|\\.)*+"?|(?P<opening>[\[{])|(?P<closing>[\]}])', re.DOTALL)


class TextError(ValueError):
    """A text that is not TOML, or not JSON, or is beyond what is read of it."""


def read_toml(text: str) -> dict[str, Any]:
    """The tables of a TOML text. Raises TextError with the line, and what is allowed."""
    text = text.removeprefix("\ufeff")  # the byte order mark that some editors begin a file with
    depth = 0
    for token in _TOML.finditer(text):
        if token.lastgroup == "opening":
            depth += 1
            if depth > DEEPEST:
                _refuse(text, token, f"tables and lists in each other: at most {DEEPEST}")
        elif token.lastgroup == "closing":
            depth -= 1
        elif token.lastgroup == "key":
            _refuse(text, token, f"a dotted key of too many parts: at most {DEEPEST}")
        elif token.lastgroup == "word":
            what = f"a number or key of {len(token[0]):,} characters: at most {LONGEST_WORD}"
            _refuse(text, token, what)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # TOMLDecodeError; a number no float can hold
        raise TextError(str(error)) from None


def _refuse(text: str, token: re.Match[str], what: str) -> NoReturn:
    line = text.count("\n", 0, token.start()) + 1
    raise TextError(f"{what} are allowed (at line {line})")


def read_json(text: str | bytes, deepest: int = DEEPEST, **options: Any) -> Any:
    """The value of a JSON text. Raises TextError, which says 'not JSON' or what is allowed.

    deepest  tables and lists that may be in each other
    options  those of json.loads
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        if (depth := _json_depth(text)) > deepest:
            raise TextError(
                f"{depth} tables and lists in each other: at most {deepest} are allowed"
            )
        return json.loads(text, **options)
    except TextError:
        raise
    except (ValueError, RecursionError) as error:
        raise TextError(f"not JSON: {error}") from None


def _json_depth(text: str) -> int:
    depth = deepest = 0
    for token in _JSON.finditer(text):
        if token["opening"]:
            depth += 1
            deepest = max(deepest, depth)
        elif token["closing"]:
            depth -= 1
    return deepest

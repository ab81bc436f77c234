"""Read TOML and JSON from outside within limits: nesting, length of dotted keys, digits.

Texts are scanned before they are parsed. Parsers are recursive in nested tables. Their memory
grows with the square of the length of a dotted key, and their time with the square of the digits
of a number.
"""

from __future__ import annotations

import json
import re
import tomllib
from itertools import accumulate
from typing import Any, NoReturn

MAX_DEPTH = 12  # nested tables and lists; parts of a dotted key
MAX_WORD = 256  # characters of a number, or of one part of a key

# The tokens of a TOML text that have limits: brackets, words and dotted keys. Comments and strings
# are skipped, and must end where they end for the parser: a long string may end with four or five
# quotes. Nothing matters behind the position where the parser stops. The groups are atomic, since
# possessive quantifiers of groups match wrongly before Python 3.11.5
# (https://github.com/python/cpython/issues/106052).
_QUOTED = r'"(?>(?:[^"\\\n]|\\[^\n])*)"?|' + r"'[^'\n]*+'?"
_PART = rf"(?:{_QUOTED}|[\w+-]++)"
_TOML = re.compile(
    rf"(?P<key>(?<![\w+-])(?>{_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{MAX_DEPTH},}}))"
    rf"|(?P<word>(?<![\w+-])[\w+-]{{{MAX_WORD + 1},}}+)"
    r"|(?P<opening>[\[{])|(?P<closing>[\]}])"
    r"|\#[^\n]*+"
    r'|"""(?>(?:[^"\\]|\\.|"(?!""))*)(?:"{3,5}+)?'
    r"|'''(?>(?:[^']|'(?!''))*)(?:'{3,5}+)?"
    rf"|{_QUOTED}",
    re.DOTALL,
)

# A string, in which brackets do not count; or a bracket.
_JSON_STRING = re.compile(r'"(?>(?:[^"\\]|\\.)*)"?', re.DOTALL)
_BRACKET = re.compile(r"[][{}]")
_LEVELS = {"[": 1, "{": 1, "]": -1, "}": -1}


class TextError(ValueError):
    """A text that is not TOML or JSON, or exceeds a limit."""


def read_toml(text: str) -> dict[str, Any]:
    """Return the tables of a TOML text. Raises TextError with the line and a remedy."""
    text = text.removeprefix("\ufeff")  # the byte order mark of some editors
    depth = 0
    for token in _TOML.finditer(text):
        if token.lastgroup == "opening":
            depth += 1
            if depth > MAX_DEPTH:
                _refuse(text, token, f"nested tables and lists; expected at most {MAX_DEPTH}")
        elif token.lastgroup == "closing":
            depth -= 1
        elif token.lastgroup == "key":
            _refuse(text, token, f"a dotted key with too many parts; expected at most {MAX_DEPTH}")
        elif token.lastgroup == "word":
            what = f"a number or key of {len(token[0]):,} characters; expected at most {MAX_WORD}"
            _refuse(text, token, what)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a TOMLDecodeError, or a number beyond floats
        raise TextError(str(error)) from None


def _refuse(text: str, token: re.Match[str], what: str) -> NoReturn:
    line = text.count("\n", 0, token.start()) + 1
    raise TextError(f"got {what} (at line {line})")


def read_json(text: str | bytes, max_depth: int = MAX_DEPTH, **options: Any) -> Any:
    """Return the value of a JSON text. Raises TextError for other texts, and beyond the limits.

    max_depth  how deeply tables and lists may be nested
    options    options of json.loads
    """
    try:
        if isinstance(text, bytes):
            text = text.decode("utf-8")
        if (depth := _json_depth(text)) > max_depth:
            raise TextError(f"got {depth} nested tables and lists; expected at most {max_depth}")
        return json.loads(text, **options)
    except TextError:
        raise
    except (ValueError, RecursionError) as error:
        raise TextError(f"not JSON: {error}") from None


def _json_depth(text: str) -> int:
    brackets = _BRACKET.findall(_JSON_STRING.sub("", text))
    return max(accumulate(map(_LEVELS.__getitem__, brackets), initial=0))

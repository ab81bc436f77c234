"""Changes of valid input: of bytes, of text, of nested values. Each is made by a given `dice`."""

from __future__ import annotations

import copy
import re
from random import Random
from typing import Any

ODD_NUMBERS = [
    "0", "-0.0", "-1", "1", "2", "3.5", "1e-300", "5e-324", "1e-30", "1e30", "1e300", "1e309",
    "-1e300",
    "inf", "-inf", "nan", "1e9", "-1e9", "1e8", "999999999.9", "2147483648", "-2147483649", "1e38",
    "9007199254740993", "18446744073709551616", "1" * 300, "0x10", "1_0", "1e", "٣", "1,5", "+1",
    "1.0000000001", "0.1e1",
]  # fmt: skip
ODD_WORDS = [
    " ", "x", "\x1b[31mred\x1b[0m", "\u202egnp.exe", "a" * 300, "../up", "/nowhere/at/all", "con",
    "nul.txt", "é", "e\u0301", "🐦", "👩\u200d🚀", "\u2028", "\u0085", "\x7f", "%s", "%d%d", "{0}",
    "[bold]x[/bold]", "[link=http://x]y[/link]", "$(id)", "-", "--", "-o", "a\nb", "a\tb", ".",
    "..",
    "~", "*", "a.b.c", "true", "null", "\ufeff", "\u200b", "0", "__class__", "kind", "boids",
]  # fmt: skip
ODD_VALUES: list[Any] = [
    None, True, False, 0, -1, 1, 3, 1.5, -0.0, 1e-300, 1e300, 10**9, -(10**9), 1e9, 2**31,
    2**53 + 1, 2**64, 10**400, float("inf"), float("-inf"), float("nan"), "", [], {}, [[]], [1, 2],
    [1, 2, 3, 4], {"kind": "ramp", "start": 0, "stop": 1, "end": 1}, {"kind": "x"}, [[[[[[]]]]]],
    {"a": {"b": {}}},
]  # fmt: skip
# Before what is too much, so that a reader may take that for a part of a string.
HIDING = ['\nq = """x"""" # \\\n', "\nq = '''x'''''\n", "# '\n", '"\\"', '["""x"""", ']
TOKEN = re.compile(r"[+-]?\d[\w.+-]*|\w+|\"[^\"\n]*\"|[\[\]{}=.,#]")


def changed_bytes(dice: Random, data: bytes) -> bytes:
    """One to four changes: bytes flipped, cut, repeated, moved, overwritten."""
    found = bytearray(data)
    for _ in range(dice.randint(1, 4)):
        a, b = sorted(dice.randrange(len(found) + 1) for _ in range(2))
        b = min(b, a + dice.choice([1, 4, 16, 200]))
        way = dice.randrange(7)
        if way == 0:
            del found[dice.choice([a, b]) :]
        elif way == 1:
            del found[a:b]
        elif way == 2:
            found[a:a] = found[a:b] * dice.choice([1, 2, 50])
        elif way == 3:
            found[a:b] = bytes([dice.choice([0, 255, 127, 10, 34, 92])]) * (b - a)
        elif way == 4:
            found[a:b] = dice.randbytes(b - a)
        elif way == 5:
            found[a:a] = dice.randbytes(dice.choice([1, 2, 9]))
        elif a < len(found):
            found[a] ^= 1 << dice.randrange(8)
    return bytes(found)


def changed_text(dice: Random, text: str) -> str:
    """One to three changes: tokens replaced, lines moved, brackets nested, letters lost."""
    for _ in range(dice.choice([1, 1, 1, 2, 3])):
        way = dice.randrange(8)
        tokens = list(TOKEN.finditer(text))
        lines = text.splitlines(keepends=True)
        if way < 3 and tokens:
            numbers = [token for token in tokens if token[0][0] in "+-0123456789"]
            token = dice.choice(numbers if way < 2 and numbers else tokens)
            new = dice.choice(ODD_NUMBERS if way < 2 else [*ODD_NUMBERS, *ODD_WORDS])
            text = text[: token.start()] + new + text[token.end() :]
        elif way == 3 and tokens:
            one, other = dice.choice(tokens), dice.choice(tokens)
            text = text[: one.start()] + other[0] + text[one.end() :]
        elif way == 4 and lines:
            k = dice.randrange(len(lines))
            lines[k:k] = [dice.choice(lines)] * dice.choice([1, 1, 40])
            text = "".join(lines)
        elif way == 5 and lines:
            del lines[dice.randrange(len(lines))]
            text = "".join(lines)
        elif way == 6:
            k, deep = dice.randrange(len(text) + 1), dice.choice([1, 5, 13, 2000, 40_000])
            hidden = dice.choice(["", "", *HIDING])
            text = text[:k] + hidden + dice.choice([*"[{\"'.#=", "a."]) * deep + text[k:]
        else:
            k = dice.randrange(len(text) + 1)
            text = text[:k] + dice.choice(ODD_WORDS) + text[k + dice.choice([0, 1, 9]) :]
    return text


def changed_value(dice: Random, value: Any) -> Any:
    """One to three changes in nested dicts and lists: types exchanged, keys lost, unknown ones."""
    whole = {"": copy.deepcopy(value)}
    for _ in range(dice.choice([1, 1, 1, 2, 3])):
        holder, key = dice.choice(list(places(whole)))
        way = dice.randrange(6)
        if way == 0 and holder is not whole:
            del holder[key]
        elif way == 1 and isinstance(holder, dict) and holder is not whole:
            holder[dice.choice(ODD_WORDS)] = dice.choice(ODD_VALUES)
        elif way == 2:
            other, name = dice.choice(list(places(whole)))
            holder[key] = copy.deepcopy(other[name])
        elif way == 3:
            holder[key] = dice.choice(ODD_WORDS)
        elif isinstance(holder[key], int | float) and not isinstance(holder[key], bool):
            holder[key] = odd_number(dice)
        else:
            holder[key] = copy.deepcopy(dice.choice(ODD_VALUES))
    return whole[""]


def changed_numbers(dice: Random, value: Any, kept: tuple[str, ...] = ()) -> Any:
    """One to four numbers of nested dicts and lists become others; of the keys `kept`, none."""
    whole = {"": copy.deepcopy(value)}
    numbers = [
        (holder, key)
        for holder, key in places(whole, kept)
        if isinstance(holder[key], int | float) and not isinstance(holder[key], bool)
    ]
    for holder, key in dice.choices(numbers, k=dice.choice([1, 1, 2, 4])):
        scale = dice.choice([-1, 0, 1e-30, 1e-9, 1e-3, 0.1, 0.5, 2, 3, 100, 1e5, 1e7, 1e9])
        holder[key] = holder[key] * scale if dice.random() < 0.75 else odd_number(dice)
    return whole[""]


def odd_number(dice: Random) -> int | float:
    """A number that is large, small, or none."""
    return dice.choice(
        [0, -1, 1, 2, 1e-300, 1e-45, 1e-9, 0.1, 1e8, 1e9, -1e9, 1e10, 1e300, 2**31, 2**53, 2**64,
         float("inf"), float("nan")]
    )  # fmt: skip


def places(value: Any, kept: tuple[str, ...] = ()) -> list[tuple[Any, Any]]:
    """Every (dict or list, its key or index) in a nested value."""
    if not isinstance(value, dict | list):
        return []
    keys = list(value) if isinstance(value, dict) else range(len(value))
    found = []
    for key in keys:
        if key not in kept:
            found += [(value, key), *places(value[key], kept)]
    return found

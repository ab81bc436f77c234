"""Limits of TOML: the scanner finds the same strings and comments as the parser."""

from __future__ import annotations

import tomllib
from random import Random
from typing import Any

import pytest

from murmurate.model.text_reader import MAX_DEPTH, TextError, read_toml

# Pieces of strings, values and comments. A deep piece is far beyond the limit, and the others are
# far below it, so the depth of the parsed tables shows whether a deep piece was a value.
DEEP = ["[" * (MAX_DEPTH + 5) + "]" * (MAX_DEPTH + 5), "a." * (MAX_DEPTH + 5) + "a", "[[[", "{"]
QUOTES = ['"', '""', '"""', '""""', "'", "''", "'''", "''''", "\\", '\\"', "\\\n", "\\\\"]
PIECES = [*DEEP, *QUOTES, *QUOTES, "\n", "#", " ", "x", "="]


def depth(value: Any) -> int:
    if not isinstance(value, dict | list):
        return 0
    below = value.values() if isinstance(value, dict) else value
    return 1 + max(map(depth, below), default=0)


def some_text(dice: Random) -> str:
    return "".join(dice.choice(PIECES) for _ in range(dice.randrange(6)))


def some_line(dice: Random, number: int) -> str:
    """Return a key and its value, mostly a string of random pieces, and perhaps a comment."""
    quote = dice.choice(['"', "'", '"""', "'''"])
    inside = dice.choice([f"{quote}{some_text(dice)}{quote}", '""', "[1]", DEEP[0]])
    value = dice.choice([inside, f"[{inside}, {inside}]", f"{{a = {inside}}}"])
    key = dice.choice([f"k{number}", f"k{number}", f'"{number}[".k', f"k{number}.{DEEP[1]}"])
    comment = dice.choice(["", f"#{some_text(dice)}".replace("\n", " ")])
    return f"{key} = {value} {comment}"


def test_the_limits_apply_to_the_values_that_the_parser_finds():
    dice, valid, beyond = Random(1), 0, 0
    for _ in range(4_000):
        text = "\n".join(some_line(dice, k) for k in range(dice.choice([1, 2, 2, 3])))
        try:
            tables = tomllib.loads(text)
        except ValueError:
            continue
        valid += 1
        if depth(tables) <= MAX_DEPTH:
            assert read_toml(text) == tables, text
            continue
        beyond += 1
        with pytest.raises(TextError, match=f"expected at most {MAX_DEPTH}"):
            read_toml(text)
    assert valid > 1000
    assert 170 < beyond < valid - 330


def test_quotes_do_not_hide_values_beyond_the_limits():
    texts = {
        "long string before a key": 'b = """x"""" # \\\n' + "a." * 20_000 + "a = 1",
        "long string before lists": 'a = ["""x"""", ' + "[" * 50_000,
        "long string before a number": 'a = ["""x"""", ' + "9" * 4000 + "]",
        "literal string before lists": "a = ['''x'''', " + "[" * 50_000,
        "comment before a key": '# \\\n"a\\" = 1\n' + "b." * 20_000 + "b = 1",
    }
    for what, text in texts.items():
        with pytest.raises(TextError, match=r"expected at most (12|256)"):
            read_toml(text)
            pytest.fail(what)


def test_a_byte_order_mark_is_ignored():
    assert read_toml("\ufeffa = 1") == {"a": 1}

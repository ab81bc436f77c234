"""Suggestions for mistyped words: what is close to the word, or owns it, in a short message."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

import murmurate as mm
import murmurate.rules
from murmurate.cli.app import COMMANDS, arguments_of, make_app
from murmurate.measures.registry import MEASURES
from murmurate.model.registry import RULES

LETTERS = "abcdefghijklmnopqrstuvwxyz"
MAX_MESSAGE = 700  # characters
NEEDED = {"compare-models": ["--flocks", "p5"], "new": [], "tour": [], "doctor": [], "schema": []}
SUGGESTED = re.compile(r"[Dd]id you mean (.+?)\?")


@cache
def distance(a: str, b: str) -> int:
    """Return the number of letters to insert, delete, replace or swap, by its definition."""
    if not a or not b:
        return len(a) + len(b)
    if a[0] == b[0]:
        return distance(a[1:], b[1:])
    options = [distance(a[1:], b), distance(a, b[1:]), distance(a[1:], b[1:])]
    if a[:2] == b[:2][::-1]:
        options.append(distance(a[2:], b[2:]))
    return 1 + min(options)


def is_close(word: str, name: str) -> bool:
    """Return whether a name is one that somebody who typed a word may mean."""
    word, name = (text.strip("-.").replace("_", "-").lower() for text in (word, name))
    size = min(len(word), len(name))
    limit = 1 if size <= 4 else 2 if size <= 8 else 3
    return distance(word, name) <= limit or (size >= 4 and name.startswith(word))


def misspelt(dice: Random, word: str, edits: int) -> str:
    """Return a word with letters inserted, deleted, replaced or swapped."""
    for _ in range(edits):
        k, letter = dice.randrange(len(word)), dice.choice(LETTERS)
        changed = (
            word[:k] + letter + word[k:],
            word[:k] + word[k + 1 :],
            word[:k] + letter + word[k + 1 :],
            word[:k] + word[k : k + 2][::-1] + word[k + 2 :],
        )
        word = dice.choice(changed) or word
    return word


def wrong_suggestions(word: str, message: str) -> list[str]:
    """Return the suggestions of a message that neither are close to a word nor own it."""
    texts = [text for listed in SUGGESTED.findall(message) for text in re.split(", | or ", listed)]
    names = [text.strip("'\"").split("=")[0].split(" ")[-1] for text in texts]
    parts = [part for part in word.strip("-").split(".") if part not in ("", "rules", "weight")]
    return [name for name in names if not any(is_meant(part, name) for part in [word, *parts])]


def is_meant(part: str, name: str) -> bool:
    """Return whether a name, or a part of it that is no common table, is close to a word."""
    parts = name.split(".")
    tail = ".".join(parts[-part.count(".") - 1 :])
    return any(is_close(part, each) for each in [name, tail, *parts])


@cache
def options_of(command: str) -> list[str]:
    arguments = arguments_of(make_app(list_commands=False), command)
    return [name for argument in arguments for name in argument.names if name.startswith("--")]


def mistyped(dice: Random) -> Iterator[tuple[str, str, list[str]]]:
    """Yield kind, word and the command line that has it."""
    for command in COMMANDS:
        for edits in (1, 1, 2):
            word = misspelt(dice, command, edits)
            if word not in COMMANDS and not word.startswith("-"):
                yield "command", word, [word, "p5"]
        for option in dice.sample(options_of(command), min(8, len(options_of(command)))):
            word = "--" + misspelt(dice, option[2:], dice.choice((1, 2)))
            if word not in options_of(command) and word.rstrip("-"):
                yield "option", word, [command, *NEEDED.get(command, ["p5"]), word, "1"]
        concepts = [
            *RULES,
            *(name.replace("_", "-") for name in MEASURES),
            "weight",
            "radius",
            "dt",
        ]
        for other in (*dice.sample(concepts, 6), *dice.sample(options_of("film"), 3)):
            word = "--" + other.removeprefix("--")
            if word not in options_of(command):
                yield "concept as option", word, [command, *NEEDED.get(command, ["p5"]), word, "1"]
    for name in ("p5", "ucl", "couzin-2002", "sort-sol", "parker-predator", "vicsek-1995"):
        model = mm.load(name)
        for rule, part in model.rules.items():
            fields = [field for field in type(part).model_fields if field != "kind"]
            field, other = dice.choice(fields), misspelt(dice, rule, dice.choice((1, 2)))
            wrong = misspelt(dice, field, 1)
            paths = [f"{rule}.weight", f"{rule}.{field}", rule, f"rule.{rule}.weight", field]
            paths += [f"rules.{other}.weight", f"rules.{rule}.{wrong}", f"{other}.weight"]
            for path in paths:
                yield "--set", path, ["show", name, "--set", f"{path}=1"]
        for measure in dice.sample(sorted(MEASURES), 3):
            yield "--set", measure, ["show", name, "--set", f"{measure}=1"]
    for measure in MEASURES:
        word = misspelt(dice, measure, dice.choice((1, 2)))
        if word not in MEASURES:
            yield "measure", word, ["measure", "p5", word]
    for name in mm.zoo():
        word = misspelt(dice, name, dice.choice((1, 2)))
        yield "model", word, ["show", word]
    for _ in range(60):
        ending = "." + "".join(dice.choices(LETTERS + "34", k=dice.randrange(2, 5)))
        yield "ending", ending, ["film", "p5", "-o", f"flock{ending}"]
        yield "ending", ending, ["export", "a.csv", f"flock{ending}"]
    for option, words in {
        "--style": ("dark", "light", "dusk"), "--preset": ("film", "reel", "talk", "square"),
        "--colour-by": ("heading", "speed", "flock"), "--follow": ("space", "flock", "auto"),
    }.items():  # fmt: skip
        for word in words:
            wrong = misspelt(dice, word, dice.choice((1, 2)))
            yield "choice", wrong, ["still", "p5", option, wrong, "--at", "0"]


def check_suggestions(murmurate, seed: int) -> dict[str, tuple[int, list[str]]]:
    """Return, for each kind, the number of cases and those with a wrong or long message."""
    results: dict[str, tuple[int, list[str]]] = {}
    for kind, word, words in mistyped(Random(seed)):
        ran = murmurate(*words)
        count, failures = results.get(kind, (0, []))
        if ran.code != 2:  # the word is another that is right
            continue
        line = f"{' '.join(words)}: {ran.err}"
        if wrong_suggestions(word, ran.err) or len(ran.err) > MAX_MESSAGE:
            failures = [*failures, line]
        results[kind] = count + 1, failures
    return results


@pytest.mark.long
def test_no_suggestion_misleads(murmurate, tmp_path):
    (tmp_path / "a.csv").write_text("t,id,x,y\n0,1,0,0\n0,2,1,1\n1,1,0,1\n1,2,1,2\n")
    results = check_suggestions(murmurate, 1)
    for kind, (count, failures) in results.items():
        print(kind, count, len(failures))
    assert all(count > 10 for count, _ in results.values())
    failures = [line for _, lines in results.values() for line in lines]
    assert not failures, "\n".join(failures)

"""One spelling of commands and of what is installed, and tables that are tables."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from pathlib import Path

from page_blocks import PAGES, ROOT

from cases import cases
from murmurate.cli.app import COMMANDS, arguments_of, make_app

EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = EXTRAS["optional-dependencies"]
OTHERS = [ROOT / "ARCHITECTURE.md", ROOT / "benchmarks" / "README.md", ROOT / "tests" / "README.md"]
TEXTS = [*PAGES, *OTHERS, *sorted((ROOT / "docs" / "models").glob("*.md"))]
CODE = sorted([*(ROOT / "src").rglob("*.py"), *(ROOT / "examples").glob("*.py")])
INSTALLED = re.compile(r"pip install\s+(?:-e\s+)?(\S*\[[^\]\s]*\]\S?)")
CHECKOUT = {"README.md", "CONTRIBUTING.md", "first-flight.md", "guarantees.md"}
SPELLING = re.compile(r'\\?"(murmurate|\.)\[([a-z,]+)\]\\?"')


def wrong_spellings(text: str, checkout: bool) -> list[str]:
    """What is installed with extras, and not spelled "murmurate[extra]"; for those who have a
    checkout ".[extra]" too."""
    wrong = []
    for found in INSTALLED.findall(text):
        if "{" in found:  # a message puts the extra's name there
            continue
        spelled = SPELLING.match(found)
        known = spelled and set(spelled[2].split(",")) <= set(EXTRAS)
        if not known or (spelled[1] == "." and not checkout):
            wrong.append(found)
    return wrong


@cases("page", TEXTS)
def test_pages_spell_what_is_installed_alike(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert not wrong_spellings(text, page.name in CHECKOUT or page in OTHERS)


def test_messages_spell_what_is_installed_as_pages_do() -> None:
    for file in CODE:
        assert not wrong_spellings(file.read_text(encoding="utf-8"), False), file


def test_other_spellings_are_found() -> None:
    for line in ("'murmurate[plot]'", "murmurate[plot]", '"murmurate[plots]"', '".[plot]"'):
        assert wrong_spellings(f"pip install {line}", False), line
    assert not wrong_spellings('pip install -e ".[plot]" and pip install "murmurate[plot]"', True)


def broken_tables(text: str) -> list[str]:
    """Rows that stand in no table, and tables whose rows differ in their number of cells."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    wrong = []
    for block in re.findall(r"(?:^\|.*(?:\n|\Z))+", text, re.MULTILINE):
        rows = block.splitlines()
        bare = [re.sub(r"`[^`]*`|\\\|", "", row) for row in rows]
        if len(rows) < 3 or not re.fullmatch(r"\|(?:\s*:?-+:?\s*\|)+", rows[1]):
            wrong.append(rows[0])
        wrong += [
            row for row, b in zip(rows, bare, strict=True) if b.count("|") != bare[0].count("|")
        ]
    return wrong


@cases("page", TEXTS)
def test_every_row_stands_in_its_table(page: Path) -> None:
    assert not broken_tables(page.read_text(encoding="utf-8"))


def test_broken_tables_are_found() -> None:
    table = "| a | b |\n|---|---|\n| `x|y` | 2 |\n"
    assert not broken_tables(f"text\n\n{table}\ntext")
    assert broken_tables(f"{table}\n| 3 | 4 |\n") == ["| 3 | 4 |"]
    assert broken_tables(f"{table}| 3 |\n") == ["| 3 |"]


def is_script(text: str) -> bool:
    """Whether a block is more than commands of one line each."""
    return "#!" in text or "=$(" in text or "\\\n" in text


def wrong_prompts(text: str) -> list[str]:
    """First lines of blocks of commands that are not '$ command' in a block of language console;
    what a command prints may follow it."""
    found = re.findall(r"^```(bash|sh|console)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [
        block.splitlines()[0]
        for language, block in found
        if not is_script(block) and (language != "console" or not block.startswith(("$ ", "# ")))
    ]


@cases("page", TEXTS)
def test_commands_are_written_after_a_prompt(page: Path) -> None:
    assert not wrong_prompts(page.read_text(encoding="utf-8"))


def test_commands_without_a_prompt_are_found() -> None:
    assert wrong_prompts("```bash\nmurmurate models\n```\n") == ["murmurate models"]
    assert wrong_prompts("```console\nmurmurate show p5\n```\n") == ["murmurate show p5"]
    assert not wrong_prompts("```bash\n#!/bin/bash\nmurmurate models\n```\n")


def wrong_commands(text: str) -> list[str]:
    """Commands within a line, where nothing is run, that are none, or have no such option."""
    wrong = []
    for words in re.findall(r"`murmurate ([a-z][^`]*)`", text):
        name, *more = words.split()
        asked = {word for word in more if re.fullmatch(r"-o|--[a-z][\w-]*", word)}
        if name not in COMMANDS or not asked <= options_of(name):
            wrong.append(words)
    return wrong


@cache
def options_of(command: str) -> set[str]:
    """The options that a command takes, as they are written."""
    arguments = arguments_of(make_app(list_commands=False), command)
    return {name for argument in arguments for name in argument.names} | {"--help", "--help-all"}


@cases("page", TEXTS)
def test_commands_that_are_named_are_commands(page: Path) -> None:
    assert not wrong_commands(page.read_text(encoding="utf-8"))


def test_wrong_commands_are_found() -> None:
    assert not wrong_commands("`murmurate page p5 --live -o p5.html`, `murmurate NAME`")
    said = "`murmurate flim p5` and `murmurate film p5 --size 4k --live`"
    assert wrong_commands(said) == ["flim p5", "film p5 --size 4k --live"]

"""Code and prose use plain words: see plain_words.py for the words, and what is written instead."""

from __future__ import annotations

from pathlib import Path

import pytest
from plain_words import ALLOWED, PART, ROOT, TEXT, WHOLE, forbidden, in_identifier, in_text, uses

from cases import cases
from parsed import garbage_kept

PACKAGE = ROOT / "src" / "murmurate"
PACKAGES = sorted(path.name for path in PACKAGE.iterdir() if path.suffix == ".py" or path.is_dir())
DOCS = sorted(
    path.name
    for path in (ROOT / "docs").iterdir()
    if path.is_dir() or path.suffix in (".md", ".py", ".toml")
)
TESTS = (
    "analysis", "bench", "browser", "codegen", "doctor", "effects", "engines", "exports", "fitting",
    "language", "live_view", "measures", "model", "neighbours", "notebook", "plots", "record",
    "runs", "show", "sweeps", "tracks", "verify", "cli",
)  # fmt: skip
"""Folders of tests that are checked."""
OTHERS = (
    "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "tests/README.md",
    "examples", "viewer/src", "viewer/test", "benchmarks/peers", "benchmarks/README.md",
    "benchmarks/results/README.md",
)  # fmt: skip


def check(*paths: Path) -> None:
    """Assert that no file under some paths uses a word of the list."""
    with garbage_kept():
        left = forbidden([path for path in paths if path.exists()])
    assert not left, "\n".join(f"{u.file}:{u.line}: {u.word} -> {u.instead}" for u in left)


@cases("name", PACKAGES)
def test_code_uses_plain_words(name: str) -> None:
    check(PACKAGE / name)


@cases("name", DOCS)
def test_the_documentation_uses_plain_words(name: str) -> None:
    check(ROOT / "docs" / name)


@cases("name", TESTS)
def test_tests_use_plain_words(name: str) -> None:
    check(ROOT / "tests" / name)


@cases("name", OTHERS)
def test_other_files_use_plain_words(name: str) -> None:
    check(ROOT / name)


def test_benchmarks_of_peers_use_plain_words() -> None:
    check(*(ROOT / "benchmarks").glob("peer*.py"))


def test_uses_that_are_meant_still_exist() -> None:
    files = {file for file, _ in ALLOWED}
    with garbage_kept():
        words = {file: [use.word for use in uses(ROOT / file)] for file in files}
    for (file, word), times in ALLOWED.items():
        assert words[file].count(word) == times, (file, word)


@cases("word", [*WHOLE, *PART])
def test_words_are_found_in_identifiers(word: str) -> None:
    assert in_identifier(word) and in_identifier(f"_{word}")


@pytest.mark.parametrize("name", ["MOST_WAITING", "stray_boids", "_flown", "hasFlown", "doubts_of"])
def test_parts_of_identifiers_are_found(name: str) -> None:
    assert in_identifier(name)


@pytest.mark.parametrize("name", ["steps", "almost", "foundation", "_state", "headings", "onset"])
def test_plain_identifiers_are_left(name: str) -> None:
    assert in_identifier(name) is None


@pytest.mark.parametrize(
    "text",
    [
        "steps that were flown", "of so\n    many steps", "# it is\n# told them",
        "boids ran away", "workers take their turns",
    ],
)  # fmt: skip
def test_words_are_found_in_text_across_lines(text: str) -> None:
    line, word, instead = next(in_text(text))
    assert line == 0 and word and instead in TEXT.values()


def test_every_kind_of_place_is_searched(tmp_path: Path) -> None:
    """Names of modules, functions, classes, arguments, variables and attributes; docstrings,
    comments and strings."""
    file = tmp_path / "doubts.py"
    file.write_text(
        '"""Flown."""\nimport a as told\n\n\nclass Stray:\n    pass\n\n\n'
        "# so\n# many\n"
        "def flies(most, *, its=1):  # flown\n    found = f'{most} flown'\n    a.flown = found\n"
    )
    lines = sorted(use.line for use in uses(file, tmp_path))
    assert lines == [1, 1, 2, 5, 9, 11, 11, 11, 11, 12, 12, 13]


def test_typescript_is_searched(tmp_path: Path) -> None:
    """Declarations by the words of their names, comments, strings and templates as text."""
    file = tmp_path / "a.ts"
    file.write_text(
        "/** It was\n * flown. */\nconst MOST_BOIDS = 3;\nfunction go(hasFlown: boolean) {}\n"
        "class A {\n  tellTold(): void {}\n  text = `so many ${1}`;\n  now = 1; // outsiders\n}\n"
    )
    assert [use.line for use in uses(file, tmp_path)] == [2, 7, 8, 3, 4, 6]

"""Code and prose use plain words: see plain_words.py for the words, and what is written instead."""

from __future__ import annotations

from pathlib import Path

import pytest
from plain_words import ALLOWED, PART, ROOT, TEXT, WHOLE, forbidden, in_identifier, in_text, uses

DONE = (
    "analysis", "bench", "cli", "codegen", "deprecation.py", "disk.py", "display.py", "doctor",
    "engines", "exports", "fitting", "frame.py", "language", "live_view", "measures", "model",
    "neighbours", "notebook", "plots", "record", "rules", "runs", "schema.py", "show",
    "sweeps", "tracks", "verify",
)  # fmt: skip
"""The packages that are rewritten; words of the others are not checked yet."""
TESTS = {
    "engines": ("engines", "slabs", "wasm"),
    "language": ("rule_language",),
    "live_view": ("live", "browser"),
    "runs": ("run",),
}
"""Folders of tests that are not named after their package."""
PAGES = (
    "blender", "cluster", "file-formats", "films-and-stills", "live", "live-page", "measures",
    "model-files", "page", "real-tracks", "recording-format", "recordings", "sweeps",
)  # fmt: skip


@pytest.mark.parametrize("package", DONE)
def test_packages_use_plain_words(package: str) -> None:
    paths = [
        ROOT / "src" / "murmurate" / package,
        *(ROOT / "tests" / name for name in TESTS.get(package, (package,))),
    ]
    left = forbidden([path for path in paths if path.exists()])
    assert not left, "\n".join(f"{u.file}:{u.line}: {u.word} -> {u.instead}" for u in left)


def test_the_viewer_uses_plain_words() -> None:
    left = forbidden([ROOT / "viewer" / "src", ROOT / "viewer" / "test"])
    assert not left, "\n".join(f"{u.file}:{u.line}: {u.word} -> {u.instead}" for u in left)


def test_benchmarks_of_peers_use_plain_words() -> None:
    left = forbidden([ROOT / "benchmarks" / "peers", *(ROOT / "benchmarks").glob("peer*.py")])
    assert not left, "\n".join(f"{u.file}:{u.line}: {u.word} -> {u.instead}" for u in left)


@pytest.mark.parametrize("page", PAGES)
def test_pages_use_plain_words(page: str) -> None:
    assert not forbidden([ROOT / "docs" / f"{page}.md"])


def test_uses_that_are_meant_still_exist() -> None:
    for file, word in ALLOWED:
        found = [use.word for use in uses(ROOT / file)]
        assert found.count(word) == ALLOWED[file, word], (file, word)


@pytest.mark.parametrize("word", [*WHOLE, *PART])
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


def test_every_kind_of_place_is_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names of modules, functions, classes, arguments, variables and attributes; docstrings,
    comments and strings."""
    monkeypatch.setattr("plain_words.ROOT", tmp_path)
    file = tmp_path / "doubts.py"
    file.write_text(
        '"""Flown."""\nimport a as told\n\n\nclass Stray:\n    pass\n\n\n'
        "# so\n# many\n"
        "def flies(most, *, its=1):  # flown\n    found = f'{most} flown'\n    a.flown = found\n"
    )
    lines = sorted(use.line for use in uses(file))
    assert lines == [1, 1, 2, 5, 9, 11, 11, 11, 11, 12, 12, 13]


def test_typescript_is_searched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Declarations by the words of their names, comments, strings and templates as text."""
    monkeypatch.setattr("plain_words.ROOT", tmp_path)
    file = tmp_path / "a.ts"
    file.write_text(
        "/** It was\n * flown. */\nconst MOST_BOIDS = 3;\nfunction go(hasFlown: boolean) {}\n"
        "class A {\n  tellTold(): void {}\n  text = `so many ${1}`;\n  now = 1; // outsiders\n}\n"
    )
    assert [use.line for use in uses(file)] == [2, 7, 8, 3, 4, 6]

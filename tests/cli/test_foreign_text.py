"""What others wrote reaches the terminal as text: no escape sequence, direction or markup of it
works."""

from __future__ import annotations

import ast
import json
import re
import unicodedata
from pathlib import Path

import pytest

import murmurate.cli
from cases import cases
from murmurate.cli.terminal import console, printable

EVIL = "\x1b]0;owned\x07\x1b[31m\x9b2J\r\x08\u202eevil\u2066\u200f\u2028"
EVIL += "[bold red]m[/] [link=x]l[/link]"
MODEL = f"""\
title = {json.dumps("t " + EVIL)}
about = {json.dumps("a " + EVIL)}
tries = [{json.dumps("y " + EVIL)}]
[source]
reference = {json.dumps("r " + EVIL)}
doi = {json.dumps("d " + EVIL)}
url = {json.dumps("u " + EVIL)}
reading = {json.dumps("e " + EVIL)}
[space]
size = [20, 20]
[flocks.boids]
count = 12
[rules.cohesion]
radius = 3
[view]
steps = 2
size = [64, 64]
[[expect]]
measure = "polarization"
step = 1
low = 0
why = {json.dumps("w " + EVIL)}
"""
PLAIN = ("\n", "\u200c", "\u200d")


def assert_harmless(text: str) -> None:
    hidden = [c for c in text if unicodedata.category(c)[0] in "CZ" and c not in (" ", *PLAIN)]
    assert not hidden, (ascii(text), ascii(hidden))


@pytest.fixture
def evil(murmurate, tmp_path: Path) -> Path:
    """With evil.toml, evil.zarr, an evil table of tracks, and evil paths."""
    (tmp_path / "evil.toml").write_text(MODEL, encoding="utf-8")
    assert (
        murmurate(
            "run", "evil.toml", "--steps", 2, "-o", "evil.zarr", "--quiet", "--engine", "reference"
        ).code
        == 0
    )
    column = '"' + EVIL.replace("\r", "") + '"'
    rows = "".join(f"{t},{k},{t + k},{k}\n" for t in range(3) for k in range(2))
    (tmp_path / "tracks.csv").write_text(f"{column},b,c,d\n" + rows, encoding="utf-8")
    (tmp_path / "wrong.toml").write_text(
        f'{json.dumps("key" + EVIL)} = 1\n[space]\nsize = [{json.dumps(EVIL)}, 2]\n'
        f'[flocks.{json.dumps(EVIL)}]\ncount = 1\n[rules.a]\nkind = {json.dumps(EVIL)}\n',
        encoding="utf-8",
    )  # fmt: skip
    (tmp_path / "broken.toml").write_text(f"a = '{EVIL}'", encoding="utf-8")
    return tmp_path


@cases(
    "words, code",
    [
        (["show", "evil.toml"], 0),
        (["show", "evil.toml", "--toml"], 0),
        (["show", "evil.toml", "--toml", "--boids", "3"], 0),
        (["info", "evil.zarr"], 0),
        (["info", "evil.zarr", "--json"], 0),
        (["show", "evil.zarr", "--cite"], 0),
        (["verify", "evil.toml", "--engine", "reference"], 0),
        (["verify", "evil.toml", "--engine", "reference", "--json"], 0),
        (["still", "evil.toml", "--engine", "reference"], 0),
        (["measure", "evil.zarr", "polarization"], 0),
        (["measure", "tracks.csv", "polarization"], 2),
        (["fit", "evil.toml", "tracks.csv", "--measures", "polarization"], 2),
        (["fit", "evil.toml", "evil.zarr", "--measures", EVIL], 2),
        (["show", "wrong.toml"], 2),
        (["show", "broken.toml"], 2),
        (["show", EVIL], 2),
        (["show", "evil.toml", "--set", f"{EVIL}=1"], 2),
        (["show", "evil.toml", f"--{EVIL}"], 2),
        (["film", "evil.toml", "-o", f"{EVIL}.mp5"], 2),
        (["export", EVIL, "a.csv"], 2),
        (["resume", "evil.zarr", "-o", f"{EVIL}.zarr", "--at", "9"], 2),
        (["new", "evil.toml", EVIL], 2),
        ([EVIL], 2),
    ],
)
def test_commands_print_it_harmlessly(words: list[str], code: int, murmurate, evil: Path) -> None:
    ran = murmurate(*words)
    assert ran.code == code, ran
    assert_harmless(ran.out + ran.err)
    assert ran.out + ran.err


@pytest.mark.parametrize("words", ["show evil.toml", "verify evil.toml --engine reference"])
def test_on_a_terminal_only_colours_of_its_own(words, murmurate, evil, monkeypatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "1000")
    ran = murmurate(*words.split())
    assert ran.code == 0 and "\x1b[" in ran.out
    for order in ("\x1b]", "\x1b[31m", "\x9b", "\x07", "\u202e", "\r\x08"):
        assert order not in ran.out
    own = re.sub(r"\x1b\[[0-9;]*m", "", ran.out)  # its colours, and where it wraps lines
    assert "red]m[/][link=x]l[/link]" in "".join(own.split())


def test_what_is_written_out_can_be_read_again() -> None:
    for text in (EVIL.replace("\U000e0041", ""), "é ≥ ± 椋鳥\n\tx", "\u0645\u06cc\u200c\u062e"):
        escaped = printable(text)
        assert json.loads(json.dumps(escaped).replace("\\\\u", "\\u")) == text
    assert printable("é ≥ ± 椋鳥\n\tx") == "é ≥ ± 椋鳥\n\tx"
    assert printable("\ud800\U000e0041") == "\\ud800\\U000e0041"


def test_a_progress_bar_has_no_markup(capsys, monkeypatch) -> None:
    from murmurate.cli.terminal import progress_bar

    monkeypatch.setenv("COLUMNS", "200")
    with progress_bar("{task.description}", console=console()) as bar:
        bar.add_task("[bold]\x1b]0;x\x07")
    out = capsys.readouterr().out
    assert out.startswith("[bold]\\u") and "\x1b" not in out


def test_commands_print_in_no_other_way() -> None:
    folder = Path(murmurate.cli.__file__).parent
    for file in folder.glob("*.py"):
        if file.name == "terminal.py":
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            function = node.func if isinstance(node, ast.Call) else None
            called = function.id if isinstance(function, ast.Name) else ""
            assert called not in ("print", "Console", "TextColumn"), f"{file.name}:{node.lineno}"

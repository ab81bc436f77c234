"""murmurate models, show, new, and the program itself."""

from __future__ import annotations

import io
import json
import re
import runpy
import signal
import sys
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest
from rich.console import Console

import murmurate as mm
from cases import cases
from murmurate.cli.app import COMMANDS, RARE
from murmurate.cli.models import print_models
from processes import ran_well

ZOO = Path(mm.__file__).parent / "zoo"


def test_alone_it_says_what_it_can_do(murmurate):
    ran = murmurate()
    assert ran.code == 0
    for command in ("models", "film", "show", "new"):
        assert f"murmurate {command}" in ran.out


def test_version(murmurate):
    assert murmurate("--version").out == f"murmurate {mm.__version__}\n"


@pytest.mark.parametrize(
    "commands",
    [("film", "fit", "doctor"), pytest.param(tuple(COMMANDS), marks=pytest.mark.slow)],
    ids=["three", "all"],
)
def test_help_is_short_and_help_all_is_complete(murmurate, full_help, commands):
    """Each command shows at most 31 options; a rare option is one of some command."""
    every = set()
    for command in commands:
        full = full_help(command)
        ran = murmurate(command, "--help")
        assert ran.code == 0 and "Usage: murmurate" in ran.out
        assert max(map(len, ran.out.splitlines())) <= 80
        short = ran.out
        options = [set(re.findall(r"^│ (?:[* ]  )?(--[\w.-]+)", text, re.MULTILINE))
                   for text in (short, full)]  # fmt: skip
        assert options[0] <= options[1] and len(options[0]) <= 31, command
        hidden = len(options[1] - options[0])
        assert (f"{hidden} more options: murmurate {command} --help-all" in short) == bool(hidden)
        every |= options[1]
    if len(commands) == len(COMMANDS):
        assert set(RARE.split()) <= every


def test_models_in_a_pipe_is_a_line_a_model_with_all_of_it(murmurate):
    ran = murmurate("models")
    assert ran.code == 0
    lines = {line.split(" ")[0]: line for line in ran.out.splitlines() if line}
    for name, text in mm.zoo().items():
        model = mm.parse(text, f"{name}.toml")
        words = lines[name].split()
        assert str(sum(f.count for f in model.flocks.values())) in words
        assert str(model.space.dims) in words
        assert model.title in lines[name]


@cache
def titles() -> dict[str, list[str]]:
    return {name: mm.load(name).title.split() for name in mm.zoo()}


@pytest.mark.slow
@cases("width", [200, 80, 60, 40])
def test_models_fits_a_terminal_and_cuts_no_word(width):
    out = Console(force_terminal=True, width=width, file=io.StringIO(), color_system=None)
    print_models(out, mm.zoo())
    printed = out.file.getvalue()
    assert max(map(len, printed.splitlines())) <= width
    assert "\u2026" not in printed
    printed_words = printed.split()
    for name, title in titles().items():
        assert name in printed_words
        at = [
            k for k, word in enumerate(printed_words) if printed_words[k : k + len(title)] == title
        ]
        assert at, title  # in one piece


def test_models_as_json(murmurate):
    ran = murmurate("models", "--json")
    rows = {row["name"]: row for row in json.loads(ran.out)}
    assert list(rows) == list(mm.zoo())
    for name, row in rows.items():
        model = mm.load(name)
        assert row["title"] == model.title
        assert row["flocks"] == {flock: each.count for flock, each in model.flocks.items()}
        assert (row["boids"], row["dims"]) == (sum(row["flocks"].values()), model.space.dims)
        source = model.source
        assert (row["reference"], row["doi"], row["url"]) == (
            source.reference, source.doi, source.url,
        )  # fmt: skip


def test_show_puts_the_numbers_into_the_formulas(murmurate):
    ran = murmurate("show", "tiny.toml", "--set", "rules.cohesion.weight=0.125")
    assert ran.code == 0
    assert "0.125 * (mean of x_j - x_i)" in ran.out
    assert "within 3" in ran.out
    assert "12 boids" in ran.out
    assert "{" not in ran.out


@pytest.mark.slow
@cases("name", mm.zoo())
def test_show_every_model(murmurate, name):
    ran = murmurate("show", name)
    assert ran.code == 0
    model = mm.load(name)
    for rule in model.rules:
        assert rule in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80


def test_show_kernel_prints_python(murmurate):
    ran = murmurate("show", "tiny.toml", "--kernel", "--dtype", "float64")
    assert ran.code == 0
    compile(ran.out, "kernel", "exec")
    assert "float64" in ran.out


def test_show_toml_keeps_comments_and_writes_changes(murmurate, tmp_path: Path):
    assert murmurate("show", "tiny.toml", "--toml").out == (tmp_path / "tiny.toml").read_text()
    changed = murmurate("show", "tiny.toml", "--toml", "--boids", "30").out
    assert mm.parse(changed, "tiny.toml") == mm.load("tiny.toml").set({"flocks.boids.count": 30})


def test_show_prints_the_model_file_and_the_verify_file(murmurate):
    model_file = murmurate("show", "p5", "--toml").out
    verify_file = murmurate("show", "p5", "--verify").out
    assert model_file == (ZOO / "p5.toml").read_text(encoding="utf-8")
    assert verify_file == (ZOO / "p5.verify.toml").read_text(encoding="utf-8")
    both = murmurate("show", "p5", "--toml", "--verify").out
    assert mm.parse(both, "p5.toml") == mm.load("p5")


def test_show_makes_both_files_of_a_changed_model(murmurate, tmp_path: Path):
    for flag, file in (("--toml", "mine.toml"), ("--verify", "mine.verify.toml")):
        text = murmurate("show", "p5", flag, "--boids", "30").out
        (tmp_path / file).write_text(text, encoding="utf-8")
    changed = mm.load("p5").set({"flocks.boids.count": 30})
    assert mm.load(tmp_path / "mine.toml") == changed


def test_show_counts_expectations_and_figures(murmurate):
    count = len(mm.load("cucker-smale").expect)
    assert f"{count} expectations, 2 panels of figures" in murmurate("show", "cucker-smale").out
    assert "expectations" not in murmurate("show", "tiny.toml").out


@pytest.mark.slow
def test_new_copies_both_files_and_replaces_them_with_force(murmurate, tmp_path: Path):
    assert murmurate("new", "sort-sol", "mine.toml").code == 0
    first, second = tmp_path / "mine.toml", tmp_path / "mine.verify.toml"
    copied = (ZOO / "sort-sol.verify.toml").read_bytes()
    assert second.read_bytes() == copied
    assert mm.load(first) == mm.load("sort-sol").model_copy(update={"name": "mine"})
    second.write_text("precious")
    assert murmurate("new", "sort-sol", "mine.toml").code == 2
    first.unlink()
    ran = murmurate("new", "sort-sol", "mine.toml")
    assert ran.code == 2
    assert "mine.verify.toml exists" in ran.err and "--force" in ran.err
    assert second.read_text() == "precious" and not first.exists()
    assert murmurate("new", "sort-sol", "mine.toml", "--force").code == 0
    assert second.read_bytes() == copied


def test_new_keeps_a_verify_file_that_belongs_to_another_model(murmurate, tmp_path: Path):
    """A model without a verify file is not copied beside one, which would be read with it."""
    (tmp_path / "mine.verify.toml").write_text("precious")
    for force in ([], ["--force"]):
        ran = murmurate("new", "tiny.toml", "mine.toml", *force)
        assert ran.code == 2
        assert "mine.verify.toml exists, and would be read" in ran.err
    assert not (tmp_path / "mine.toml").exists()


def test_new_copies_the_text_and_refuses_to_overwrite(murmurate, tmp_path: Path):
    ran = murmurate("new", "sort-sol", "mine.toml")
    assert ran.code == 0
    assert "murmurate film mine.toml" in ran.out
    mine = tmp_path / "mine.toml"
    text = (ZOO / "sort-sol.toml").read_text(encoding="utf-8")
    copied = f"#:schema ./murmurate.schema.json\n\n{text}"
    assert mine.read_text(encoding="utf-8") == copied
    mine.write_text("precious")
    ran = murmurate("new", "sort-sol", "mine.toml")
    assert ran.code == 2
    assert "mine.toml exists" in ran.err and "--force" in ran.err
    assert mine.read_text() == "precious"
    assert murmurate("new", "sort-sol", "mine.toml", "--force").code == 0
    assert mine.read_text(encoding="utf-8") == copied


def test_new_without_a_name_takes_the_models(murmurate, tmp_path: Path):
    assert murmurate("new", "sort-sol").code == 0
    assert (tmp_path / "sort-sol.toml").exists()


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("mine.txt", "mine.toml"),
        ("nowhere/mine.toml", "no folder nowhere"),
    ],
)
def test_new_says_where_it_cannot_write(murmurate, file, words):
    ran = murmurate("new", "sort-sol", file)
    assert ran.code == 2
    assert words in ran.err


def test_new_writes_the_schema_that_the_first_line_names(murmurate, tmp_path: Path):
    """And a copy of the copy has one line and one schema, wherever it is written."""
    assert "murmurate.schema.json: " in murmurate("new", "p5", "mine.toml").out
    schema = tmp_path / "murmurate.schema.json"
    assert schema.read_text(encoding="utf-8") == murmurate("schema").out
    (tmp_path / "there").mkdir()
    assert murmurate("new", "mine.toml", "there/again.toml").code == 0
    assert (tmp_path / "there" / schema.name).read_bytes() == schema.read_bytes()
    copy, mine = (tmp_path / name for name in ("there/again.toml", "mine.toml"))
    assert copy.read_bytes() == mine.read_bytes()
    assert mm.load(copy) == mm.load("p5").model_copy(update={"name": "again"})


def test_schema_is_printed_or_written(murmurate, tmp_path: Path):
    printed = murmurate("schema").out
    assert json.loads(printed)["properties"]["flocks"]
    assert murmurate("schema", "-o", "s.json").code == 0
    assert (tmp_path / "s.json").read_text(encoding="utf-8") == printed
    (tmp_path / "s.json").write_text("precious")
    assert murmurate("schema", "-o", "s.json").code == 2
    assert murmurate("schema", "-o", "s.json", "--force").code == 0
    assert (tmp_path / "s.json").read_text(encoding="utf-8") == printed


def test_new_leaves_a_schema_of_ones_own(murmurate, tmp_path: Path):
    """That which the file names, and one of another version that is there."""
    (tmp_path / "own.toml").write_text(f"#:schema https://x.org/s.json\n{mm.zoo()['p5']}")
    assert murmurate("new", "own.toml", "copy.toml").code == 0
    assert (tmp_path / "copy.toml").read_bytes() == (tmp_path / "own.toml").read_bytes()
    schema = tmp_path / "murmurate.schema.json"
    assert not schema.exists()
    schema.write_text("another")
    assert "is kept" in murmurate("new", "p5", "a.toml").out
    assert schema.read_text() == "another"
    assert murmurate("new", "p5", "a.toml", "--force").code == 0
    assert schema.read_text() != "another"


@pytest.mark.filterwarnings("always")
def test_show_and_run_warn_of_a_wall_across_a_torus(murmurate, tmp_path):
    (tmp_path / "walled.toml").write_text(
        '[space]\nsize = [10, 10]\nboundary = "periodic"\n[flocks.boids]\ncount = 3\n'
        '[obstacles.floor]\nkind = "wall"\npoint = [0, 1]\nnormal = [0, 1]\n',
        encoding="utf-8",
    )
    for words in (["show", "walled.toml"], ["run", "walled.toml", "--steps", "0"]):
        ran = murmurate(*words)
        assert ran.code == 0
        (line,) = ran.err.splitlines()
        assert line.startswith("murmurate: warning: obstacle 'floor' is a wall across y, and y is")


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from murmurate.cli import main; main(['--help']); main(['film', '--help']);"
        "heavy = 'numpy', 'numba', 'pydantic', 'av', 'PIL', 'scipy';"
        "print([m for m in heavy if m in sys.modules])"
    )
    assert ran_well(sys.executable, "-c", code).splitlines()[-1] == "[]"


def test_as_a_module(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["murmurate", "run", "uc1"])
    with pytest.raises(SystemExit, match="2"):
        runpy.run_module("murmurate", run_name="__main__")
    assert capsys.readouterr().err.startswith("murmurate: error: no model named 'uc1'")


@pytest.mark.parametrize(
    ("number", "cause"),
    [(signal.SIGINT, "ended by Ctrl-C"), (signal.SIGTERM, "ended by SIGTERM")],
)
def test_a_signal_is_answered_in_one_line(murmurate, tmp_path: Path, number: int, cause: str):
    (tmp_path / "own.py").write_text(f"import signal\nsignal.raise_signal({number:d})\n")
    ran = murmurate("measure", "tiny.toml", "--rules", "own.py", "--quiet")
    assert (ran.code, ran.out, ran.err) == (130, "", f"murmurate: stopped: {cause}\n")


def test_what_help_says_of_a_command_is_what_the_command_says():
    for entry in COMMANDS.values():
        module = import_module(f"murmurate.cli.{entry.file}")
        command = getattr(module, entry.name.replace("-", "_"))
        assert " ".join(command.__doc__.strip().split("\n\n")[0].split()) == entry.line

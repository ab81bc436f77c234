"""Every call of a function of murmurate that the documentation shows has arguments that it takes:
in blocks, in notebooks, in a sentence and in a table."""

from __future__ import annotations

import ast
import inspect
import json
import re
import textwrap
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from page_blocks import PAGES, ROOT, blocks

import murmurate as mm
from cases import cases

LESSONS = sorted((ROOT / "docs" / "lessons").glob("*.ipynb"))
MODELS = sorted((ROOT / "docs" / "models").glob("*.md"))
EXAMPLES = sorted((ROOT / "examples").glob("*.py"))
SOURCES = sorted((ROOT / "src" / "murmurate").rglob("*.py"))


def texts(page: Path) -> Iterator[tuple[str, str]]:
    """(where, Python) of everything on a page that is Python, or a piece of it."""
    if page.suffix == ".ipynb":
        for number, cell in enumerate(json.loads(page.read_text(encoding="utf-8"))["cells"]):
            if cell["cell_type"] == "code":
                yield f"{page.name}, cell {number}", "".join(cell["source"])
        return
    if page.suffix == ".py":
        yield page.name, page.read_text(encoding="utf-8")
        return
    for block in blocks(page):
        if block.language == "python":
            yield block.where, block.text
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    for span in re.findall(r"`([^`]*\bmm\.[^`]*)`", prose):
        yield f"{page.name}, `{span}`", span


def calls(text: str) -> Iterator[tuple[str, ast.Call]]:
    """(dotted name, call) of each call of `mm.NAME`, or of a name imported from murmurate."""
    try:
        tree = ast.parse(textwrap.dedent(text))
    except SyntaxError:  # a piece of a sentence
        return
    known = {
        alias.asname or alias.name: f"{node.module}.{alias.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "murmurate"
        for alias in node.names
    }
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        if re.fullmatch(r"mm\.\w+(\.\w+)*", name):
            yield name.replace("mm.", "murmurate.", 1), node
        elif name in known:
            yield known[name], node


def function(name: str) -> Any:
    """What a dotted name means."""
    found: Any = mm
    for part in name.split(".")[1:]:
        found = getattr(found, part, None) or import_module(f"{found.__name__}.{part}")
    return found


def problem(name: str, call: ast.Call, page: str = "") -> str:
    """What is wrong with the arguments of a call; '' where nothing is, and of functions that the
    page itself adds."""
    if f"def {name.rpartition('.')[2]}(" in page:
        return ""
    try:
        signature = inspect.signature(function(name))
    except ValueError:
        return ""
    if any(isinstance(one, ast.Starred) for one in call.args):
        return ""
    named = [one.arg for one in call.keywords if one.arg is not None]
    known = signature.parameters
    wrong = [one for one in named if one not in known]
    if wrong and not any(one.kind is one.VAR_KEYWORD for one in known.values()):
        return f"{name} takes no {', '.join(wrong)}"
    if len(named) < len(call.keywords):  # **more
        return ""
    try:
        signature.bind(*call.args, **dict.fromkeys(named))
    except TypeError as error:
        return f"{name}: {error}"
    return ""


def problems(page: Path) -> list[str]:
    whole = page.read_text(encoding="utf-8")
    return [
        f"{where}: {said}"
        for where, text in texts(page)
        for name, call in calls(text)
        if (said := problem(name, call, whole))
    ]


@cases("page", [*PAGES, *MODELS, *LESSONS, *EXAMPLES])
def test_arguments_that_a_page_shows_are_taken(page: Path) -> None:
    assert not problems(page)


def test_the_calls_of_docstrings_are_taken() -> None:
    """An indented piece of a docstring that calls murmurate."""
    wrong = []
    for path in SOURCES:
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source if "mm." in source else "")
        for node in ast.walk(tree):
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                for line in (ast.get_docstring(node) or "").splitlines():
                    for name, call in calls(line.strip().rstrip(":")):
                        if said := problem(name, call):
                            wrong.append(f"{path.name}: {said}")
    assert not wrong


def test_enough_calls_are_found() -> None:
    """So that a change of how pages are written does not leave nothing to check."""
    found = {name for page in PAGES for _, text in texts(page) for name, _ in calls(text)}
    assert {f"murmurate.{name}" for name in ("watch", "sweep", "film", "fit", "live_page")} <= found
    assert "murmurate.notebook.widget" in found and len(found) > 60


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('mm.film("p5", rate=3)', "murmurate.film takes no rate"),
        ("mm.load()", "missing a required argument: 'name'"),
        ('mm.measures.polarization(flock, "boids")', "too many positional arguments"),
        ('from murmurate.notebook import widget\nwidget("p5", tall=3)', "takes no tall"),
    ],
)
def test_wrong_calls_are_found(text: str, says: str) -> None:
    ((name, call),) = calls(text)
    assert says in problem(name, call)


def test_each_option_of_tracks_is_an_argument() -> None:
    """The page about tracks says so: 'Each option is one of mm.open_tracks too'."""
    page = (ROOT / "docs" / "real-tracks.md").read_text(encoding="utf-8")
    section = page.partition("## Options for reading")[2].partition("\n## ")[0]
    named = {word.replace("-", "_") for word in re.findall(r"^- `--([a-z-]+)", section, re.M)}
    assert {"fps", "unit", "skip_bad", "axes"} <= named
    parameters = {*inspect.signature(mm.open_tracks).parameters}
    of_tables = {*inspect.signature(mm.TableFormat).parameters}
    assert named - {"fps"} <= parameters | of_tables
    listed = section.partition("tables and arrays\n")[2].partition(")")[0]
    names = {name.replace("-", "_") for name in re.findall(r"`--([a-z-]+)`", listed)}
    assert names == of_tables


@pytest.mark.parametrize("page", ["films-and-stills.md", "page.md"])
def test_each_argument_of_the_tables_is_taken(page: str) -> None:
    """Tables with a column 'in Python'."""
    taker = mm.film if page.startswith("films") else mm.replay_page
    known = set(inspect.signature(taker).parameters)
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    rows = [row.split("|")[1:-1] for row in text.splitlines() if row.startswith("| ")]
    begin = next(k for k, row in enumerate(rows) if "in Python" in "|".join(row))
    column = next(k for k, cell in enumerate(rows[begin]) if "in Python" in cell)
    names, settings = set(), set()
    for row in rows[begin + 1 :]:
        if len(row) != len(rows[begin]) or not row[0].strip().startswith("`-"):
            break
        names |= set(re.findall(r"`([a-z_]+)(?:=[^`]*)?`", row[column]))
        settings |= set(re.findall(r"mm\.View\(([a-z_]+)=", row[column]))
    assert len(names) >= 3 and names <= known, names - known
    assert settings and settings <= set(mm.View.model_fields), settings - set(mm.View.model_fields)

"""Runs the blocks of one page, in order: in one folder, Python in one namespace."""

from __future__ import annotations

import contextlib
import io
import os
import re
import runpy
import shlex
import sys
import tomllib
from pathlib import Path
from typing import Any
from unittest.mock import patch

import tomli_w
from checkout import Checkout
from page_blocks import ROOT, Block, commands

import flights
import murmurate as mm
from murmurate.classroom.task import parse_task
from murmurate.cli import main

# What a part of a model is tried in, when it does not bring its own space and flock.
BASE = {"space": {"size": [100.0, 100.0]}, "flocks": {"boids": {"count": 6}}}
STEPS = 2


class Runner:
    """Remembers what a page's blocks have made so far."""

    left_out = ("skip", "example", "notebook")  # markers of blocks that are not run

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: dict[str, Any] = {"__name__": "docs_page"}
        self.said = ""
        self._checkout: Checkout | None = None

    @property
    def checkout(self) -> Checkout:
        self._checkout = self._checkout or Checkout(self.folder / "checkout")
        return self._checkout

    def run(self, block: Block) -> None:
        """Runs a block. Raises AssertionError, or whatever the block raises."""
        if block.marker in self.left_out:
            return
        if name := block.argument("adds"):
            self.checkout.add(name, block.text)
            return
        if name := block.argument("changes"):
            self.checkout.change(name, block.text)
            return
        if block.marker == "checkout":
            for line in commands(block.text):
                self.said = self.checkout.run(line)
            return
        if name := block.argument("file"):
            (self.folder / name).write_text(block.text, encoding="utf-8")
        if block.marker == "output":
            assert_like(self.said, block.text)
        elif block.language in ("bash", "console"):
            self._run_commands(block)
        elif block.language == "python":
            self._raising(block, self._run_python)
        elif block.language == "toml":
            self._raising(block, self._read_toml)
        else:
            raise AssertionError(
                f"a block of {block.language or 'no language'} with marker {block.marker!r}: it "
                "must be bash, console, python or toml, or marked as an example or an output"
            )

    def _raising(self, block: Block, work: Any) -> None:
        expected = block.argument("raises")
        if not expected:
            work(block)
            return
        try:
            work(block)
        except Exception as error:
            assert type(error).__name__ == expected, f"{type(error).__name__}: {error}"
            self.said = f"{type(error).__module__}.{type(error).__qualname__}: {error}"
        else:
            raise AssertionError(f"nothing was raised, and {expected} was expected")

    def _run_commands(self, block: Block) -> None:
        lines = [line for line in commands(block.text) if "pip install" not in line]
        if block.replacement:
            assert_same_commands(lines, block.replacement)
            lines = block.replacement
        expected = int(block.argument("exit") or 0)
        for position, line in enumerate(lines):
            words = shlex.split(line)
            if words[0] == "python" and words[1].startswith("examples/"):
                self._run_example(ROOT / words[1])
                continue
            assert words[0] == "murmurate", f"not a murmurate command: {line}"
            out, said = io.StringIO(), io.StringIO()
            with contextlib.redirect_stdout(out), contextlib.redirect_stderr(said):
                code = main(words[1:])
            self.said = out.getvalue() + said.getvalue()
            wanted = expected if position == len(lines) - 1 else 0
            assert code == wanted, f"{line}: exit code {code}, not {wanted}:\n{self.said}"

    def _run_example(self, file: Path) -> None:
        """A program of the repository, which is run in the folder of the page, without a screen."""
        out = io.StringIO()
        sys.path.insert(0, str(file.parent))
        with contextlib.redirect_stdout(out), patch.dict(os.environ, SDL_VIDEODRIVER="dummy"):
            runpy.run_path(str(file), run_name="__main__")
        sys.path.remove(str(file.parent))
        self.said = out.getvalue()

    def _run_python(self, block: Block) -> None:
        # In a file, so that the text of rules can be read, and on the lines where the page has it.
        file = self.folder / f"{block.page.stem}_{block.line}.py"
        file.write_text("\n" * block.line + block.text, encoding="utf-8")
        code = compile(file.read_text(encoding="utf-8"), str(file), "exec", dont_inherit=True)
        out = io.StringIO()
        with contextlib.redirect_stdout(out):
            exec(code, self.names)
        self.said = out.getvalue()

    def _read_toml(self, block: Block) -> None:
        """A whole model, or a part put into a small one: it is read, compiled to text, and flown
        for a moment by the reference engine."""
        data = tomllib.loads(block.text)
        if "steps" in data:
            parse_task(block.text)
            return
        name = block.argument("file")
        if not {"space", "flocks"} <= set(data):
            data, name = merged(BASE, data), None
        # a file may name others
        model = mm.load(self.folder / name) if name else mm.parse(tomli_w.dumps(data))
        few = {
            f"flocks.{n}.count": min(f.count, 6)
            for n, f in model.flocks.items()
            if not _has_number_of_each(model, n)
        }
        flights.text_of(model)
        if not any(flock.start.kind == "given" for flock in model.flocks.values()):
            model = model.set(few)
        mm.Simulation(model, seed=1, engine="reference").step(STEPS)


def _has_number_of_each(model: mm.Model, flock: str) -> bool:
    """Return whether the model has a number for each boid of a flock, and so a fixed count."""
    return any(isinstance(value, mm.Each) for value in model.individuals_of(flock).values())


def merged(base: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """Two nested tables in one; `more` wins."""
    out = dict(base)
    for key, value in more.items():
        both = isinstance(value, dict) and isinstance(out.get(key), dict)
        out[key] = merged(out[key], value) if both else value
    return out


def assert_same_commands(lines: list[str], instead: list[str]) -> None:
    """The commands of a marker are those of the block, with more options."""
    assert len(lines) == len(instead), f"{len(instead)} commands in the marker, not {len(lines)}"
    for line, other in zip(lines, instead, strict=True):
        ours, theirs = shlex.split(line), shlex.split(other)
        options = {word for word in ours if word.startswith("-")}
        assert ours[:3] == theirs[: len(ours[:3])], f"not the same command: {other}"
        assert options <= set(theirs), f"the marker's command lacks an option: {other}"


def assert_like(said: str, text: str) -> None:
    """What was said is the text, but for spaces; '...' stands for anything."""
    pattern, between = "", r"\s*"
    for word in text.split():
        anything = word == "..."
        pattern += (r"\s*" if anything else between) + ".*?".join(
            re.escape(part) for part in word.split("...")
        )
        between = r"\s*" if anything else r"\s+"
    assert re.fullmatch(pattern + r"\s*", said, re.DOTALL), f"it said:\n{said}\nnot:\n{text}"

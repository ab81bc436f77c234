"""A copy of the repository that the blocks of CONTRIBUTING.md add files to, change, and test."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from page_blocks import ROOT

from processes import CHILD_LIMIT

IGNORED = shutil.ignore_patterns("node_modules", ".pytest_cache", "results")
COPIED = ("src", "tests", "pyproject.toml", "README.md", "CONTRIBUTING.md", "docs")
RUN = ("pytest", "murmurate")


class Checkout:
    """Made when the first block needs it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, folder / name, ignore=IGNORED)
            else:
                shutil.copy(source, folder / name)
        with suppress(OSError):  # Windows makes links for few
            (ROOT / ".pytest_cache").mkdir(exist_ok=True)
            (folder / ".pytest_cache").symlink_to(ROOT / ".pytest_cache")  # compiled kernels

    def add(self, name: str, text: str) -> None:
        """A new file."""
        path = self.folder / name
        assert path.parent.is_dir(), f"{name}: there is no such folder"
        assert not path.exists(), f"{name} is there already: show how it changes, as a diff"
        path.write_text(text, encoding="utf-8")

    def change(self, name: str, diff: str) -> None:
        """Lines that begin with '-' are replaced by those with '+'; those with a blank say where.
        Parts are divided by lines of '@@'."""
        path = self.folder / name
        text = path.read_text(encoding="utf-8")
        for part in re.split(r"^@@.*\n", diff, flags=re.MULTILINE):
            lines = part.splitlines(keepends=True)
            assert all(line[:1] in (" ", "+", "-") for line in lines), f"no diff of {name}: {part}"
            before = "".join(line[1:] for line in lines if line[0] != "+")
            after = "".join(line[1:] for line in lines if line[0] != "-")
            if before or after:
                assert text.count(before) == 1, (
                    f"{name} has this {text.count(before)} times:\n{before}"
                )
                text = text.replace(before, after)
        path.write_text(text, encoding="utf-8")

    def run(self, command: str) -> str:
        """Runs one of the commands with the changed package; returns what it printed."""
        program, *words = shlex.split(command)
        assert program in RUN, f"{command}: it must be one of {', '.join(RUN)}"
        more = ["-n", "0", "-p", "no:cacheprovider"] if program == "pytest" else []
        # not those of a worker, which would wait for kernels that another process compiles
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTEST_")}
        ran = subprocess.run(
            [sys.executable, "-m", program, *words, *more],
            cwd=self.folder,
            env={**environment, "PYTHONPATH": str(self.folder / "src")},
            capture_output=True, text=True, timeout=CHILD_LIMIT,
        )  # fmt: skip
        assert ran.returncode == 0, f"{command}:\n{ran.stdout}\n{ran.stderr}"
        return ran.stdout + ran.stderr

"""What a case may do: end with an exit code and a message, and write into its own folder."""

from __future__ import annotations

import io
import os
import re
import sys
import traceback
import unicodedata
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

from murmurate.cli import main

FINE = (0, 1, 2)
EXTENDING = ("resume", "sweep", "fit")  # commands that continue what is there
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_TRUNC
CHANGING = (
    "os.mkdir",
    "os.remove",
    "os.rmdir",
    "os.rename",
    "os.link",
    "os.symlink",
    "os.truncate",
)
JOINING = "\u200c\u200d"  # letters of some scripts and emoji
STEERING = ("Cc", "Cf", "Cs", "Zl", "Zp")  # categories of characters that a terminal may obey


class Fault(Exception):
    """What must not come out."""


class Guard:
    """Runs the commands of a case in its folder, and says what they did wrong.

    done   what the case did so far, a line each
    apart  other folders that may be written to: caches and drafts
    """

    def __init__(self, folder: Path, apart: list[Path]) -> None:
        self.folder, self.done = folder, list[str]()
        self._roots = [str(root.resolve()) for root in (folder, *apart)]
        self._outside: list[str] = []

    def did(self, text: str) -> None:
        """The case did this."""
        self.done.append(text)

    def command(self, *words: str) -> int:
        """Runs a command; returns its exit code. Raises Fault."""
        self.did(f"murmurate {' '.join(map(ascii, words))}")
        before, streams = self._files(), [io.BytesIO(), io.BytesIO()]
        out, err = (io.TextIOWrapper(stream, "utf-8", newline="\n") for stream in streams)
        try:
            with redirect_stdout(out), redirect_stderr(err):
                code = main(list(words))
        except BaseException:
            raise Fault(traceback.format_exc()) from None
        out.flush()
        err.flush()
        said, complained = (stream.getvalue().decode() for stream in streams)
        if code not in FINE:
            raise Fault(f"exit code {code}: {complained[-500:]}")
        if code and "murmurate: " not in complained:
            raise Fault(f"exit code {code} without a word: {complained[-500:]!r}")
        self.check_text(said + complained)
        after = self._files()
        lost = [name for name, stamp in before.items() if after.get(name) != stamp]
        if lost and "--force" not in words and not set(EXTENDING) & set(words):
            raise Fault(f"changed without --force: {lost}")
        self.check_outside()
        return code

    def check_text(self, text: str) -> None:
        """Raises Fault for what steers a terminal, for tracebacks and for warnings."""
        steering = {
            letter
            for letter in text
            if letter not in "\n\t" + JOINING and unicodedata.category(letter) in STEERING
        }
        if steering:
            raise Fault(f"printed {sorted(map(ascii, steering))}: {text[-800:]!r}")
        for pattern in ("Traceback", "Warning:", r"(?m)^[\w.]*Error: "):
            if re.search(pattern, text):  # a flock may be called RecursionError
                raise Fault(f"printed {pattern!r}: {text[-2000:]}")

    def check_outside(self) -> None:
        """Raises Fault where a file was written outside the case's folder."""
        if self._outside:
            raise Fault(f"wrote outside its folder: {self._outside}")

    def audit(self, event: str, given: tuple[Any, ...]) -> None:
        """An audit hook: notes what is written outside."""
        if event == "open":
            mode, flags = given[1] or "", given[2] or 0
            paths = given[:1] if set("wax+") & set(mode) or flags & WRITING else ()
        else:
            paths = given[:2] if event in CHANGING else ()
        for path in paths:
            if isinstance(path, str | bytes | os.PathLike) and not self._is_inside(path):
                self._outside.append(f"{event} {path!r}")

    def _is_inside(self, path: Any) -> bool:
        try:
            where = os.path.realpath(os.path.join(self.folder, os.fsdecode(path)))
        except ValueError:  # no path
            return True
        compiled = "__pycache__" in Path(where).parts  # of Python's own, and of numba's
        return (
            compiled
            or where == os.devnull
            or any(where == root or where.startswith(root + os.sep) for root in self._roots)
        )

    def _files(self) -> dict[str, tuple[int, int]]:
        """Name -> size and time of change, of every file in the folder."""
        found = {}
        for place, _, names in os.walk(self.folder):
            for name in names:
                path = os.path.join(place, name)
                stat = os.lstat(path)
                found[os.path.relpath(path, self.folder)] = (stat.st_size, stat.st_mtime_ns)
        return found


def audited(guards: list[Guard]) -> None:
    """From now on the last of the guards sees every file that this process opens."""
    sys.addaudithook(lambda event, given: guards[-1].audit(event, given) if guards else None)

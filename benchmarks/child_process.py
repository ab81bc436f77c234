"""Child processes of benchmarks: what one says on stderr is shown when it fails."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from typing import Any


class ChildFailed(SystemExit):
    """A child ended with an error. Where nobody catches it, the script ends with its words."""


def output(words: Sequence[object], **options: Any) -> str:
    """What a child prints on stdout.

    options  of subprocess.run

    Raises ChildFailed, with all that it said on stderr.
    """
    command = [str(word) for word in words]
    ran = subprocess.run(command, capture_output=True, text=True, **options)
    if ran.returncode:
        raise ChildFailed(failure(command, ran.returncode, ran.stderr or ran.stdout))
    return ran.stdout


def failure(command: Sequence[str], code: int, said: str) -> str:
    """What is said of a child that failed. Its program may be a word of the command: one line."""
    name = " ".join(command).splitlines()[0]
    return f"{name}\nended with {code}, and said:\n{said.strip() or '(nothing)'}"

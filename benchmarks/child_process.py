"""Run the child processes of benchmarks, and report the stderr of one that fails."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from typing import Any


class ChildFailed(SystemExit):
    """A child process failed. Without a handler the script exits with this message."""


def output(words: Sequence[object], **options: Any) -> str:
    """Run a command and return its stdout.

    options  of subprocess.run

    Raises ChildFailed with the stderr of the command.
    """
    command = [str(word) for word in words]
    ran = subprocess.run(command, capture_output=True, text=True, **options)
    if ran.returncode:
        raise ChildFailed(failure(command, ran.returncode, ran.stderr or ran.stdout))
    return ran.stdout


def failure(command: Sequence[str], code: int, text: str) -> str:
    """Return the message about a failed command, with the first line of the command."""
    name = " ".join(command).splitlines()[0]
    return f"{name}\nexit code {code}; its output:\n{text.strip() or '(nothing)'}"

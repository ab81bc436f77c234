"""Codes of results, which a page shows at the end of a task and a teacher reads without a server.

A code has the digits and letters of Crockford's base 32, in groups of four. Its bytes: a version,
the first 4 of the task's digest, the day, the shares of the steps (4 bits each), the name, and the
first 5 of an HMAC-SHA256 of all that, whose key is the digest. The page has the digest, and so the
key: a code shows typing errors and changed letters, not who computed it.
"""

from __future__ import annotations

import datetime
import hmac
import re
from dataclasses import dataclass

from murmurate.classroom.task import Task, load_task, published_tasks, text_in
from murmurate.errors import TaskError
from murmurate.model.messages import shorten

VERSION = 1
LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
FIRST_DAY = datetime.date(2026, 1, 1)
HEAD, CHECK = 7, 5  # bytes before the shares, and of the checksum
QUARTERS = 4  # of the points of a step
OPEN = 15  # the share of a step without an answer


@dataclass(frozen=True)
class TaskResult:
    """The result in a code.

    Attributes
    ----------
    name : str
        The name or initials that the pupil typed.
    task : str
        The title of the task.
    day : date
        The day of the result, by the clock of the pupil's computer.
    points : tuple of float
        Points of each step.
    score : int
        Percent of all points.
    passed : bool
        Whether the score is at least `passing` of the task.
    """

    name: str
    task: str
    day: datetime.date
    points: tuple[float, ...]
    score: int
    passed: bool


def check_code(code: str, task: Task) -> TaskResult:
    """Read the code that a page shows at the end of a task.

    The checksum reveals typing errors and changed letters, but not the author of the code: the
    program of the page can make any code.

    Parameters
    ----------
    code : str
        The code. Capitals, spaces and dashes do not matter.
    task : Task
        The task of the page, from `load_task`.

    Returns
    -------
    TaskResult

    Raises
    ------
    TaskError
        If the code is not one of this task.
    """
    data = _bytes_of(code)
    shares_at = HEAD + (len(task.steps) + 1) // 2
    if data[0] != VERSION:
        raise _wrong(code, f"a code of version {VERSION}, as this murmurate makes")
    if not _is_of(data, task):
        other = next((name for name in published_tasks() if _is_of(data, load_task(name))), "")
        remedy = f"It is one of {other}" if other else "Check it with the file of the page"
        raise _wrong(code, f"a code of this task, with its checks as they are now. {remedy}")
    body, check = data[:-CHECK], data[-CHECK:]
    expected = hmac.digest(task.digest, body, "sha256")[:CHECK]
    if len(body) < shares_at or not hmac.compare_digest(check, expected):
        raise _wrong(code, "a code without typing errors: its checksum differs. Read it again")
    nibbles = [half for byte in body[HEAD:shares_at] for half in (byte >> 4, byte & 15)]
    shares = [0 if share == OPEN else min(share, QUARTERS) for share in nibbles]
    points = tuple(
        step.points * share / QUARTERS for step, share in zip(task.steps, shares, strict=False)
    )
    score = score_of(points, task)
    name = "".join(c for c in body[shares_at:].decode("utf-8", "replace") if c.isprintable())
    return TaskResult(
        name, text_in(task.title),
        FIRST_DAY + datetime.timedelta(days=int.from_bytes(body[5:7], "big")), points, score,
        score >= task.passing,
    )  # fmt: skip


def score_of(points: tuple[float, ...], task: Task) -> int:
    """Return the percentage of points; halves are rounded up, as pages do."""
    return int(100 * sum(points) / sum(step.points for step in task.steps) + 0.5)


def _is_of(data: bytes, task: Task) -> bool:
    return data[1:5] == task.digest[:4]


def _bytes_of(code: str) -> bytes:
    """Return the bytes of a code, whose letters have 5 bits each."""
    letters = re.sub(r"[\s\-\u2010-\u2015]", "", str(code)).upper()
    letters = letters.translate(str.maketrans("OIL", "011"))
    if not letters or any(letter not in LETTERS for letter in letters):
        raise _wrong(code, "letters and digits in groups of four, as the page shows them")
    count = len(letters) * 5 // 8
    if count < HEAD + CHECK + 1:
        raise _wrong(code, "a longer code. Copy all of it, with spaces in quotes")
    bits = int("".join(f"{LETTERS.index(letter):05b}" for letter in letters)[: 8 * count], 2)
    return bits.to_bytes(count, "big")


def _wrong(code: str, expected: str) -> TaskError:
    return TaskError(f"code: got {shorten(str(code))}; expected {expected}")

"""Codes of results: written here as codes.ts writes them, and read."""

from __future__ import annotations

import base64
import datetime
import hmac

import pytest

import murmurate as mm
from murmurate.classroom.codes import LETTERS, score_of
from murmurate.classroom.task import Task, parse_task, text_in
from murmurate.errors import TaskError

TASK = parse_task(
    'title = { en = "A task", es = "Una tarea" }\nmodel = "p5"\npassing = 50\n'
    + '[[steps]]\nkind = "reach"\nquestion = "q"\nmeasure = "speed"\nmax = 1\npoints = 2\n' * 3
)
RFC_4648 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def code_of(task: Task, day: int, shares: bytes, name: str) -> str:
    """The code by another way: Python's base 32, its letters exchanged."""
    body = b"\1" + task.digest[:4] + day.to_bytes(2, "big") + shares + name.encode()
    data = body + hmac.digest(task.digest, body, "sha256")[:5]
    text = base64.b32encode(data).decode().rstrip("=")
    return text.translate(str.maketrans(RFC_4648, LETTERS))


def test_a_code_is_read() -> None:
    code = code_of(TASK, 300, bytes([0x42, 0xFF]), "Zoé ✈")
    dashed = "-".join(code[k : k + 4] for k in range(0, len(code), 4))
    typed = dashed.lower().replace("0", "o").replace("1", "l")
    for text in (code, dashed, typed, dashed.replace("-", "–")):
        result = mm.check_code(text, TASK)
        assert (result.name, result.task) == ("Zoé ✈", "A task")
        assert result.day == datetime.date(2026, 1, 1) + datetime.timedelta(days=300)
        assert result.points == (2.0, 1.0, 0.0)
        assert (result.score, result.passed) == (50, True)


def test_every_wrong_letter_is_noticed() -> None:
    """The checksum has 40 bits, so that one letter in 200 never passes by luck."""
    code = code_of(TASK, 12, bytes([0x44, 0x4F]), "AB")
    for at in range(len(code)):
        other = LETTERS[(LETTERS.index(code[at]) + 5) % 32]
        if at == len(code) - 1 and LETTERS.index(other) >> 2 == LETTERS.index(code[at]) >> 2:
            continue
        with pytest.raises(TaskError):
            mm.check_code(code[:at] + other + code[at + 1 :], TASK)


def test_what_is_no_code_of_this_task() -> None:
    code = code_of(TASK, 12, bytes([0x44, 0x4F]), "AB")
    changed = TASK.model_copy(update={"passing": 60})
    for text, task, expected in (
        (code, Task(**{**changed.model_dump(), "passing": 60}), "expected a code of this task"),
        (code[:-3], TASK, "without typing errors"),
        (code[:8], TASK, "expected a longer code"),
        ("hello, world!", TASK, "expected letters and digits"),
        ("", TASK, "expected letters and digits"),
        ("9" + code[1:], TASK, "expected a code of version 1"),
    ):
        with pytest.raises(TaskError, match=expected):
            mm.check_code(text, task)


def test_a_code_of_another_published_task_is_named() -> None:
    code = code_of(mm.load_task("springs"), 12, bytes([0x44, 0x4F]), "AB")
    with pytest.raises(TaskError, match=r"a code of this task, .* It is one of springs$"):
        mm.check_code(code, mm.load_task("wind"))
    other = code_of(TASK, 12, bytes([0x44, 0x4F]), "AB")
    with pytest.raises(TaskError, match=r"Check it with the file of the page$"):
        mm.check_code(other, mm.load_task("wind"))


def test_control_characters_of_a_name_do_not_reach_a_terminal() -> None:
    assert mm.check_code(code_of(TASK, 0, bytes([0, 0]), "a\x1b[2Jb\n"), TASK).name == "a[2Jb"


def test_scores_are_rounded_as_pages_do() -> None:
    assert [score_of(points, TASK) for points in ((0, 0, 0), (2, 2, 2), (2, 1.5, 0.27))] == [
        0,
        100,
        63,
    ]


def test_a_translator_changes_no_code_and_another_check_does() -> None:
    """Codes are of what is checked, and of the title in English."""
    table = TASK.model_dump()
    first = table["steps"][0]
    reworded = first | {"question": {"en": "Other words?", "es": "¿Otras palabras?"}}
    titled = {"en": text_in(TASK.title), "de": "Andere Sprache"}
    same = Task(**{**table, "title": titled, "steps": [reworded, *table["steps"][1:]]})
    assert same.digest == TASK.digest
    for change in ({"points": 7}, {"hints": ["One more."] * 4}):
        other = Task(**{**table, "steps": [first | change, *table["steps"][1:]]})
        assert other.digest != TASK.digest
    assert Task(**{**table, "title": "Another"}).digest != TASK.digest

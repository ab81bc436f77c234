"""Tasks on the command line: pages with them, and codes of results."""

from __future__ import annotations

import base64
import hmac

import murmurate as mm
from murmurate.classroom.codes import LETTERS

RFC_4648 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


def test_codes_are_checked(murmurate) -> None:
    task = mm.load_task("three-rules")
    body = b"\1" + task.digest[:4] + (333).to_bytes(2, "big") + bytes([0x44, 0x42]) + b"Ana"
    text = (
        base64.b32encode(body + hmac.digest(task.digest, body, "sha256")[:5]).decode().rstrip("=")
    )
    code = text.translate(str.maketrans(RFC_4648, LETTERS))
    ran = murmurate("check-code", code, "--task", "three-rules")
    assert ran.code == 0
    assert ran.out.splitlines()[1].split() == [
        "Ana",
        "80",
        "passed",
        "1",
        "1",
        "1",
        "1",
        "2026-11-30",
    ]
    ran = murmurate("check-code", code, code[:-2] + "00", "--task", "three-rules", "--json")
    assert ran.code == 1 and '"name": "Ana"' in ran.out
    assert "expected a code without typing errors" in ran.errors[-1]
    assert murmurate("check-code", "--task", "three-rules").code == 2


def test_wrong_options_of_pages_are_refused(murmurate, tmp_path) -> None:
    for options, expected in (
        (("--task", "springs"), "--task springs: got it without --live; expected both. Add --live"),
        (("--live", "--scorm", "1.2"), "--scorm: got it without --task; expected both."),
        (("--live", "--task", "three-rules", "--beside", "ucl"), "--beside: got it with --task"),
    ):
        ran = murmurate("page", "p5", *options, "-o", "b.html")
        assert ran.code == 2 and ran.errors[-1].startswith(expected)
    assert not (tmp_path / "b.html").exists()
    for options in ((), ("--live",), ("--live", "--edit")):
        ran = murmurate("page", *options)
        assert ran.code == 2 and ran.errors[-1].startswith("MODEL: got no value; expected one.")


def test_a_task_names_the_model_of_its_page(murmurate, tmp_path) -> None:
    ran = murmurate("page", "--live", "--task", "three-rules", "--language", "en")
    assert ran.code == 0 and ran.out.startswith("p5.html: p5, live, ")
    assert (tmp_path / "p5.html").is_file()

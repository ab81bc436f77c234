"""murmurate fit."""

from __future__ import annotations

import json

import pytest

VARY = ("--vary", "flocks.boids.motion.max_speed=0.1:0.5")
QUICK = ("--steps", "10", "--from", "2", "--every", "2", "--seeds", "1", "--evaluations", "6",
         "--quiet")  # fmt: skip


def test_from_start_to_end(murmurate, tmp_path):
    ran = murmurate("fit", "tiny.toml", "tiny.toml", "--measures", "speed", "--check", "milling",
                    *VARY, *QUICK, "-o", "it")  # fmt: skip
    assert ran.code == 0, ran.err
    assert "speed" in ran.out and "(not fitted)" in ran.out and "fitted.toml" in ran.out
    again = murmurate("fit", "it", "--json", "--quiet")
    said = json.loads(again.out)
    assert 0 < said["measures"]["speed"]["theirs"] <= 0.5
    assert murmurate("measure", tmp_path / "it" / "fitted.toml", "speed", "--steps", "9").code == 0
    assert murmurate("fit", "it", "tiny.toml").code == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("tiny.toml",), "needs a model and what it is fitted to"),
        (("tiny.toml", "tiny.toml", *VARY), "--measures"),
        (("tiny.toml", "tiny.toml", "--measures", "sped", *VARY), "did you mean 'speed'"),
        (("tiny.toml", "tiny.toml", "--measures", "speed", "--vary", "a=1"), "a: it is varied"),
        (("tiny.toml", "none.npy", "--measures", "speed", *VARY), "no such file"),
    ],
)
def test_bad_input(murmurate, tmp_path, arguments, says):
    ran = murmurate("fit", *arguments, *QUICK)
    assert ran.code == 2 and says in ran.err, ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["tiny.toml"]

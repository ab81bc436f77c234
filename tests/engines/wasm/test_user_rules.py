"""Live pages with rules of a user's file: per-boid state, helper functions and mathematics.

`murmurate page mine.toml --rules FILE --live` makes them.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import murmurate as mm
from murmurate.cli import main
from murmurate.show.html_file import inflate_text
from page_worker import STATE, engine, fly, gap, in_python, places

RULES = '''
import math
import murmurate as mm


def rotate(x, y, angle):
    c, s = math.cos(angle), math.sin(angle)
    return c * x - s * y, s * x + c * y


class PageTired(mm.NeighbourRule):
    """Steer to neighbours, more weakly with tiredness, and to the side with time."""

    states = ("tiredness", "count")
    recovery: mm.Scalar = mm.quantity(0.5, ge=0, unit="1/time")

    def pair(self, me, other):
        return 1.0, other.dx / math.hypot(1.0, other.distance), other.dy

    def finish(self, sums, me, random, state):
        n, x, y = sums
        x, y = rotate(x, y, 0.1 * state.count + random.a)
        tired = state.tiredness + me.dt * (math.log1p(n) - self.recovery * state.tiredness)
        k = 0.02 / (1.0 + state.tiredness)
        return k * x, k * y, 0.0, tired, state.count + 1
'''
MODEL = """
name = "tired"
[space]
size = [60, 60]
boundary = "periodic"
[flocks.boids]
count = 50
start = { kind = "box", velocity = { kind = "directions", speed = 1.0 } }
motion = { kind = "constant-speed", speed = 1.0 }
[rules.page-tired]
radius = 9
"""
# replacement in the rule file -> error message; {file} is the rule file
WRONG = {
    "math.erf(n)": "{file}, line 23: PageTired.finish calls math.erf; engine 'wasm' and live",
    "rotate(math.gamma(n), n, 1.0)[0]": "{file}, line 23: PageTired.finish calls math.gamma",
}


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tired.toml").write_text(MODEL)
    (tmp_path / "rules.py").write_text(RULES)
    return tmp_path


def page(*options: str) -> int:
    return main(["page", "tired.toml", "--rules", "rules.py", "--live", "--quiet", *options])


def head(file: Path) -> dict[str, Any]:
    """Return the data of a page."""
    text = re.search(r'id="murmurate-flight">([^<]*)<', file.read_text())[1]
    return json.loads(inflate_text(text))


def test_a_page_has_the_bits_of_engine_wasm(files: Path) -> None:
    assert page("--seed", "5", "--max-boids", "50") == 0
    start, _, end = fly(head(files / "tired.html"), [STATE, {"type": "step", "steps": 20}, STATE])
    model = mm.load("tired.toml")
    reference = engine(model, 5)
    assert (start["state"]["places"] == places(reference)).all()
    reference.step(20)
    assert (end["state"]["places"] == places(reference)).all()
    assert gap(model, end["state"]["places"], places(in_python(model, 5, 20))) < 1e-4
    rested = model.set({"rules.page-tired.recovery": 5.0})  # per-boid state has an effect
    assert gap(model, places(reference), places(in_python(rested, 5, 20))) > 1e-3


@pytest.mark.parametrize("call", WRONG)
def test_unsupported_mathematics(
    files: Path, call: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "rules.py").write_text(RULES.replace("math.log1p(n)", call))
    assert page() == 2
    assert WRONG[call].format(file=files / "rules.py") in capsys.readouterr().err
    assert not (files / "tired.html").exists()

"""Pages of models with rules of one's own, as `murmurate page mine.toml --rules FILE --live` makes
them: numbers that they keep, helpers and mathematics fly alike; what pages have not is said."""

from __future__ import annotations

import base64
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest

import murmurate as mm
from murmurate.cli import main
from page_worker import STATE, engine, fly, gap, places

RULES = '''
import math
import murmurate as mm


def turned(x, y, angle):
    c, s = math.cos(angle), math.sin(angle)
    return c * x - s * y, s * x + c * y


class PageTired(mm.NeighbourRule):
    """Towards neighbours, the less the more has been flown; sideways with the years."""

    keeps = ("tiredness", "count")
    recovery: mm.Scalar = mm.quantity(0.5, ge=0, unit="1/time")

    def pair(self, me, other):
        return 1.0, other.dx / math.hypot(1.0, other.distance), other.dy

    def finish(self, sums, me, random, kept):
        n, x, y = sums
        x, y = turned(x, y, 0.1 * kept.count + random.a)
        tired = kept.tiredness + me.dt * (math.log1p(n) - self.recovery * kept.tiredness)
        k = 0.02 / (1.0 + kept.tiredness)
        return k * x, k * y, 0.0, tired, kept.count + 1
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
# what is in the place of a line, and what is then said; {file} is the rule file
WRONG = {
    "math.erf(n)": "{file}, line 23: PageTired.finish calls math.erf, which the engine 'wasm' and",
    "turned(math.gamma(n), n, 1.0)[0]": "{file}, line 23: PageTired.finish calls math.gamma",
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
    """What a page holds."""
    text = re.search(r'id="murmurate-flight">([^<]*)<', file.read_text())[1]
    return json.loads(zlib.decompress(base64.b64decode(text)))


def test_what_a_page_flies_is_what_flies_here(files: Path) -> None:
    assert page("--seed", "5", "--max-boids", "50") == 0
    begun, _, flown = fly(head(files / "tired.html"), [STATE, {"type": "step", "steps": 20}, STATE])
    model = mm.load("tired.toml")
    here = engine(model, 5)
    assert (begun["state"]["places"] == places(here)).all()
    here.step(20)
    assert (flown["state"]["places"] == places(here)).all()
    assert (
        gap(model, flown["state"]["places"], places(mm.Simulation(model, seed=5).step(20))) < 1e-4
    )
    rested = model.set({"rules.page-tired.recovery": 5.0})  # what is kept matters
    assert gap(model, places(here), places(mm.Simulation(rested, seed=5).step(20))) > 1e-3


@pytest.mark.parametrize("call", WRONG)
def test_mathematics_that_pages_have_not(
    files: Path, call: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (files / "rules.py").write_text(RULES.replace("math.log1p(n)", call))
    assert page() == 2
    assert WRONG[call].format(file=files / "rules.py") in capsys.readouterr().err
    assert not (files / "tired.html").exists()

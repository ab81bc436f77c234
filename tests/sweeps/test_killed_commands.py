"""Commands that are ended from outside: their workers end too, and they say how to go on."""

from __future__ import annotations

import signal
import sys

import pytest

import murmurate as mm
from processes import started, until
from tiny_model import TINY

PROGRAM = [sys.executable, "-m", "murmurate"]
ENDLESS = 10**9
pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals")


def ended(process, number):
    """Send a signal to a command, and return its messages and its exit code.

    stderr ends when the workers, which hold it too, have ended.
    """
    process.send_signal(number)
    _, err = process.communicate()
    assert "Traceback" not in err
    return err, process.returncode


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_a_sweep_and_its_workers(number, tmp_path):
    """Both workers are in the midst of runs that never end; what these recorded is there."""
    words = ["sweep", "ucl", "--seeds", 2, "--steps", ENDLESS, "--every", 1000, "--record"]
    recordings = [tmp_path / "it" / "recordings" / f"00000{k}.zarr" for k in range(2)]
    with started(*PROGRAM, *words, "--processes", 2, "-o", "it", cwd=tmp_path) as it:
        until(lambda: all(path.exists() for path in recordings), it)
        err, code = ended(it, number)
    assert code == (-number if number == signal.SIGKILL else 130)
    message = (
        "murmurate: stopped: ended by SIGTERM; every finished run is stored. Resume with: "
        "murmurate sweep it\n"
    )
    assert err == ("" if number == signal.SIGKILL else message)
    for path in recordings:
        rec = mm.open(path)
        assert len(rec) >= 1 and not rec.complete and rec[-1].step == rec.steps[-1]


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", [signal.SIGTERM, pytest.param(signal.SIGKILL, marks=pytest.mark.long)]
)
def test_a_figure_and_its_workers(number, tmp_path, monkeypatch):
    """Some of hundreds of runs are stored, and others are in flight."""
    panel = 'title = "a"\nx = "x"\ny = "y"\nmeasure = "speed"'
    panel += '\nvary = { "rules.cohesion.weight" = [0.01, 0.02] }'
    panel += f"\nstep = 200\nsince = 100\nevery = 100\nseeds = {list(range(300))}\n"
    (tmp_path / "mine.toml").write_text(f"{TINY}\n[[figure]]\n{panel}")
    monkeypatch.setenv("MURMURATE_CACHE", str(tmp_path / "cache"))
    words = ["verify", "mine.toml", "--plot", "it.png", "--engine", "reference"]
    with started(*PROGRAM, *words, cwd=tmp_path) as it:
        until(lambda: list(tmp_path.glob("cache/figures/*.values")), it)
        err, code = ended(it, number)
    if number == signal.SIGTERM:
        assert code == 130 and "ended by SIGTERM: " in err
        assert "runs of the figure that are done are stored" in err


@pytest.mark.slow
def test_a_fit_in_the_midst_of_its_runs(tmp_path):
    (tmp_path / "mine.toml").write_text(TINY)
    words = ["fit", "mine.toml", "mine.toml", "--measures", "speed", "--quiet", "-o", "it"]
    words += ["--vary", "rules.cohesion.weight=0:1", "--steps", 300, "--runs", 100_000]
    with started(*PROGRAM, *words, cwd=tmp_path) as it:
        until((tmp_path / "it" / "fit.toml").exists, it)
        err, code = ended(it, signal.SIGTERM)
    assert code == 130
    assert err.endswith("ended by SIGTERM; every finished run is stored. Resume with: "
                        "murmurate fit it\n")  # fmt: skip

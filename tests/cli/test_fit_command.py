"""murmurate fit."""

from __future__ import annotations

import json
import signal
import sys

import pytest

needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to send")
VARY = ("--vary", "flocks.boids.motion.max_speed=0.1:0.5")
QUICK = ("--steps", "10", "--warm-up", "2", "--every", "2", "--seeds", "1", "--runs", "8",
         "--quiet")  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def _libraries() -> None:
    """Import them in the worker that runs these tests, not in all that collect them."""
    for name in ("arviz_stats", "h5netcdf", "sklearn"):
        pytest.importorskip(name)


@pytest.mark.slow
def test_from_start_to_end(murmurate, tmp_path):
    ran = murmurate("fit", "tiny.toml", "tiny.toml", "--measures", "speed", "--check", "milling",
                    *VARY, *QUICK, "-o", "it")  # fmt: skip
    assert ran.code == 0, ran.err
    assert "speed" in ran.out and ", only checked" in ran.out and "fitted.toml" in ran.out
    assert "90% interval" in ran.out and "posterior from 8 settings" in ran.out
    assert "Use more runs" in ran.out and "± standard error" in ran.out
    again = murmurate("fit", "it", "--json", "--quiet")
    report = json.loads(again.out)
    assert 0 < report["measures"]["speed"]["theirs"] <= 0.5
    assert all(low < high for low, high in (v["interval"] for v in report["varied"].values()))
    assert murmurate("measure", tmp_path / "it" / "fitted.toml", "speed", "--steps", "9").code == 0
    assert murmurate("fit", "it", "tiny.toml").code == 2
    plan = (tmp_path / "it" / "fit.toml").read_text()
    for option in (
        ("--prior", "a=uniform"), ("--runs", "6"), ("--seeds", "2"), ("--seed", "0"),
        ("--steps", "10"), ("--warm-up", "2"), ("--every", "2"), ("--dtype", "float32"),
        ("--check", "milling"),
        ("--flock", "boids"), ("--fps", "9"), ("--set", "dt=2"), ("--boids", "3"),
        ("--rules", "my.py"), ("--measures", "speed"), VARY, ("-o", "it"),
    ):  # fmt: skip
        ran = murmurate("fit", "it", *option)
        option_name = option[0].replace("-o", "--output")
        assert ran.code == 2 and ran.err.startswith(
            f"murmurate: error: {option_name}: got settings for it"
        ), option_name
    assert (tmp_path / "it" / "fit.toml").read_text() == plan


@pytest.mark.slow
@needs_signals
def test_ctrl_c_says_how_to_go_on(murmurate, monkeypatch):
    """It comes in a round; in a fit that has begun no folder, nothing is kept
    to resume."""
    begin = ("fit", "tiny.toml", "tiny.toml", "--measures", "speed", *VARY, *QUICK)

    def pressed(self, *_):
        signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patch:
        patch.setattr("murmurate.fitting.rounds.Runs.simulate", pressed)
        ran = murmurate(*begin, "-o", "cut")
    assert ran.code == 130 and ran.out == ""
    assert ran.err.startswith("murmurate: stopped: ") and ran.err.count("\n") == 1
    assert ran.err.endswith("Resume with: murmurate fit cut\n")
    assert murmurate("fit", "cut", "--quiet").code == 0
    with monkeypatch.context() as patch:
        patch.setattr("murmurate.fitting.fit_plan.FitFolder.begin", pressed)
        ran = murmurate(*begin, "-o", "none")
    assert ran.code == 130 and "before anything was stored" in ran.err and "Resume" not in ran.err


@pytest.mark.slow
def test_weights_are_searched_between_whole_numbers(murmurate, tmp_path):
    murmurate("fit", "tiny.toml", "tiny.toml", "--measures", "speed", "--vary",
              "rules.cohesion.weight=-1:1", *QUICK, "-o", "it")  # fmt: skip
    runs = [json.loads(path.read_text()) for path in (tmp_path / "it" / "runs").glob("*.json")]
    tried = {run["values"]["rules.cohesion.weight"] for run in runs}
    assert len(tried) > 3 and any(value % 1 for value in tried)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("nosuch",), "nosuch: no such fit folder or model"),
        (("empty",), "empty: holds no fit"),
        (("empty", "tiny.toml"), "empty: holds no fit"),
        (("ucl",), "got no target"),
    ],
)
def test_what_is_no_fit(murmurate, tmp_path, arguments, says):
    (tmp_path / "empty").mkdir()
    ran = murmurate("fit", *arguments)
    assert ran.code == 2 and says in ran.err, ran.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("tiny.toml",), "got no target"),
        (("tiny.toml", "tiny.toml", *VARY), "--measures"),
        (("tiny.toml", "tiny.toml", "--measures", "sped", *VARY), "did you mean 'speed'"),
        (("tiny.toml", "tiny.toml", "--measures", "speed", "--vary", "a=1"), "a: got bounds 1;"),
        (("tiny.toml", "none.npy", "--measures", "speed", *VARY), "no such file"),
        (
            ("tiny.toml", "tiny.toml", "--measures", "speed", *VARY, "--prior", "dt"),
            "expected PATH=",
        ),
    ],
)
def test_bad_input(murmurate, tmp_path, arguments, says):
    ran = murmurate("fit", *arguments, *QUICK)
    assert ran.code == 2 and says in ran.err, ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["tiny.toml"]

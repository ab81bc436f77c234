"""Old names of sweeps, fits and measures work in this release, with a warning."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import murmurate as mm
from murmurate.sweeps.sweep_plan import SweepPlan, make_plan
from tiny_model import TINY

FIT: dict[str, Any] = {"runs": 8, "seeds": 1, "steps": 4, "every": 2}
TARGET = {"speed": (1.0, 0.1)}
VARY = {"rules.cohesion.weight": (0.0, 0.1)}


def test_keys_of_files() -> None:
    plan = make_plan(mm.parse(TINY), {}, steps=9, warm_up=3, every=2)
    text = plan.to_toml()
    assert "warm_up = 3" in text
    with pytest.warns(DeprecationWarning, match=r"^sweep\.toml: burn_in is deprecated"):
        assert SweepPlan.from_toml(text.replace("warm_up =", "burn_in ="), "sweep.toml") == plan


def test_keywords_and_callbacks_of_a_sweep(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from workers_here import Here

    monkeypatch.setattr("murmurate.sweeps.run.make_workers", lambda *_: Here())
    calls: list[Any] = []
    with pytest.warns(DeprecationWarning) as caught:
        mm.sweep(
            mm.parse(TINY), VARY, steps=4, every=2, burn_in=2, engine="reference",
            folder=tmp_path / "it", measures=["speed"],
            progress=lambda done, total, result: calls.append((done, total, result.task.index)),
        )  # type: ignore[call-arg]  # fmt: skip
    text = " ".join(str(warning.message) for warning in caught)
    for name in ("burn_in", "engine", "folder", "progress(done, total, result)"):
        assert f"sweep: {name} is deprecated" in text
    assert calls == [(1, 2, 0), (2, 2, 1)]
    recent: list[Any] = []
    mm.sweep(
        mm.parse(TINY), VARY, steps=4, every=2, warm_up=2, options=mm.RunOptions("reference"),
        measures=["speed"], progress=lambda *counts: recent.append(counts),
    )  # fmt: skip
    assert recent == [(1, 2), (2, 2)]


def test_callbacks_of_a_fit() -> None:
    """Progress and watch once had a third argument, the smallest objective of a search."""
    from murmurate.fitting.run import _report_to

    counts: list[Any] = []
    with pytest.warns(DeprecationWarning, match=r"fit: watch\(done, total, smallest\) is "):
        report = _report_to(None, lambda *seen: counts.append(seen))
    report(1, 2)
    assert counts[0][:2] == (1, 2) and len(counts[0]) == 3
    old: list[Any] = []
    with pytest.warns(DeprecationWarning, match=r"Use progress\(done, total\)"):
        report = _report_to(lambda done, total, smallest: old.append((done, total)), None)  # type: ignore[arg-type,misc]
    report(2, 3)
    assert old == [(2, 3)]


def test_options_of_measures() -> None:
    model, run = mm.parse(TINY), {"steps": 2, "every": 1, "warm_up": 0}
    radius = {"collisions": {"radius": 0.5}}
    expected = mm.measure(model, "collisions", measure_options=radius, **run)
    with pytest.warns(DeprecationWarning, match=r"measure: options=\{\.\.\.\} is deprecated"):
        table = mm.measure(model, "collisions", options=radius, **run)
    assert table.to_csv() == expected.to_csv()


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_of_a_sweep_are_refused(threads: int) -> None:
    options = mm.RunOptions(threads=threads)
    with pytest.raises(mm.SweepError, match=f"^options: got threads={threads}; expected None"):
        mm.sweep(mm.parse(TINY), VARY, options=options)
    with pytest.raises(mm.SweepError, match=f"^options: got threads={threads}; expected None"):
        mm.fit(mm.parse(TINY), TARGET, "speed", VARY, options=options)

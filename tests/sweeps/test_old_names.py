"""Old names of sweeps, fits and measures work in this release, with a warning."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import murmurate as mm
from murmurate.fitting.fit_plan import FitPlan
from murmurate.sweeps.sweep_plan import SweepPlan, make_plan
from tiny_model import TINY

FIT: dict[str, Any] = {"evaluations": 5, "seeds": 1, "steps": 4, "every": 2}
TARGET = {"speed": (1.0, 0.1)}
VARY = {"rules.cohesion.weight": (0.0, 0.1)}


def test_keys_of_files() -> None:
    plan = make_plan(mm.parse(TINY), {}, steps=9, warm_up=3, every=2)
    text = plan.to_toml()
    assert "warm_up = 3" in text
    with pytest.warns(DeprecationWarning, match=r"^sweep\.toml: burn_in is deprecated"):
        assert SweepPlan.from_toml(text.replace("warm_up =", "burn_in ="), "sweep.toml") == plan
    from murmurate.fitting.fit_plan import make_plan as make_fit_plan

    fit = make_fit_plan(mm.parse(TINY), TARGET, VARY, {}, warm_up=3)
    text = fit.to_toml().replace("warm_up =", "burn_in =")
    with pytest.warns(DeprecationWarning, match=r"^fit\.toml: burn_in is deprecated"):
        assert FitPlan.from_toml(text, "fit.toml") == fit


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
    options = {**FIT, "warm_up": 0, "options": mm.RunOptions("reference")}
    counts: list[Any] = []
    details: list[Any] = []
    mm.fit(
        mm.parse(TINY), TARGET, "speed", VARY, **options,
        progress=lambda *seen: counts.append(seen), watch=lambda *seen: details.append(seen),
    )  # fmt: skip
    assert counts == [seen[:2] for seen in details] and len(details[0]) == 3
    old: list[Any] = []
    with pytest.warns(DeprecationWarning, match=r"Use watch\(done, total, smallest\)"):
        mm.fit(
            mm.parse(TINY), TARGET, "speed", VARY, **options,
            progress=lambda done, total, smallest: old.append((done, total, smallest)),
        )  # fmt: skip
    assert [seen[:2] for seen in old] == counts


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

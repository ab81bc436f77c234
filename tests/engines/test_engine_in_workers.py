"""A registered engine in the worker processes of a sweep."""

from __future__ import annotations

import pytest
from toy_engine import ToyEngine

import murmurate as mm
from murmurate.engines.registry import import_path, register
from murmurate.errors import ModelError
from murmurate.sweeps.sweep_plan import make_plan
from murmurate.sweeps.workers import Processes, run_task


def plan():
    model = mm.load("ucl").set({"flocks.boids.count": 8})
    return make_plan(model, {}, mm.RunSpec(steps=10, every=5, engine="toy"), measures=("speed",))


@pytest.mark.slow
def test_workers_import_it():
    register("toy", ToyEngine)
    assert import_path("toy") == "toy_engine:ToyEngine"
    outcomes = list(Processes(1).results(plan().tasks()))
    assert [outcome.error for outcome in outcomes] == [""]
    array = run_task(next(plan().tasks())).record
    assert array is not None and outcomes[0].record is not None
    assert outcomes[0].record["measures"] == array["measures"]


@pytest.mark.parametrize("where", ["a function", "a session"])
def test_an_engine_that_they_cannot_import_is_refused_first(where, monkeypatch):
    class Toy(ToyEngine):
        pass

    if where == "a session":  # its __main__ has no file
        Toy.__module__, Toy.__qualname__ = "__main__", "Toy"
        monkeypatch.delattr("__main__.__file__", raising=False)
    register("toy", Toy)
    message = r"engine 'toy': got class .* expected a class that worker processes"
    with pytest.raises(ModelError, match=message):
        next(Processes(1).results(plan().tasks()))


def test_built_in_ones_need_no_path():
    assert import_path("cpu") == ""

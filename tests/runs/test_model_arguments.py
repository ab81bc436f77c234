"""What public functions take: a model by value or name; and every option of a run reaches it."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from cases import cases
from murmurate.engines.options import RunOptions
from murmurate.notebook import widget
from processes import until
from tiny_model import TINY


def grouped(options: dict[str, Any]) -> dict[str, Any]:
    """The same for a function that has `options` and `seed`."""
    seed = {"seed": options.pop("seed")} if "seed" in options else {}
    return {"options": RunOptions(**options), **seed} if options else seed


def spec(**options: Any) -> mm.RunSpec:
    """Short runs, with these options."""
    return mm.RunSpec(steps=4, warm_up=0, every=2, workers="threads", **options)


def task_of(model: Any) -> mm.Task:
    """A task for a model of the zoo, or for one of a file."""
    model = mm.load(model) if isinstance(model, Path) else model
    name = model.name if isinstance(model, mm.Model) else NAME
    step = {"kind": "reach", "question": "q", "measure": "speed", "max": 1.0}
    return mm.Task(title="t", model=name, steps=[step])


NAME = "p5"
FEW = {"view": mm.View(steps=2, every=1, size=(64, 64))}
SPEED = {"rules.cohesion.weight": [0.1, 0.2]}
CALLS: dict[str, Callable[..., Any]] = {
    "Simulation": lambda model, **more: mm.Simulation(model, **more),
    "calibrate": lambda model, **more: mm.calibrate(
        model, ["speed"], {"rules.cohesion.weight": (0.1, 0.2)}, spec(runs=40, **more), datasets=10
    ),
    "export": lambda model: mm.export(model, "a.csv", first_step=0, last_step=4, every=2),
    "film": lambda model, **more: mm.film(model, "a.gif", **FEW, **grouped(more)),
    "fit": lambda model, **more: mm.fit(
        model, {"speed": (1.0, 1.0)}, "speed", {"rules.cohesion.weight": (0.1, 0.2)},
        spec(runs=8, **more),
    ),
    "live_page": lambda model, **more: mm.live_page(model, **more),
    "measure": lambda model, **more: mm.measure(model, "speed", mm.RunSpec(steps=20, **more)),
    "replay_page": lambda model, **more: mm.replay_page(
        model, steps=2, view=mm.View(every=1), **grouped(more)
    ),
    "run": lambda model, **more: mm.run(model, 2, **grouped(more)),
    "sensitivity": lambda model, **more: mm.sensitivity(
        model, "speed", {"rules.cohesion.weight": (0.1, 0.2), "dt": (0.9, 1.1)},
        spec(runs=24, **more),
    ),
    "still": lambda model, **more: mm.still(model, "a.png", **FEW, **grouped(more)),
    "sweep": lambda model, **more: mm.sweep(
        model, SPEED, spec(**more), measures=["speed"]
    ),
    "task_page": lambda model, **more: mm.task_page(model, task=task_of(model), **more),
    "to_toml": lambda model, **more: mm.to_toml(model, **more),
    "watch": lambda model, **more: closed(
        mm.watch(model, block=False, open_browser=False, **grouped(more))
    ),
    "widget": lambda model, **more: closed(widget(model, **grouped(more))),
}  # fmt: skip
"""Public functions that take a model, called in a way that takes little time."""
LONG = ("live_page", "task_page", "fit", "calibrate", "sensitivity", "watch")
NAMES = [pytest.param(name, marks=pytest.mark.slow if name in LONG else ()) for name in CALLS]
MANY_RUNS = ("sweep", "fit", "calibrate", "sensitivity")
"""Functions whose runs share the cores, each with a seed of its own."""
VALUES = {"engine": "reference", "dtype": "float64", "threads": 2, "seed": 7}
FUNCTIONS = {**{name: getattr(mm, name) for name in mm.__all__}, "widget": widget}


def closed(view: Any) -> Any:
    """Close a live view when its simulation is ready, and return it."""
    runner = view.session.runner
    until(lambda: runner.ready or view.session.failure is not None)
    view.close()
    return view


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def parameters(name: str) -> set[str]:
    return set(inspect.signature(FUNCTIONS[name]).parameters)


def takes_a_model(name: str) -> bool:
    """Return whether a public function has a parameter that accepts a model."""
    function = FUNCTIONS[name]
    if not (inspect.isfunction(function) or function is mm.Simulation):
        return False
    text = {
        str(parameter.annotation) for parameter in inspect.signature(function).parameters.values()
    }
    return "model" in parameters(name) or any(
        word in annotation_text.replace("|", " ").split()
        for annotation_text in text
        for word in ("Model", "SourceLike", "What")
    )


def test_all_functions_that_take_a_model_are_here() -> None:
    only_obstacles = {"check_flight"}
    assert set(CALLS) | only_obstacles == {name for name in FUNCTIONS if takes_a_model(name)}


@pytest.mark.parametrize("name", NAMES)
def test_a_model_of_the_zoo_is_taken_by_name(name: str) -> None:
    assert CALLS[name](NAME) is not None


@pytest.mark.parametrize("name", NAMES)
def test_a_model_file_is_taken_by_path(name: str, tmp_path: Path) -> None:
    text = mm.to_toml(NAME) if "page" in name else TINY  # whose page comes with the package
    (tmp_path / "mine.toml").write_text(text)
    assert CALLS[name](tmp_path / "mine.toml") is not None


@cases("name", CALLS)
@cases("value", [3, None, {"space": 1}, b"p5", np.zeros((2, 2)), "p6"])
def test_other_values_are_refused(name: str, value: Any) -> None:
    call = CALLS[name] if name != "measure" else lambda what: mm.measure(what, "speed")
    with pytest.raises(mm.MurmurateError) as caught:
        call(value)
    assert "model" in str(caught.value) or "frames" in str(caught.value)


def test_a_simulation_is_no_model_where_none_is_expected() -> None:
    simulation = mm.Simulation(mm.parse(TINY), engine="reference")
    for name in set(CALLS) - {
        "measure",
        "replay_page",
        "film",
        "still",
        "export",
    }:  # which read frames
        with pytest.raises(mm.MurmurateError, match=r"Simulation|a live page"):
            CALLS[name](simulation)


# --- options


@pytest.fixture
def run_options(monkeypatch: pytest.MonkeyPatch) -> list[RunOptions]:
    """Return the list to which each new engine adds its options."""
    from murmurate.runs import engine_start, simulation

    received: list[RunOptions] = []
    plain = engine_start.engine_of

    def engine_of(model: Any, state: Any, options: RunOptions) -> Any:
        received.append(options)
        return plain(model, state, options)

    for module in (engine_start, simulation):  # a start, and a state
        monkeypatch.setattr(module, "engine_of", engine_of)
    return received


def of_runs(name: str) -> dict[str, Any]:
    """Return values for the run options that a function accepts."""
    words = parameters(name)
    if "options" in words:
        words |= {"engine", "dtype", "threads"}
    if name in (*MANY_RUNS, "measure"):
        words |= {"engine", "dtype", "seed"}
    return {word: value for word, value in VALUES.items() if word in words}


@pytest.mark.parametrize(
    "name", sorted(n for n in CALLS if of_runs(n) and n not in ("live_page", "task_page", "export"))
)
def test_each_option_of_a_run_reaches_the_run(name: str, run_options: list[RunOptions]) -> None:
    values = of_runs(name)
    CALLS[name](mm.parse(TINY), **values)
    if name in MANY_RUNS:  # each run has a seed that follows from this one
        del values["seed"]
    assert {word: getattr(run_options[0], word) for word in values} == values


@pytest.mark.slow
def test_the_seed_reaches_a_live_page() -> None:
    assert "seed 7" in mm.live_page(NAME, seed=7).html


def test_in_a_notebook_each_option_of_watch_reaches_the_widget(
    monkeypatch: pytest.MonkeyPatch, run_options: list[RunOptions]
) -> None:
    pytest.importorskip("anywidget")
    monkeypatch.setattr("murmurate.notebook.watch.in_notebook", lambda: True)
    values = of_runs("watch")
    assert values == VALUES
    view = mm.watch(mm.parse(TINY), playing=False, **grouped(dict(values)))
    try:
        assert type(view).__name__ == "FlockWidget"
        until(lambda: view.session.runner.ready)
        assert [
            {word: getattr(options, word) for word in values} for options in run_options[:1]
        ] == [values]
        assert not view.session.runner.playing
    finally:
        view.close()


@pytest.mark.parametrize("name", ["watch", "widget", "run", "Simulation"])
def test_these_take_all_options_of_a_run(name: str) -> None:
    own = {"engine_options"}  # `engine` takes those too: see engines/test_engine_options.py
    assert {"options", "seed"} <= parameters(name) or (
        set(RunOptions.__dataclass_fields__) - own <= parameters(name)
    )


def test_options_are_passed_on_as_one_value() -> None:
    """A function that spells them out again for another one is wrong when one is added."""
    home = Path(mm.__file__).parent
    wrong = [
        f"{path.name}:{node.lineno}"
        for path in home.rglob("*.py")
        if "asdict(" in (text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        for word in node.keywords
        if word.arg is None
        and isinstance(word.value, ast.Call)
        and ast.unparse(word.value.func).rpartition(".")[2] == "asdict"
    ]
    assert not wrong


# --- frames a second


def test_pictures_and_measures_have_the_rate_of_frames() -> None:
    model = mm.parse(TINY)
    film = mm.film(
        model,
        "a.gif",
        view=mm.View(steps=2, size=(64, 64), every=1, frames_per_second=4),
        options=mm.RunOptions(engine="reference"),
    )
    assert film.seconds == film.frames / 4
    tracks = np.cumsum(np.ones((5, 4, 2)), axis=0)
    np.save("fish.npy", tracks)
    assert mm.open_tracks("fish.npy", frames_per_second=25).frames_per_second == 25
    fish = mm.open_tracks("fish.npy", 25)
    assert mm.measure(fish, "speed")["speed"].value == pytest.approx(25 * 2**0.5)

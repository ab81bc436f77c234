"""The public names of `murmurate`."""

from __future__ import annotations

import ast
import builtins
import inspect
import pkgutil
import warnings
from collections.abc import Callable, Iterator
from dataclasses import is_dataclass
from pathlib import Path

import pytest
from pydantic import BaseModel

import murmurate as mm
from murmurate import measures

AT_THE_TOP = {"polarization", "milling", "nearest_neighbour_distance"}


def test_every_name_is_there() -> None:
    assert list(mm.__all__) == sorted(set(mm.__all__))
    for name in [*mm.__all__, "open", "__version__"]:
        assert getattr(mm, name) is not None
        assert name in dir(mm)


def test_the_stub_declares_names_as_public() -> None:
    """Each is written `from .module import name as name`, which type checkers re-export."""
    stub = ast.parse(Path(mm.__file__).with_suffix(".pyi").read_text("utf-8"))
    names = set()
    for node in stub.body[1:]:
        assert isinstance(node, ast.ImportFrom) and node.level == 1
        for alias in node.names:
            assert alias.name == alias.asname
            names.add(alias.name)
    assert names == {*mm.__all__, "open", "__version__"}


def test_no_name_is_that_of_a_package_or_file() -> None:
    """Importing one of these would put it in the place of the name."""
    taken = {module.name for module in pkgutil.iter_modules(mm.__path__)}
    assert taken & set(mm.__all__) == {"measures"}


def test_measures_have_a_namespace_of_their_own() -> None:
    assert mm.measures is measures
    assert set(mm.__all__) & set(measures.MEASURES) == AT_THE_TOP
    for name in AT_THE_TOP:
        assert getattr(mm, name) is getattr(measures, name)


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match="anisotropie"):
        _ = mm.anisotropie


def test_importing_all_names_leaves_builtins_alone() -> None:
    brought: dict[str, object] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        exec("from murmurate import *", brought)
    assert not (set(brought) - {"__builtins__"}) & set(dir(builtins))
    assert set(mm.__all__) <= set(brought)
    assert mm.open is not builtins.open and mm.open.__module__ == "murmurate.record.recording"


MAX_ARGUMENTS = 10


def functions_and_methods() -> Iterator[tuple[str, Callable[..., object]]]:
    """Yield name and function: public functions, methods, and classes that are not values."""
    for name in mm.__all__:
        item = getattr(mm, name)
        if inspect.isclass(item):
            for attribute in vars(item):
                method = getattr(item, attribute)
                if not attribute.startswith("_") and callable(method):
                    yield f"{name}.{attribute}", method
            if not (is_dataclass(item) or issubclass(item, BaseModel | Exception)):
                yield name, item
        elif inspect.isfunction(item):
            yield name, item


def test_no_public_function_has_more_than_ten_arguments() -> None:
    """Values configure, such as RunSpec and TableFormat, whose fields are not counted."""
    counts = {
        name: len(set(inspect.signature(function).parameters) - {"self"})
        for name, function in functions_and_methods()
    }
    assert counts["film"] == counts["open_tracks"] == MAX_ARGUMENTS and counts["Simulation"] > 2
    assert not {n: count for n, count in counts.items() if count > MAX_ARGUMENTS}


def test_how_a_run_is_simulated_has_the_same_names_everywhere() -> None:
    """Simulation takes them one by one, other functions as `options`, a RunOptions, and `seed`."""
    names = {"engine", "dtype", "threads", "seed"}
    assert set(mm.RunOptions("cpu").arguments) == names
    assert names <= set(inspect.signature(mm.Simulation).parameters)
    assert names - {"threads"} <= set(inspect.signature(mm.RunSpec).parameters)
    takers = 0
    for name, function in functions_and_methods():
        parameters = inspect.signature(function).parameters
        if "options" in parameters and "RunOptions" in str(parameters["options"].annotation):
            takers += 1
            assert names & set(parameters) <= {"seed"}, name
    assert takers >= 5


MODEL_OR_DATA = {"model", "recording", "self", "simulation"}
WRONG_PATHS: dict[str, Callable[[object], object]] = {
    "film": lambda path: mm.film("p5", path),  # type: ignore[arg-type]
    "still": lambda path: mm.still("p5", path),  # type: ignore[arg-type]
    "replay_page": lambda path: mm.replay_page("p5", path),  # type: ignore[arg-type]
    "live_page": lambda path: mm.live_page("p5", path),  # type: ignore[arg-type]
    "task_page": lambda path: mm.task_page("p5", path, task="three-rules"),  # type: ignore[arg-type]
    "export": lambda path: mm.export("a.zarr", path),  # type: ignore[arg-type]
    "branch": lambda path: mm.branch("a.zarr", path),  # type: ignore[arg-type]
    "Recorder": lambda path: mm.Recorder(mm.Simulation("p5", engine="reference"), path),  # type: ignore[arg-type]
}
"""Public functions that write a file from a source."""


def test_what_writes_a_file_takes_its_path_after_the_source() -> None:
    """Functions that return results and may store them take `output`, by name."""
    written, stored, methods = set(), set(), set()
    for name, function in functions_and_methods():
        parameters = inspect.signature(function).parameters
        order = list(parameters)
        if "output" in order:
            stored.add(name)
            assert parameters["output"].kind is inspect.Parameter.KEYWORD_ONLY, name
        if "force" not in order or "output" in order:
            continue
        assert order[0] in MODEL_OR_DATA and order[1] == "path", (name, order)
        assert parameters["force"].kind is inspect.Parameter.KEYWORD_ONLY, name
        (methods if "." in name else written).add(name)
    assert written == set(WRONG_PATHS)
    assert stored == {"run", "sweep", "fit", "calibrate", "compare_models", "sensitivity"}
    assert {"Page.save", "MeasureTable.save", "Fit.save_plot"} <= methods


@pytest.mark.parametrize("name", WRONG_PATHS)
def test_a_path_that_is_something_else(name: str) -> None:
    with pytest.raises(mm.MurmurateError, match=r"^path: got 300; expected the name of a file"):
        WRONG_PATHS[name](300)


@pytest.mark.parametrize(
    "study",
    [
        lambda vary: mm.sweep("p5", vary),
        lambda vary: mm.fit("p5", {"speed": (1, 1)}, "speed", vary),
        lambda vary: mm.calibrate("p5", "speed", vary),
        lambda vary: mm.sensitivity("p5", "speed", vary),
    ],
)
def test_numbers_to_vary_that_are_something_else(study: Callable[[object], object]) -> None:
    with pytest.raises(mm.SweepError, match="vary: got 'out'; expected path -> values"):
        study("out")
    with pytest.raises(mm.SweepError, match=r"rules.cohesion.weight: got 5; expected"):
        study({"rules.cohesion.weight": 5})

"""Options of one engine as values: taken wherever an engine is named, checked without loading the
engine, and refused by engines that do not have them."""

from __future__ import annotations

import inspect
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import FrozenInstanceError, dataclass, fields
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any, ClassVar
from unittest.mock import patch

import numpy as np
import pytest
from device_engine import Device, DeviceEngine
from hypothesis import given, settings
from hypothesis import strategies as st
from toy_engine import ToyEngine

import murmurate as mm
from murmurate.engines import registry
from murmurate.engines.base import EngineBase, EngineOptions
from murmurate.engines.options import RunOptions
from murmurate.engines.registry import engine_class, engine_family, options_class, register
from murmurate.notebook import widget
from murmurate.record.header import last_engine, present_parts
from murmurate.sweeps.sweep_plan import make_plan
from murmurate.verify import verify
from murmurate.verify.figure_runs import simulate_figure
from workers_here import Here

pytestmark = pytest.mark.usefixtures("device_alone")

MODEL = mm.load("ucl").set(
    {"flocks.boids.count": 6, "view.steps": 4, "view.every": 2, "view.warm_up": 0,
     "view.size": [64, 64]}
)  # fmt: skip
CHECKED = MODEL.model_copy(
    update={
        "expect": (
            mm.Expectation(
                measure="speed", flock="boids", step=2, kind="trajectory", seeds=(1,), value=1.0,
                tolerance=1e-6,
            ),
        )
    }
)  # fmt: skip


def watched(**options: Any) -> None:
    live = mm.watch(MODEL, block=False, open_browser=False, playing=False, port=0, **options)
    live.close()


def frame_of_model() -> mm.Frame:
    return mm.Simulation(MODEL, engine="reference").frame


def swept(**options: Any) -> None:
    run = mm.RunSpec(steps=2, every=1, **options)
    for outcome in Here().results(make_plan(MODEL, {}, run).tasks()):
        assert outcome.error == ""


def recorded(folder: Path) -> Path:
    path = folder / "recorded.zarr"
    if not path.exists():
        mm.run(MODEL, 2, output=path, options=mm.RunOptions(engine=Device("b")))
    return path


def stepped(folder: Path) -> Path:
    path = folder / "stepped.zarr"
    simulation = mm.Simulation(MODEL, engine=Device("b"))
    with mm.Recorder(simulation, path, every=2):
        simulation.step(2)
    return path


TAKE: dict[str, Callable[..., object]] = {
    "Simulation": lambda _, **options: mm.Simulation(MODEL, **options).step(1),
    "Simulation.from_frame": lambda _, **options: mm.Simulation.from_frame(
        MODEL, frame_of_model(), seed=0, **options
    ),
    "run": lambda _, **options: mm.run(MODEL, 2, options=RunOptions(**options)),
    "resume": lambda folder, **options: mm.resume(recorded(folder), 4, **options),
    "branch": lambda folder, **options: mm.branch(
        recorded(folder), folder / "branch.zarr", steps=4, **options
    ),
    "replay": lambda folder, **options: mm.replay(stepped(folder), 2, **options),
    "film": lambda folder, **options: mm.film(
        MODEL, folder / "a.gif", options=RunOptions(**options)
    ),
    "still": lambda folder, **options: mm.still(
        MODEL, folder / "a.png", options=RunOptions(**options)
    ),
    "replay_page": lambda _, **options: mm.replay_page(
        MODEL, steps=2, options=RunOptions(**options)
    ),
    "watch": lambda _, **options: watched(options=RunOptions(**options)),
    "RunSpec": lambda _, **options: swept(**options),
    "verify": lambda _, **options: verify(CHECKED, **options),
}
"""Function -> a call of it with run options. Studies, which have a RunSpec, are tested in
test_engines_of_studies.py."""


def with_argument(name: str) -> set[str]:
    """The public functions that have an argument of this name."""
    result = {"Simulation.from_frame"} if name in inspect.signature(
        mm.Simulation.from_frame
    ).parameters else set()  # fmt: skip
    for public in mm.__all__:
        value = getattr(mm, public)
        if public in ("Simulation", "RunSpec") or inspect.isfunction(value):
            result |= {public} if name in inspect.signature(value).parameters else set()
    return result


def test_every_public_function_with_an_engine_is_tested_here() -> None:
    public = with_argument("engine") | with_argument("options")
    assert public - {"export"} == set(TAKE) - {"verify"}  # export has options of formats


@pytest.mark.parametrize("name", TAKE)
def test_options_are_taken_wherever_an_engine_is_named(name: str, tmp_path: Path) -> None:
    options = Device("b", depth=3)
    TAKE[name](tmp_path, engine=options)
    assert options in DeviceEngine.created
    assert set(DeviceEngine.created) <= {
        options,
        Device("b"),
    }  # b made the recording


@pytest.mark.parametrize(
    "name", sorted(set(TAKE) - {"resume", "branch", "replay"})
)  # of a recording by b
def test_a_name_stands_for_the_defaults(name: str, tmp_path: Path) -> None:
    TAKE[name](tmp_path, engine="device")
    assert set(DeviceEngine.created) == {Device()}


@pytest.mark.slow
def test_figures_and_widgets_take_options(tmp_path: Path) -> None:
    pytest.importorskip("anywidget")
    widget(MODEL, playing=False, options=mm.RunOptions(engine=Device("c"))).close()
    assert set(DeviceEngine.created) == {Device("c")}
    panel = mm.Panel(title="a", x="t", y="v", shows="time", measure="speed", step=2)
    drawn = MODEL.model_copy(update={"figure": (panel,)})
    for engine in ("device", Device("d"), Device()):
        simulate_figure(drawn, folder=tmp_path, workers=Here(), engine=engine)
    created = [own for own in DeviceEngine.created if own != Device("c")]
    assert created == [Device(), Device("d")]  # the third has the bits of the first


# --- values


addresses = st.none() | st.text(max_size=20)


@pytest.mark.slow
@given(st.none() | st.integers(1, 4096), addresses)
@settings(max_examples=50)
def test_slabs_are_values(workers: int | None, address: str | None) -> None:
    first = mm.Slabs(workers=workers, address=address)
    assert eval(repr(first), {"Slabs": mm.Slabs}) == first
    assert pickle.loads(pickle.dumps(first)) == first
    assert hash(first) == hash(mm.Slabs(workers, address))
    assert mm.Slabs(**first.non_defaults()) == first
    assert RunOptions(first).engine_options == first and RunOptions(first).engine == "slabs"
    choice = RunOptions(first).choice
    assert RunOptions(choice) == RunOptions(first)
    with pytest.raises(FrozenInstanceError):
        first.workers = 3  # type: ignore[misc]


def test_numbers_of_numpy_are_numbers() -> None:
    assert type(mm.Slabs(np.int64(3)).workers) is int  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"workers": 0}, "workers: got 0; expected a whole number from 1 to 4096"),
        ({"workers": 4097}, "workers: got 4097; expected a whole number from 1 to 4096"),
        ({"workers": True}, "workers: got True; expected a whole number"),
        ({"workers": 2.5}, "workers: got 2.5; expected a whole number"),
        ({"workers": "2"}, "workers: got '2'; expected a whole number"),
        ({"address": 6379}, "address: got 6379; expected a text, such as '10.0.0.1:6379'"),
    ],
)
def test_wrong_values_of_slabs(options: dict[str, Any], message: str) -> None:
    with pytest.raises(mm.ModelError) as caught:
        mm.Slabs(**options)
    assert message in str(caught.value)


@pytest.mark.parametrize("engine", ["cpu", "reference", "wasm", "device"])
def test_options_of_another_engine(engine: str) -> None:
    with pytest.raises(mm.ModelError, match=f"expected options of engine {engine!r}. Leave it out"):
        RunOptions(engine, engine_options=mm.Slabs())


@pytest.mark.parametrize("engine", [EngineOptions(), mm.Slabs, None, 3, ["cpu"], np.zeros(2)])
def test_what_is_no_engine(engine: Any) -> None:
    with pytest.raises(mm.ModelError, match="expected 'cpu'"):
        mm.Simulation(MODEL, engine=engine)


# --- the registry


def test_built_in_entries_name_the_options_of_their_classes() -> None:
    pytest.importorskip("wasmtime")
    for name in registry.BUILT_IN:
        cls = engine_class(name)
        assert issubclass(cls, EngineBase)
        assert cls.Options is options_class(name)
        assert options_class(name).engine in ("", name)
        assert all("help" in field.metadata for field in fields(cls.Options))


def test_checking_options_loads_neither_ray_nor_a_compiler() -> None:
    code = (
        "import sys; import murmurate as mm; from murmurate.engines.options import RunOptions; "
        "RunOptions('slabs', engine_options=mm.Slabs(2, 'auto')); "
        "print({'ray', 'numba', 'llvmlite', 'numpy'} & set(sys.modules), "
        "[m for m in sys.modules if m.startswith('murmurate.engines.slabs.')])"
    )
    ran = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, check=True)
    assert ran.stdout.strip() == "set() ['murmurate.engines.slabs.slab_options']"


class Older:
    """An engine as the protocol of 0.4 asked for it: no family, no options, not held elsewhere."""

    def __init__(self, model: Any, state: Any, options: Any) -> None:
        self._toy = ToyEngine(model, state, options)
        self.options = options

    @classmethod
    def check(cls, model: Any, options: Any) -> None:
        ToyEngine.check(model, options)

    compiled = True
    model = property(lambda self: self._toy.model)
    step_number = property(lambda self: self._toy.step_number)

    def step(self, steps: int) -> None:
        self._toy.step(steps)

    def state(self) -> Any:
        return self._toy.state()

    def set_state(self, flock: str, positions: Any, velocities: Any) -> None:
        self._toy.set_state(flock, positions, velocities)

    def replace_model(self, model: Any) -> None:
        self._toy.replace_model(model)

    def is_compatible(self, model: Any) -> bool:
        return True

    def copy(self, threads: int | None = None) -> Older:
        return type(self)(self.model, self.state(), self.options)


def test_an_engine_of_the_older_protocol(tmp_path: Path) -> None:
    register("older", Older)
    register("older", Older)
    with pytest.raises(mm.ModelError, match="got 'older'; expected a name that no engine has"):
        register("older", ToyEngine)
    simulation = mm.Simulation(MODEL, 2, engine="older").step(2)
    assert isinstance(simulation._engine, Older)
    assert simulation.family == "older" == engine_family("older")
    assert (
        simulation.distributed_frame is None
        and simulation.options.engine_options == EngineOptions()
    )
    same = mm.Simulation(MODEL, 2, engine="device").step(4).frame
    np.testing.assert_array_equal(
        simulation.copy().step(2).frame["boids"].positions, same["boids"].positions
    )
    mm.run(MODEL, 2, output=tmp_path / "a.zarr", options=mm.RunOptions(engine="older"))
    assert len(mm.resume(tmp_path / "a.zarr", 4)) == 5
    assert registry.import_path("older") == f"{__name__}:Older"


def test_a_package_declares_options_beside_its_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("device", "device_engine:DeviceEngine", registry.GROUP),
        EntryPoint("device", "device_engine:Device", registry.OPTIONS_GROUP),
        EntryPoint("bare", "device_engine:DeviceEngine", registry.GROUP),
        EntryPoint("broken", "toy_engine:ToyEngine", registry.GROUP),
        EntryPoint("broken", "no_such_module_anywhere:Options", registry.OPTIONS_GROUP),
    ]
    loaded: list[str] = []
    registry.unregister("device")
    monkeypatch.setattr(
        registry, "entry_points", lambda group: [p for p in points if p.group == group]
    )
    load = registry._load
    monkeypatch.setattr(
        registry, "_load", lambda point: (loaded.append(point.value), load(point))[1]
    )
    assert RunOptions(Device("c")).engine_options == Device("c") and loaded == []
    assert RunOptions("device").engine_options == Device()
    assert loaded == ["device_engine:Device"]
    assert set(registry.option_classes()) == {*registry.BUILT_IN, "device"}
    assert options_class("bare") is Device and "device_engine:DeviceEngine" in loaded
    with pytest.raises(mm.ModelError, match="options of engine 'broken' cannot be loaded from no_"):
        RunOptions("broken")


def test_options_that_cannot_be() -> None:
    class Undeclared(EngineOptions):
        depth: int = 1

    @dataclass(frozen=True)
    class Needed(EngineOptions):
        depth: int

    for options, message in (
        (dict, "expected a subclass of EngineOptions"),
        (Undeclared, "expected a frozen dataclass"),
        (Needed, "expected a dataclass whose fields have defaults"),
    ):
        cls = type("Wrong", (ToyEngine,), {"Options": options})
        with pytest.raises(mm.ModelError, match=message):
            register("wrong", cls)
    assert "wrong" not in registry.engine_names()


def test_options_must_be_known_to_other_processes_too() -> None:
    @dataclass(frozen=True)
    class Local(EngineOptions):
        engine: ClassVar[str] = "toy"

    register("toy", type("Toy", (ToyEngine,), {"Options": Local}))
    with pytest.raises(
        mm.ModelError, match=r"engine 'toy': got class .*Local.*worker processes can import"
    ):
        registry.import_path("toy")


# --- families


def test_engines_of_a_family() -> None:
    pytest.importorskip("wasmtime")
    result = {name: engine_family(name) for name in registry.BUILT_IN}
    assert result == {
        "cpu": "numba",
        "slabs": "numba",
        "reference": "reference",
        "gpu": "gpu",
        "wasm": "wasm",
    }
    assert mm.Simulation(MODEL, engine="reference").family == "reference"
    assert mm.Simulation(MODEL, engine="device").family == "device a"


families = st.sampled_from(["", "one", "two", "first", "second"])


@pytest.mark.slow
@given(families, families)
@settings(max_examples=5)
def test_a_recording_is_resumed_by_its_family_alone(
    tmp_path_factory: pytest.TempPathFactory, first: str, second: str
) -> None:
    """Engines of any families; '' stands for one of its own."""
    path = tmp_path_factory.mktemp("families") / "a.zarr"
    classes = {
        name: type(name, (ToyEngine,), {"family": family})
        for name, family in (("first", first), ("second", second))
    }
    with patch.dict(registry.REGISTERED):
        for name, cls in classes.items():
            register(name, cls)
        mm.run(MODEL, 1, output=path, options=mm.RunOptions(engine="first"))
        before = {file: file.read_bytes() for file in path.rglob("*") if file.is_file()}
        assert mm.open(path).header["family"] == (first or "first")
        if (first or "first") == (second or "second"):
            assert len(mm.resume(path, 2, engine="second")) == 3
        else:
            with pytest.raises(mm.ModelError) as caught:
                mm.resume(path, 2, engine="second")
            assert str(caught.value) == (
                f"engine: got 'second', of family {second or 'second'!r}; expected 'first', by "
                f"which this was recorded, or another engine of family {first or 'first'!r}: one "
                "of another family leaves other bits. Leave it out, or accept other bits: "
                "exact=False, on the command line --engine or --adapter"
            )
            assert before == {file: file.read_bytes() for file in before}
            assert len(mm.resume(path, 2)) == 3


def test_a_recording_of_a_device_is_resumed_on_that_device(tmp_path: Path) -> None:
    path = recorded(tmp_path)
    assert mm.open(path).header["family"] == "device b"
    with pytest.raises(mm.ModelError, match=r"of family 'device a'; .* Resume it on that device"):
        mm.resume(path, 4)
    assert len(mm.resume(path, 4, engine=Device("b", depth=2))) == 5
    register("toy", ToyEngine)
    with pytest.raises(mm.ModelError, match="got 'toy', of family 'toy'; expected 'device'"):
        mm.resume(path, 6, engine="toy")


@pytest.mark.slow
def test_another_device_continues_where_other_bits_are_accepted(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The recording states it, and the next resume is by the last engine, or for a part that is
    lost by the one before."""
    path = recorded(tmp_path)
    register("toy", ToyEngine)
    with caplog.at_level("INFO"):
        assert len(mm.resume(path, 4, engine="toy", exact=False)) == 5
    assert "continues with engine toy, and was recorded by device b. Positions after step" in (
        caplog.text
    )
    info = mm.open(path).info()
    assert info["engine"] == "device b"
    assert [part["versions"] for part in info["parts"][1:]] == ["engine toy"]
    assert len(mm.resume(path, 6)) == 7  # by toy, as before
    header = dict(mm.open(path).header)
    first = info["parts"][1]["first_step"]
    assert last_engine(header) == ("toy", "toy")
    assert last_engine(present_parts(header, first)) == ("device", "device b")


def test_a_recording_that_names_no_family_has_that_of_its_engine(tmp_path: Path) -> None:
    """Such as those of 0.4."""
    from murmurate.runs.resume_run import resumed_options

    header = {"engine": "cpu", "dtype": "float64", "seed": 5}
    again = resumed_options(header, 1, mm.Slabs(2, "here"))
    assert again == RunOptions("slabs", "float64", 1, 5, mm.Slabs(2, "here"))
    assert resumed_options(header, None) == RunOptions("cpu", "float64", None, 5)
    with pytest.raises(
        mm.ModelError, match="got 'reference', of family 'reference'; expected 'cpu'"
    ):
        resumed_options(header, 1, "reference")


def test_simulation_documents_every_engine() -> None:
    documented = mm.Simulation.__doc__ or ""
    assert [name for name in registry.BUILT_IN if f"'{name}'" not in documented] == []

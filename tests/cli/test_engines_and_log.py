"""--engine on every command that flies, and the log that -v shows."""

from __future__ import annotations

import json
import logging
import re
from dataclasses import dataclass, field, fields
from pathlib import Path

import pytest
from cyclopts import App

import flights
import murmurate as mm
from cases import cases
from murmurate.cli import engine_flags
from murmurate.cli.app import COMMANDS, make_app
from murmurate.cli.engine_flags import FLAGS
from murmurate.engines import registry
from murmurate.engines.base import EngineOptions
from murmurate.engines.reference.reference_engine import ReferenceEngine
from murmurate.errors import CommandError

SIMULATES = {
    "film": [], "still": [], "page": [], "run": [], "watch": ["--no-open"],
    "measure": [], "verify": [], "doctor": ["--bench"],
    "tasks": [], "sweep": ["--vary", "dt=1,2"],
    "sensitivity": ["--measures", "speed", "--vary", "dt=0.5:2"],
    "fit": ["ucl", "--measures", "speed", "--vary", "dt=0.5:2"],
    "compare-models": ["ucl", "--measures", "speed", "--vary", "dt=0.5:2", "--flocks", "p5"],
}  # fmt: skip
NEVER = {
    "models",
    "show",
    "new",
    "schema",
    "plot",
    "resume",
    "info",
    "export",
    "check-flight",
    "check-code",
    "learn",
    "tour",
}


def test_every_command_that_simulates_is_tested() -> None:
    assert set(COMMANDS) == set(SIMULATES) | NEVER


@cases("command", SIMULATES)
def test_an_unknown_engine_is_refused(murmurate, command, tmp_path: Path):
    """Each command refuses it before it simulates or writes."""
    model = [] if command == "doctor" else ["couzin-2002" if command == "verify" else "tiny.toml"]
    ran = murmurate(command, *model, *SIMULATES[command], "--engine", "quantum")
    assert ran.code == 2
    assert (
        ran.errors[-1]
        == "--engine: got 'quantum'; expected 'cpu', 'gpu', 'reference', 'slabs' or 'wasm'"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["tiny.toml"]


def test_commands_use_the_engine_of_the_option(murmurate, tmp_path: Path):
    words = ["tiny.toml", "--engine", "reference", "--seed", "3"]
    ran = murmurate("run", *words, "--steps", "20", "--json")
    plain = mm.Simulation(mm.load("tiny.toml"), 3, engine="reference").step(20).frame
    speed = json.loads(ran.out)["flocks"]["boids"]["speed"]
    assert speed == mm.measures.speed(plain["boids"])  # to the last bit of float64
    for command in ("film", "still", "page", "measure"):
        length = [
            "--at" if command == "still" else "--steps",
            "40" if command == "measure" else "2",
        ]
        ran = murmurate("-v", command, *words, *length, "--quiet")
        assert ran.code == 0 and ran.err.count("engine reference") == 1
    assert murmurate("run", *words, "--steps", "2", "-o", "a.zarr", "--quiet").code == 0
    assert "engine reference" in murmurate("info", "a.zarr").out
    ran = murmurate("resume", "a.zarr", "--steps", "4", "-v")
    assert ran.code == 0 and "from step 2, engine reference, float64" in ran.err
    ran = murmurate("film", "a.zarr", "--engine", "reference")
    assert ran.code == 2 and "--engine: for simulating a model" in ran.err


@pytest.mark.parametrize("command", ["run", "film", "still", "page", "measure", "watch"])
def test_workers_of_an_engine_that_has_none(murmurate, command: str):
    for option, value in (("--workers", "2"), ("--address", "here")):
        for what in ("tiny.toml", "p5"):
            ran = murmurate(command, what, option, value)
            assert ran.code == 2 and f"{option}: got " in ran.err
            assert "engine 'cpu' has no such option. Leave it out, or choose engine 's" in ran.err


@pytest.mark.slow  # the help of all commands
def test_every_command_with_an_engine_offers_the_options_of_engines(full_help):
    commands = set()
    for command in COMMANDS:
        out = full_help(command)
        if re.search(r"^│ --engine ", out, re.MULTILINE):
            commands.add(command)
            for flag in FLAGS.values():
                assert re.search(rf"^│ {flag.option} ", out, re.MULTILINE), (command, flag)
            assert "--verbose" in out
    assert commands == {*SIMULATES, "resume", "export"}  # of a model


@dataclass(frozen=True)
class Device(EngineOptions):
    adapter: str = field(default="a", metadata={"help": "which device"})
    depth: int | None = None


def test_options_are_made_of_the_fields_of_engines(monkeypatch):
    """Those of a package's engine are called by its name too."""
    registry.register("device", type("Engine", (ReferenceEngine,), {"Options": Device}))
    flags = {flag.option: flag for flag in engine_flags._flags().values()}
    own_options = {"--device.adapter", "--device.depth"}
    assert set(flags) == {"--workers", "--address", "--adapter", *own_options}
    own = engine_flags._own_class(engine_flags._flags())
    app = App(result_action="return_value")

    @app.default
    def return_options(*, options=None):
        return options

    return_options.__annotations__["options"] = own | None

    monkeypatch.setattr(engine_flags, "FLAGS", engine_flags._flags())
    words = ["--device.adapter", "b", "--device.depth=3"]
    assert engine_flags.chosen("device", app(words)) == Device("b", 3)
    with pytest.raises(
        CommandError, match=r"^--device\.adapter: got 'b'; expected nothing, since eng"
    ):
        engine_flags.chosen("slabs", app(words))
    assert engine_flags.chosen("slabs", app(["--workers", "2"])) == mm.Slabs(2)
    assert flags["--device.adapter"].engines == {"device": ("which device", str)}
    assert {flag.option for flag in FLAGS.values()} == {
        f"--{option.name}" for cls in (mm.Slabs, mm.Gpu) for option in fields(cls)
    }


@pytest.mark.slow
def test_a_recording_of_slabs_is_resumed_by_workers_alone(murmurate, tmp_path: Path):
    words = ["run", "tiny.toml", "--dtype", "float64", "--quiet", "--steps"]
    slabs = ["--engine", "slabs", "--workers", "2", "--address", "here"]
    with flights.in_cells():
        assert murmurate(*words, "2", *slabs, "-o", "a.zarr").code == 0
        assert murmurate(*words, "4", "-o", "b.zarr").code == 0
        ran = murmurate("resume", "a.zarr", "--steps", "4", "--address", "here", "--quiet")
        assert ran.code == 0, ran.err
        ran = murmurate("resume", "b.zarr", "--steps", "5", "--workers", "2")
        assert ran.code == 2 and ran.errors == [
            "--workers: got 2; expected nothing, since engine 'cpu' has no such option. Leave it "
            "out, or choose engine 'slabs'"
        ]
    for first, second in zip(mm.open("a.zarr"), mm.open("b.zarr"), strict=True):
        assert (first["boids"].positions == second["boids"].positions).all()


def test_an_engine_of_another_precision_does_not_resume(murmurate):
    assert murmurate("run", "tiny.toml", "--steps", "1", "-o", "a.zarr", "--quiet").code == 0
    ran = murmurate("resume", "a.zarr", "--steps", "2", "--engine", "reference")
    assert ran.code == 2 and ran.errors[-1] == (
        "--engine: got 'reference', which computes in float64; expected one that computes in "
        "float32, as a.zarr is recorded. Use engine 'cpu'"
    )


@pytest.mark.parametrize(
    "words", [["sweep"], ["doctor", "--bench", "--only", "flat"], ["verify"], ["fit"]]
)
def test_studies_refuse_options_that_the_engine_does_not_have(murmurate, words):
    if words[0] in ("sweep", "verify", "fit"):
        words = [*words, "ucl"]
    if words[0] == "fit":
        words += ["ucl", "--measures", "speed", "--vary", "dt=0.5:2"]
    ran = murmurate(*words, "--engine", "reference", "--address", "here")
    assert ran.code == 2 and ran.errors == [
        "--address: got 'here'; expected nothing, since engine 'reference' has no such option. "
        "Leave it out, or choose engine 'slabs'"
    ]


@pytest.mark.parametrize(("value", "message"), [
    ("0", "workers: got 0; expected a whole number from 1 to 4096"), ("two", "--workers"),
])  # fmt: skip
def test_wrong_values_of_options_of_engines(murmurate, value, message):
    ran = murmurate("run", "tiny.toml", "--engine", "slabs", "--workers", value)
    assert ran.code == 2 and message in ran.err


def test_a_sweep_keeps_the_options_of_its_engine(murmurate, tmp_path: Path):
    words = ["--vary", "dt=1,2", "--steps", "2", "--every", "1", "--measures", "speed"]
    slabs = ["--engine", "slabs", "--workers", "2", "--address", "here", "-o", "it"]
    ran = murmurate("sweep", "tiny.toml", *words, *slabs, "--on", "threads")
    assert ran.code in (0, 1)  # whether slabs simulate so few boids is not asked here
    text = (tmp_path / "it" / "sweep.toml").read_text()
    assert "[engine_options]" in text and "workers = 2" in text
    ran = murmurate("sweep", "it", "--workers", "3")
    assert ran.code == 2 and "--workers: got settings for it, a sweep" in ran.err


@pytest.mark.slow
def test_a_flock_in_slabs_is_measured(murmurate):
    words = ["measure", "tiny.toml", "speed", "--steps", "20", "--dtype", "float64", "--csv"]
    with flights.in_cells():
        slabs = murmurate(*words, "--engine", "slabs", "--workers", "2", "--address", "here")
        assert slabs.code == 0 and slabs.out == murmurate(*words).out


def test_a_sweep_keeps_its_engine(murmurate, tmp_path: Path):
    words = ["--vary", "dt=1,2", "--steps", "4", "--every", "1", "--warm-up", "0"]
    words += ["--measures", "speed", "--on", "threads"]
    ran = murmurate("sweep", "tiny.toml", *words, "--engine", "reference", "-o", "it", "-v")
    assert ran.code == 0 and "engine reference" in ran.err
    assert 'engine = "reference"' in (tmp_path / "it" / "sweep.toml").read_text()
    assert murmurate("sweep", "it").code == 0


@pytest.mark.compiled
@cases("words", [("-v", "run", "tiny.toml"), ("run", "tiny.toml", "--verbose")])
def test_what_is_done_is_logged_on_stderr(murmurate, words):
    ran = murmurate(*words, "--steps", "0", "--quiet", "--threads", "2")
    assert ran.code == 0
    lines = [line for line in ran.err.splitlines() if line.startswith("murmurate: info: ")]
    message = "tiny: 12 boids from step 0, engine cpu, float32, 2 threads, seed 0"
    assert f"murmurate: info: {message}" in lines
    assert any("kernels of tiny: " in line for line in lines)
    assert "debug" not in ran.err and "murmurate: info" not in ran.out


@pytest.mark.slow
def test_commits_and_details(murmurate):
    ran = murmurate("run", "tiny.toml", "--steps", "3", "-o", "a.zarr", "-vv", "--quiet")
    assert "a.zarr: 4 frames are on disk" in ran.err
    ran = murmurate("sweep", "tiny.toml", "--steps", "10", "--measures", "speed", "-v", "-v",
                    "--processes", "1", "--engine", "reference")  # fmt: skip
    assert "1 worker processes" in ran.err and "murmurate: debug: run 0: done" in ran.err


def test_it_is_quiet_unless_asked(murmurate):
    logger = logging.getLogger("murmurate")
    before = (logger.level, list(logger.handlers))
    murmurate("run", "tiny.toml", "--steps", "3", "-v")
    ran = murmurate("run", "tiny.toml", "--steps", "3", "--quiet")
    assert ran.err == ""
    assert (logger.level, list(logger.handlers)) == before
    assert any(isinstance(handler, logging.NullHandler) for handler in logger.handlers)


def test_compiling_is_logged_with_its_time(caplog, tmp_path: Path, monkeypatch) -> None:
    """The first time it is compiled; a second time it comes from the cache."""
    from murmurate.codegen.compile_jobs import compile_logged
    from murmurate.codegen.kernel_cache import Kernel, KernelModule

    def kernel(cached: bool) -> Kernel:
        loaded = Kernel(KernelModule("a_module", "answer = 42\n"), "steps")
        loaded.cached = cached
        return loaded

    def compiled(cached: bool) -> None:
        monkeypatch.setattr(KernelModule, "is_compiled", cached)

    compiled(False)
    with caplog.at_level(logging.DEBUG, "murmurate"):
        with compile_logged(kernel(False)):
            assert caplog.messages == ["kernel steps: compiling"]
        assert "compiled in" in caplog.messages[-1]
        compiled(True)
        caplog.clear()
        with compile_logged(kernel(True)):
            assert not caplog.messages
        (line,) = caplog.messages
        assert "loaded from the cache in" in line


def test_help_names_both(full_help, murmurate):
    full = full_help("film")
    assert all(f"│ {option} " in full for option in ("--engine", "--verbose", "--workers"))
    assert "--verbose" in murmurate("--help").out
    assert make_app(list_commands=True).meta is not None


@pytest.mark.compiled
def test_the_cache_is_looked_through_only_for_a_log(murmurate, monkeypatch) -> None:
    """A flock may be made thousands of times."""
    from murmurate.codegen.kernel_cache import KernelModule

    looked: list[object] = []
    monkeypatch.setattr(KernelModule, "is_compiled", property(looked.append))
    assert murmurate("run", "tiny.toml", "--steps", "0", "--quiet").code == 0
    assert not looked
    assert murmurate("run", "tiny.toml", "--steps", "0", "-v").code == 0
    assert looked

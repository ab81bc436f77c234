"""Each extra, installed alone in a fresh environment, does what the documentation says of it.
The message of a missing module is tested in this environment (tests/test_optional.py).

The extra `docs` builds the whole site in such an environment (tests/browser/test_site.py), and
`test` is what runs these tests.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from fresh_environment import ROOT, Environment, need_an_index

pytestmark = pytest.mark.slow

EXTRAS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = EXTRAS["optional-dependencies"]
RECORD = """
import murmurate as mm
plain = mm.RunOptions("reference")
rec = mm.run("ucl", 20, every=10, output="flock.zarr", options=plain)
assert mm.open("flock.zarr").to_xarray().sizes["time"] == 3
assert mm.run("ucl", 4, options=plain).sizes
assert mm.Tracks([[[1.0, 2.0]]]).to_xarray().sizes["individuals"] == 1
"""
TRACKS = """
import murmurate as mm, numpy as np, h5py
with h5py.File("fish.h5", "w") as file:
    file["trajectories"] = np.cumsum(np.ones((20, 5, 2)), axis=0)
assert len(mm.open_tracks("fish.h5", frames_per_second=25)) == 20
"""
POSE = """
import murmurate as mm, numpy as np, sleap_io as sio
skeleton = sio.Skeleton(["head"])
video, track = sio.Video(filename="a.mp4", open_backend=False), sio.Track("a")
frames = [
    sio.LabeledFrame(video=video, frame_idx=k, instances=[
        sio.Instance.from_numpy(np.array([[1.0 + k, 2.0]]), skeleton=skeleton, track=track)])
    for k in range(5)
]
labels = sio.Labels(frames, videos=[video], skeletons=[skeleton], tracks=[track])
sio.save_slp(labels, "a.slp", embed=False)
assert len(mm.open_tracks("a.slp", frames_per_second=25)) == 5
"""
MOCAP = """
import murmurate as mm, numpy as np, c3d
writer = c3d.Writer(point_rate=100)
writer.set_point_labels(["a", "b"])
frames = [np.array([[k, 1, 2, 0, 0], [3, 4, k, 0, 0]], np.float32) for k in range(5)]
writer.add_frames([(frame, np.zeros((0, 0))) for frame in frames])
with open("a.c3d", "wb") as file:
    writer.write(file)
assert mm.open_tracks("a.c3d").rate == 100
"""
PARTICLES = """
import murmurate as mm, ase, gsd.hoomd
from ase.io import write
atoms = [ase.Atoms("HH", [[k, 1, 2], [3, 4, k]], cell=[9, 9, 9], pbc=True) for k in range(5)]
write("a.xyz", atoms, format="extxyz")
assert mm.open_tracks("a.xyz", frames_per_second=25).space.periodic == (True, True, True)
with gsd.hoomd.open("a.gsd", "w") as file:
    for k in range(5):
        frame = gsd.hoomd.Frame()
        frame.particles.N, frame.particles.position = 1, [[0, k - 2, 0]]
        frame.configuration.box, frame.configuration.step = [9, 9, 9, 0, 0, 0], k
        file.append(frame)
assert len(mm.open_tracks("a.gsd", frames_per_second=25)) == 5
"""
NOTEBOOK = """
import murmurate as mm
from murmurate.notebook import widget
widget("p5", options=mm.RunOptions("reference")).close()
"""
SWEEP = """
import murmurate as mm
few = mm.load("vicsek-1995").set({"flocks.boids.count": 20})
table = mm.sweep(few, {"dt": [1.0]}, mm.RunSpec(steps=20, workers=1, engine="reference"))
assert len(table) == 1
assert len(mm.measure(few, "speed", mm.RunSpec(steps=20, engine="reference")).to_dataframe()) == 1
"""
WASM = """
import murmurate as mm
wind = mm.Model(
    space=mm.Space(size=(9, 9)), flocks={"boids": mm.Flock(count=3)},
    rules={"wind": mm.Wind(vector=(1, 0))},
)
assert mm.Simulation(wind, engine="wasm").step(3).frame.step == 3
"""
SHAPES = """
import murmurate as mm
assert mm.shape_points(50, text="HI", width=9).shape == (50, 2)
"""
MESH = """
import murmurate as mm, trimesh
trimesh.creation.box((2, 3, 4)).export("box.glb")
assert mm.Mesh.from_file("box.glb", (0, 0, 0)).triangles().size.tolist() == [2, 3, 4]
"""
GPU = """
import murmurate as mm
from murmurate.engines.gpu.device import adapters
try:
    assert mm.Simulation("vicsek-1995", engine="gpu").step(3).frame.step == 3
except mm.ModelError:
    assert not adapters()
"""
OSC = """
import murmurate as mm
live_view = mm.watch("p5", block=False, open_browser=False, options=mm.RunOptions("reference"))
assert live_view.open_osc(["127.0.0.1:9000"], "127.0.0.1:0").port
live_view.close()
"""
RL = """
import gymnasium, murmurate.environments
assert gymnasium.make("murmurate/cover-v0").reset(seed=1)[0].shape[0] == 60
"""
INFER = """
import murmurate as mm
noise = "flocks.boids.motion.noise"
model = mm.load("vicsek-1995").set({"flocks.boids.count": 20})
fit = mm.fit(model, {"polarization": (0.5, 0.1)}, "polarization", {noise: (0.5, 5.0)},
             mm.RunSpec(runs=8, steps=20, warm_up=5, every=5), output="it")
assert fit.varied[0].mean > 0.5 and "posterior" in fit.posterior.to_inference_data().children
effects = mm.sensitivity(model, "polarization", {noise: (0.5, 5.0)},
                         mm.RunSpec(runs=16, steps=20, warm_up=5))
assert [row.path for row in effects.effects["polarization"]] == [noise, "seed"]
"""
SWEPT = ["sweep", "vicsek-1995", "--vary", "flocks.boids.motion.noise=0,2", "--seeds", "1", "-o"]
SWEPT += ["phase", "--steps", "20", "--boids", "20", "--measures", "polarization"]
SWEPT += ["--engine", "reference"]
COMMANDS = """
from murmurate.cli import main
for words in (
    "film p5 --steps 4 --size 64x64 -o a.mp4", "measure p5 --steps 20",
    "page p5 --live -o a.html", "doctor --no-test",
):
    assert main(words.split()) == 0, words
"""
EXPORTED = """
import murmurate as mm
for ending in ("usdc", "glb", "gltf", "nc", "parquet", "xyz", "gsd", "vtkhdf", "csv", "npz"):
    mm.export("flock.zarr", f"flock.{ending}")
"""


class Fresh:
    """Runs Python and commands of an environment in an empty folder."""

    def __init__(self, environment: Environment, folder: Path) -> None:
        self.environment, self.folder = environment, folder

    def python(self, code: str) -> None:
        self.environment.ran_well("-W", "error::ImportWarning", "-c", code, cwd=self.folder)

    def command(self, *words: str) -> None:
        self.environment.ran_well("-m", "murmurate", *words, cwd=self.folder)


def use_record(fresh: Fresh) -> None:
    fresh.python(RECORD)
    fresh.command("resume", "flock.zarr", "--steps", "40")
    fresh.command("info", "flock.zarr", "--check")
    fresh.command("film", "flock.zarr", "-o", "a.gif", "--size", "64x64", "--steps", "20")


def use_export(fresh: Fresh) -> None:
    fresh.python(RECORD)
    fresh.python(EXPORTED)
    fresh.command("export", "flock.zarr", "again.nc")
    fresh.python(TRACKS)
    fresh.command("measure", "flock.nc", "polarization")
    fresh.command("measure", "flock.parquet", "polarization")


def use_plot(fresh: Fresh) -> None:
    fresh.command("measure", "p5", "polarization", "--steps", "20", "--plot", "a.png",
                  "--boids", "9", "--engine", "reference")  # fmt: skip
    fresh.python(SWEEP)
    fresh.command(*SWEPT)
    fresh.command("plot", "phase", "polarization")


def use_infer(fresh: Fresh) -> None:
    fresh.python(INFER)
    fresh.command("fit", "it")


def use_ray(fresh: Fresh) -> None:
    fresh.command(*SWEPT, "--on", "ray")


def use_robots(fresh: Fresh) -> None:
    fresh.command("export", "vasarhelyi-2018", "a.mcap", "--steps", "60", "--boids", "4",
                  "--unchecked", "--engine", "reference")  # fmt: skip


def use_bench(fresh: Fresh) -> None:
    """Every benchmark is at least imported with what it needs."""
    scripts = sorted((ROOT / "benchmarks").glob("*.py"))
    programs = [one for one in scripts if "parse_args()" in one.read_text("utf-8")]
    assert len(programs) > 15
    for program in programs:
        fresh.environment.ran_well(program, "--help", cwd=fresh.folder)
    fresh.python("import imageio_ffmpeg, matplotlib, psutil, playwright.sync_api, ray, zarr")
    fresh.environment.ran_well(
        ROOT / "benchmarks" / "export.py", "--boids", "20", "--frames", "4", cwd=fresh.folder
    )


USES: dict[str, Callable[[Fresh], None]] = {
    "record": use_record,
    "export": use_export,
    "plot": use_plot,
    "ray": use_ray,
    "pose": lambda fresh: fresh.python(POSE),
    "particles": lambda fresh: fresh.python(PARTICLES),
    "robots": use_robots,
    "infer": use_infer,
    "bench": use_bench,
}


SMALL = {
    "notebook": NOTEBOOK, "gpu": GPU, "wasm": WASM, "shapes": SHAPES, "mesh": MESH, "osc": OSC,
    "rl": RL, "mocap": MOCAP,
}  # fmt: skip
"""Extras whose packages none of the others brings, nor record: one environment has them all, and
one process runs all that is done with them."""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """One without extras, until a test installs some."""
    need_an_index()
    bare = Environment(tmp_path_factory.mktemp("fresh") / "venv")
    bare.install()
    return bare


def test_without_extras_the_main_command_works(environment: Environment, tmp_path: Path) -> None:
    Fresh(environment, tmp_path).python(COMMANDS)
    assert all((tmp_path / name).stat().st_size for name in ("a.mp4", "a.html"))


def test_small_extras_do_what_is_said(environment: Environment, tmp_path: Path) -> None:
    environment.install(",".join(("record", *SMALL)))
    fresh = Fresh(environment, tmp_path)
    fresh.python("\n".join(SMALL.values()))
    use_record(fresh)


@pytest.mark.long
@pytest.mark.parametrize("extra", USES)
def test_an_extra_alone_does_what_is_said(extra: str, tmp_path: Path) -> None:
    """Environments take minutes."""
    need_an_index()
    alone = Environment(tmp_path / "venv")
    alone.install(extra)
    (tmp_path / "empty").mkdir()
    USES[extra](Fresh(alone, tmp_path / "empty"))


def test_all_extras_are_tried() -> None:
    """The extra `sweep` is another name of `plot`."""
    assert {*USES, *SMALL} == set(EXTRAS) - {"test", "docs", "sweep", "all"}
    assert EXTRAS["sweep"] == EXTRAS["plot"]

"""The valid files that cases begin with: models, recordings, tracks, a sweep and a fit."""

from __future__ import annotations

import pickle
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import track_files
import track_files_hdf5

from murmurate.cli import main
from tiny_model import TINY

HUNT = """\
title = "A hunt"
dt = 0.5
[source]
reference = "A. Author, On \\u202e birds"
[space]
size = [10, 12, 8]
boundary = ["open", "reflecting", "periodic"]
origin = [-1, 0, 2]
[flocks.prey]
count = 6
start.kind = "ball"
start.radius = 2
start.velocity = { kind = "heading", velocity = [1, 0, 0], spread = 0.1 }
motion = { kind = "self-propelled", speed = 1, noise = 0.5, turn_rate = 90 }
[flocks.hunters]
count = 2
start = { kind = "given", positions = [[1, 1, 3], [2, 2, 4]] }
motion = { kind = "add", max_speed = 2, max_force = 1 }
look = { colour = "#ff0000" }
[rules.alignment]
moves = "prey"
senses = "prey"
radius = 3
weight = { kind = "ramp", start = 0, stop = 1, begin = 1, end = 2 }
[rules.separation]
moves = "prey"
radius = 1
nearest = 3
[rules.chase]
kind = "cohesion"
moves = "hunters"
senses = "prey"
form = "steering"
[obstacles.rock]
kind = "sphere"
centre = [4, 4, 4]
radius = 1
[view]
steps = 4
size = [64, 64]
trails = 3
[[expect]]
measure = "speed"
flock = "prey"
step = 3
seeds = [1, 2]
value = 1.0
tolerance = 1e-3
why = "they all fly at one speed"
"""
MODELS = {"tiny.toml": TINY, "hunt.toml": HUNT}
TABLES = (
    "fish.csv", "birds.csv", "wide.csv", "spots.csv", "tracking.txt", "toxtrac.txt", "animalta.csv",
    "deeplabcut.csv", "movebank.csv", "spots.xml", "storks.gpx", "nexus.csv", "atoms.dump",
    "atoms.xyz",
)  # fmt: skip
TRACKS = (
    *TABLES, "fish.npy", "dictionary.npy", "fish.parquet", "fish.nc", "fish.h5", "video_id0.npz",
    "sleap.h5", "deeplabcut.h5", "poses.nwb", "atoms.gsd", "export.npz", "fish.mat",
)  # fmt: skip
SWEEP = ["--vary", "rules.cohesion.weight=0,0.1", "--steps", "4", "--every", "2", "--seeds", "2"]
FIT = ["--measures", "polarization", "--vary", "rules.cohesion.weight=0:1", "--runs", "8"]
FIT += ["--steps", "20", "--warm-up", "10", "--every", "5"]


def made_once(write: Callable[[Path], None]) -> Callable[[Path], None]:
    """Copy what `write` has written for the first kind of cases."""

    @cache
    def first() -> Path:
        folder = Path(tempfile.mkdtemp())
        write(folder)
        return folder

    def copy(folder: Path) -> None:
        shutil.copytree(first(), folder, dirs_exist_ok=True)

    return copy


def write_models(folder: Path) -> None:
    """tiny.toml and hunt.toml."""
    for name, text in MODELS.items():
        (folder / name).write_text(text, encoding="utf-8")


def write_particles(folder: Path, tracks: np.ndarray) -> None:
    """The same in a box, as simulations write it."""
    import gsd.hoomd

    lines, xyz = [], []
    with gsd.hoomd.open(str(folder / "atoms.gsd"), "w") as file:
        for t, places in enumerate(tracks):
            lines += [f"ITEM: TIMESTEP\n{10 * t}\nITEM: NUMBER OF ATOMS\n{len(places)}"]
            lines += ["ITEM: BOX BOUNDS pp pp pp", *["0.0 100.0"] * 3]
            lines += ["ITEM: ATOMS id type x y z ix iy iz vx vy vz"]
            xyz += [f'{len(places)}\nLattice="100 0 0 0 100 0 0 0 100" pbc="T T F" Time={t} '
                    'Properties=species:S:1:pos:R:3:velo:R:3:id:I:1']  # fmt: skip
            for k, (x, y) in enumerate(places.tolist()):
                lines += [f"{k} 1 {x!r} {y!r} 0.0 0 1 0 0.5 0.25 0.0"]
                xyz += [f"H {x!r} {y!r} 0.0 0.5 0.25 0.0 {k}"]
            frame = gsd.hoomd.Frame()
            frame.configuration.step, frame.configuration.dimensions = t, 2
            frame.configuration.box = [100, 100, 1, 0, 0, 0]
            frame.particles.N = len(places)
            frame.particles.position = np.pad(places - 50, ((0, 0), (0, 1)))
            file.append(frame)
    (folder / "atoms.dump").write_text("\n".join(lines) + "\n")
    (folder / "atoms.xyz").write_text("\n".join(xyz) + "\n")
    np.savez(
        folder / "export.npz", position=tracks, velocity=tracks * 0, time=np.arange(20) * 0.5,
        step=np.arange(20), boid=np.arange(5), space_lower=np.zeros(2),
        space_size=np.full(2, 100.0), space_boundary=np.array(["periodic", "open"]),
    )  # fmt: skip


@made_once
def write_tracks(folder: Path) -> None:
    """(20, 5, 2) tracks in every format that is read."""
    import pandas
    import xarray

    random = np.random.default_rng(1)
    tracks = np.cumsum(random.normal(size=(20, 5, 2)), axis=0) + 50
    tracks[3, 1] = np.nan
    np.save(folder / "fish.npy", tracks)
    saved = {"trajectories": tracks, "frames_per_second": 25, "version": "6.0"}
    (folder / "dictionary.npy").write_bytes(b"")
    with open(folder / "dictionary.npy", "wb") as file:
        np.lib.format.write_array_header_1_0(
            file, {"descr": "|O", "fortran_order": False, "shape": ()}
        )
        pickle.dump(np.array(saved, object), file, protocol=3)
    rows = [(t, p, *tracks[t, p]) for t in range(20) for p in range(5) if (t, p) != (3, 1)]
    table = pandas.DataFrame(rows, columns=["frame", "particle", "x", "y"])
    table.to_csv(folder / "fish.csv", index=False)
    table.to_parquet(folder / "fish.parquet")
    data = xarray.Dataset(
        {"position": (("time", "space", "individual"), tracks.transpose(0, 2, 1))},
        coords={"time": np.arange(20) / 25, "space": ["x", "y"], "individual": list("abcde")},
        attrs={"fps": 25.0},
    )
    for name in ("fish.nc", "fish.h5"):
        data.to_netcdf(folder / name, engine="h5netcdf")
    write_particles(folder, np.where(np.isnan(tracks), 50.0, tracks))
    for name in set(TRACKS) & set(track_files.WRITERS):
        track_files.WRITERS[name](folder / name, tracks)
    track_files.WRITERS["trex"](folder / "trex", tracks[:, :1])
    (folder / "trex" / "video_id0.npz").rename(folder / "video_id0.npz")
    track_files_hdf5.sleap(folder / "sleap.h5", tracks[:, :, None])
    track_files_hdf5.nwb(folder / "poses.nwb", tracks[:, :, None], 25)
    track_files_hdf5.deeplabcut(folder / "deeplabcut.h5", tracks, np.arange(20))


@made_once
def write_recordings(folder: Path) -> None:
    """Four recordings: exact, rounded, of three dimensions, of the reference engine."""
    write_models(folder)
    made(folder, "run", "tiny.toml", "-o", "exact.zarr", "--threads", "1")
    made(folder, "run", "tiny.toml", "-o", "rounded.zarr", "--precision", "1e-4", "--every", "2")
    made(folder, "run", "hunt.toml", "-o", "hunt.zarr", "--engine", "reference", "--every", "2")
    made(folder, "run", "tiny.toml", "-o", "plain.zarr", "--engine", "reference", "--steps", "3")


@made_once
def write_folders(folder: Path) -> None:
    """A sweep, one in shards, and a fit."""
    write_models(folder)
    made(folder, "sweep", "tiny.toml", *SWEEP, "--engine", "reference", "-o", "done-sweep")
    for part in ("1/2", "2/2"):
        made(folder, "sweep", "tiny.toml", *SWEEP, "--engine", "reference", "-o", "cut-sweep",
             "--shard", part)  # fmt: skip
    made(folder, "fit", "tiny.toml", "tiny.toml", *FIT, "--engine", "reference", "-o", "done-fit")


def made(folder: Path, *words: str) -> None:
    """Runs a command there, which must go well."""
    import os

    os.chdir(folder)
    code = main([*words])
    assert code == 0, (code, words)


def copied(valid: Path, folder: Path, names: list[str]) -> None:
    """Copies files and folders of that name."""
    for name in names:
        if (valid / name).is_dir():
            shutil.copytree(valid / name, folder / name)
        else:
            shutil.copy(valid / name, folder / name)

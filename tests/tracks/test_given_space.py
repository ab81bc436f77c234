"""A space given by the user: nearest-image velocities, measures of a torus, errors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.cli import main as cli
from murmurate.measures import of_tracks
from murmurate.plots.tracks import drawn_crossings, save_tracks_plot

SPACE = mm.Space(size=(10.0, 8.0), origin=(-2.0, 1.0), boundary=("periodic", "open"))


def walks(space: mm.Space, frames: int = 30, animals: int = 6, seed: int = 1) -> np.ndarray:
    """Return (frames, animals, D) straight walks with speed 1 per frame, within the space."""
    random = np.random.default_rng(seed)
    directions = random.normal(size=(animals, space.dims))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    lower, size = np.array(space.lower), np.array(space.size)
    positions = (
        random.uniform(size=directions.shape) * size + np.arange(frames)[:, None, None] * directions
    )
    wrapped: np.ndarray = lower + positions % size
    return wrapped


def write_csv(path: Path, positions: np.ndarray) -> Path:
    axes = "xyz"[: positions.shape[2]]
    rows = [f"frame,id,{','.join(axes)}"]
    rows += [f"{t},{k},{','.join(map(repr, position.tolist()))}"
             for t, row in enumerate(positions) for k, position in enumerate(row)]  # fmt: skip
    path.write_text("\n".join(rows) + "\n")
    return path


@pytest.mark.parametrize("dims", [2, 3])
def test_velocities_are_to_the_nearest_image(dims: int, tmp_path: Path) -> None:
    space = mm.Space(size=(10.0, 8.0, 9.0)[:dims], boundary="periodic")
    path = write_csv(tmp_path / "t.csv", walks(space))
    sides, axes = "x".join(f"{x:g}" for x in space.size), "xyz"[:dims]
    result = mm.open_tracks(path, frames_per_second=25, space=sides, periodic=axes)
    assert mm.open_tracks(path, space=space.size, periodic=list(axes)).space == result.space
    assert result.space == mm.Space(size=space.size, boundary=("periodic",) * dims)
    np.testing.assert_allclose(np.linalg.norm(result.velocities, axis=2), 25.0, rtol=1e-9)
    assert mm.measure(result, "speed")["speed"].value == pytest.approx(25.0)
    assert "periodic along x and y" in result.attrs["space"] and not result.warnings
    plain = mm.open_tracks(path, frames_per_second=25)
    assert mm.measure(plain, "speed")["speed"].value > 26


def test_measures_are_those_of_the_torus(tmp_path: Path) -> None:
    closed = mm.Space(size=SPACE.size, origin=SPACE.origin, boundary="periodic")
    positions = walks(closed, animals=15)
    positions[..., 1] = np.cumsum(0.05 * np.sin(positions[..., 0]), axis=0) + 5.0  # stays inside
    result = mm.open_tracks(write_csv(tmp_path / "t.csv", positions), space=SPACE)
    assert result.space == SPACE
    expected = mm.measure(list(of_tracks(positions, 1.0, SPACE)))
    values = mm.measure(result)
    for name in ("polarization", "nearest_neighbour_distance", "speed", "density", "extent"):
        assert values[name].value == pytest.approx(expected[name].value)


@pytest.mark.slow
def test_the_same_tracks_anywhere_on_the_torus(tmp_path: Path) -> None:
    """A shift of the box's edges changes no measure: a search for differences across them."""
    space = mm.Space(size=(10.0, 8.0), boundary="periodic")
    expected = None
    for seed in range(3):
        positions = walks(space, animals=30)
        shift = np.random.default_rng(seed).uniform(0, 8, 2) * bool(seed)
        path = write_csv(tmp_path / f"{seed}.csv", (positions + shift) % space.size)
        tracks = mm.open_tracks(path, space="10x8", periodic="xy")
        assert not tracks.warnings
        result = mm.measure(tracks)
        values = {row.name: row.value for row in result.rows if isinstance(row.value, float)}
        steps = np.sort(tracks.steps.ravel())
        expected = expected or (values, steps)
        np.testing.assert_allclose(steps, expected[1], atol=1e-9)
        assert values.keys() == expected[0].keys()
        for name, value in values.items():
            assert value == pytest.approx(expected[0][name], rel=1e-6, abs=1e-7, nan_ok=True), name


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"space": "10x8", "periodic": "xy"},
         r"t.csv: space: got x = 10.5 in frame 3, 1; expected 0 to 10.*--origin"),
        ({"space": "20x5"}, r"space: got y = 6.* in frame 0, 0; expected 0 to 5"),
        ({"periodic": "xy"}, r"periodic: got xy for a file without a box.*--space 100x100"),
        ({"space": "10x8x5"}, r"space: got 10x8x5 for 2-D positions; expected 2 sides"),
        ({"space": "10x8", "periodic": "xz"}, r"periodic: got xz for 2 axes"),
        ({"space": "10x8", "periodic": "w"}, r"periodic: got 'w'; expected names of axes"),
        ({"space": "10x8", "periodic": "xx"}, r"periodic: got 'xx'"),
        ({"space": "ten"}, r"space: got 'ten'; expected two or three numbers, such as 100x100"),
        ({"space": "10x0"}, r"space: got 10x0; expected lengths above 0"),
        ({"space": "10xnan"}, r"space: got '10xnan'"),
        ({"space": SPACE, "periodic": "x"}, r"space: got a Space and also"),
    ],
)  # fmt: skip
def test_a_wrong_space_is_refused(options: dict[str, Any], message: str, tmp_path: Path) -> None:
    positions = np.full((5, 2, 2), 6.0)
    positions[3, 1, 0] = 10.5
    path = write_csv(tmp_path / "t.csv", positions)
    with pytest.raises(mm.TracksError, match=message):
        mm.open_tracks(path, **options)


def test_steps_near_half_a_side_are_warned_of(tmp_path: Path) -> None:
    positions = np.cumsum(np.full((30, 3, 2), 4.7), axis=0) % 10
    path = write_csv(tmp_path / "t.csv", positions)
    (warning,) = mm.open_tracks(path, space="10x10", periodic="xy").warnings
    assert "up to 4.7, and half the periodic side is 5" in warning


def test_resampling_goes_across_the_edge(tmp_path: Path) -> None:
    """Interpolation goes to the nearest image, not through the box."""
    times = np.array([0.0, 1.1, 1.9, 3.2, 4.0, 5.05, 6.0])
    rows = [f"{t},a,{(8 + t) % 10},{1.0}" for t in times]
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["time_s,id,x,y", *rows]) + "\n")
    result = mm.open_tracks(path, table=mm.TableFormat(resample=0.5), space="10x2", periodic="x")
    np.testing.assert_allclose(result.positions[:, 0, 0], (8 + 0.5 * np.arange(13)) % 10, atol=1e-9)
    np.testing.assert_allclose(result.velocities[:, 0, 0], 1.0)
    with pytest.raises(mm.TracksError, match=r"space: got \(8, 1\) in line 2"):
        mm.open_tracks(path, table=mm.TableFormat(resample=0.5), space="5x2", periodic="x")


@pytest.mark.parametrize("command", [
    ["info"], ["measure", "speed"], pytest.param(["fit"], marks=pytest.mark.slow),
])  # fmt: skip
def test_every_command_that_reads_tracks_accepts_a_space(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    space = mm.Space(size=(10.0, 8.0), origin=(-5.0, 1.0), boundary="periodic")
    path = str(write_csv(tmp_path / "t.csv", walks(space)))
    options = ["--space", "10x8", "--origin", "-5,1", "--periodic", "xy", "--fps", "2"]
    name, *rest = command
    if name == "fit":
        arguments = ["ucl", path, "--measures", "speed", "--vary", "rules.alignment.weight=0:1",
                 "--runs", "8", "--seeds", "1", "--steps", "4", "--warm-up", "2", "--every",
                 "1", "--boids", "4", "--set", "dt=0.5", "-o",
                 str(tmp_path / "fit"), "--json", "--quiet"]  # fmt: skip
    else:
        arguments = [path, *rest, "--json"]
    assert cli([name, *arguments, "--space", "5x8", "--periodic", "xy"]) == 2
    assert "expected 0 to 5" in capsys.readouterr().err
    for words in (["--origin", "1,2"], ["--space", "10x8", "--origin", "1,2,3"]):
        assert cli([name, *arguments, *words]) == 2
        assert "expected the lower corner of a space" in capsys.readouterr().err
    assert cli([name, *arguments, *options]) == 0
    result = json.loads(capsys.readouterr().out)
    if name == "info":
        assert result["space"]["boundary"] == ["periodic", "periodic"]
        assert result["median_step"] == pytest.approx(1.0)
    elif name == "measure":
        assert result["measures"]["speed"]["value"] == pytest.approx(2.0)
    else:
        assert result["measures"]["speed"]["theirs"] == pytest.approx(2.0)


def test_no_line_is_drawn_across_the_box(tmp_path: Path) -> None:
    """The line of an animal that crosses the edge ends, and continues on the other side."""
    positions = walks(mm.Space(size=(10.0, 8.0), boundary="periodic"))
    path = write_csv(tmp_path / "t.csv", positions)
    tracks = mm.open_tracks(path, space="10x8", periodic="xy")
    jumps = np.abs(np.diff(positions, axis=0)).max(axis=2) > 2
    assert jumps.sum() > 5 and (drawn_crossings(tracks, 1) == jumps).all()
    assert not drawn_crossings(mm.open_tracks(path), 1).any()
    assert save_tracks_plot(tracks, tmp_path / "t.png").stat().st_size > 1000

"""Dumps of LAMMPS, extended XYZ and GSD: boxes, ids, velocities, images, errors."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import ase.io
import ase.io.lammpsrun
import gsd.hoomd
import numpy as np
import pytest

import murmurate as mm
from murmurate.measures import mean_squared_displacement

LOWER, SIZE = np.array([-2.0, 1.0, 3.0]), np.array([8.0, 6.0, 5.0])
FLAGS = "pp pp ff"


def walk(frames: int = 12, count: int = 5, seed: int = 1, step: float = 0.4) -> np.ndarray:
    """Return (T, N, 3) unwrapped walks, within the box along z."""
    random = np.random.default_rng(seed)
    x = LOWER + random.uniform(0, 1, (count, 3)) * SIZE
    moves = random.normal(size=(frames, count, 3)) * step
    moves[0] = moves[..., 2] = 0
    result: np.ndarray = x + np.cumsum(moves, axis=0)
    return result


def inside(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return positions in the box, and images, as LAMMPS writes them."""
    images = np.floor((x - LOWER) / SIZE).astype(int) * [1, 1, 0]
    return x - images * SIZE, images


def dump(
    path: Path, x: np.ndarray, form: str = "x", images: bool = False, velocities: bool = False,
    flags: str = FLAGS, times: bool = False, units: str = "", step: int = 100,
    crossings: Callable[[int, int], bool] = lambda t, k: False, dims: int = 3,
) -> Path:  # fmt: skip
    """Return a text dump, with atoms in any order."""
    random = np.random.default_rng(0)
    wrapped, rounds = inside(x)
    values = x if "u" in form else wrapped
    if "s" in form:
        values = (values - LOWER) / SIZE
    axes = "xyz"[:dims]
    names = ["type", "id", *(form.replace("x", axis) for axis in axes)]
    names += [f"i{axis}" for axis in axes if images] + [f"v{axis}" for axis in axes if velocities]
    lines = []
    for t in range(len(x)):
        kept = [k for k in random.permutation(x.shape[1]) if not crossings(t, k)]
        lines += [f"ITEM: UNITS\n{units}"] if units and not t else []
        lines += [f"ITEM: TIME\n{t * 0.5}"] if times else []
        lines += [f"ITEM: TIMESTEP\n{t * step}", f"ITEM: NUMBER OF ATOMS\n{len(kept)}"]
        lines += [f"ITEM: BOX BOUNDS {flags}".rstrip()]
        lines += [f"{a!r} {b!r}" for a, b in zip(LOWER.tolist(), (LOWER + SIZE).tolist(),
                                                 strict=True)]  # fmt: skip
        lines += [f"ITEM: ATOMS {' '.join(names)}"]
        for k in kept:
            row = [1, 10 * k + 3, *map(repr, values[t, k, :dims].tolist())]
            row += rounds[t, k, :dims].tolist() if images else []
            row += [7.0, k, t][:dims] if velocities else []
            lines.append(" ".join(map(str, row)))
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.mark.parametrize("form", ["x", "xs", "xu", "xsu"])
@pytest.mark.parametrize("dims", [2, 3])
@pytest.mark.parametrize("ending", [".dump", ".lammpstrj"])
def test_a_dump_in_every_form(form: str, dims: int, ending: str, tmp_path: Path) -> None:
    x = walk()
    flags = FLAGS if dims == 3 else "pp pp pp"
    result = mm.open_tracks(dump(tmp_path / f"t{ending}", x, form, flags=flags, dims=dims))
    assert result.source == "LAMMPS's dump" and result.names == ["3", "13", "23", "33", "43"]
    assert result.space == mm.Space(size=tuple(SIZE[:dims].tolist()),
                                   origin=tuple(LOWER[:dims].tolist()),
                                   boundary=("periodic", "periodic", "open")[:dims])  # fmt: skip
    np.testing.assert_allclose(result.positions, inside(x)[0][..., :dims], atol=1e-12)
    np.testing.assert_allclose(result.steps, np.diff(x, axis=0)[..., :dims], atol=1e-9)
    assert not result.timed and result.rate == 1 and result.attrs["steps"] == "0 to 1100, every 100"
    assert "--fps" in result.summary


def test_positions_are_those_that_ase_reads(tmp_path: Path) -> None:
    path = dump(tmp_path / "t.dump", walk())
    with path.open() as file:
        theirs = ase.io.lammpsrun.read_lammps_dump_text(file, index=":")
    ours = mm.open_tracks(path)
    for k, atoms in enumerate(theirs):
        np.testing.assert_allclose(ours.positions[k], atoms.positions)
        assert list(atoms.pbc) == list(ours.space.periodic)
        assert atoms.cell.lengths() == pytest.approx(ours.space.size)


@pytest.mark.parametrize("how", [{"form": "xu"}, {"form": "xsu"}, {"images": True},
                                 {"form": "xs", "images": True}])  # fmt: skip
def test_counted_images_give_displacements_of_any_length(
    how: dict[str, Any], tmp_path: Path
) -> None:
    """Steps longer than the box, which wrapped positions do not show."""
    x = walk(step=9.0)
    result = mm.open_tracks(dump(tmp_path / "t.dump", x, **how))
    np.testing.assert_allclose(result.steps, np.diff(x, axis=0), atol=1e-9)
    endless = mean_squared_displacement(list(mm.Tracks(x)))
    assert mean_squared_displacement(list(result)).y == pytest.approx(endless.y)
    with pytest.raises(mm.MeasureError, match="displacements on the torus"):
        mean_squared_displacement(list(mm.open_tracks(dump(tmp_path / "u.dump", x))))


def test_times_and_velocities_of_a_dump(tmp_path: Path) -> None:
    """Velocities need times, from the file or by --fps; else they are left out."""
    x = walk()
    plain = mm.open_tracks(dump(tmp_path / "t.dump", x, velocities=True))
    assert plain.recorded_velocities is None and not plain.timed
    assert "velocities of the file are left out" in plain.notes[0] and "--fps" in plain.notes[0]
    user_tracks = mm.open_tracks(tmp_path / "t.dump", frames_per_second=4)
    assert user_tracks.rate == 4 and user_tracks.velocities[5, 2].tolist() == [7, 2, 5]
    timed = mm.open_tracks(dump(tmp_path / "u.dump", x, velocities=True, times=True, units="metal"))
    assert timed.rate == 2 and timed.timed and timed.unit == "Å"
    assert timed.velocities[5, 2].tolist() == [7, 2, 5] and "ps" in timed.attrs["time"]
    assert mm.open_tracks(tmp_path / "u.dump", frames_per_second=4).velocities[5, 2].tolist() == [
        14,
        4,
        10,
    ]


def test_vanishing_ids_are_gaps(tmp_path: Path) -> None:
    x = walk()
    path = dump(tmp_path / "t.dump", x, crossings=lambda t, k: (k == 2 and 3 <= t < 6) or k == t)
    result = mm.open_tracks(path)
    gaps = np.isnan(result.positions).all(axis=2)
    expected = [[(k == 2 and 3 <= t < 6) or k == t for k in range(5)] for t in range(12)]
    assert gaps.tolist() == expected
    np.testing.assert_allclose(result.positions[~gaps], inside(x)[0][~gaps])


def test_a_missing_frame_is_a_gap(tmp_path: Path) -> None:
    text = dump(tmp_path / "t.dump", walk(), times=True).read_text().split("ITEM: TIME\n")
    (tmp_path / "t.dump").write_text("ITEM: TIME\n".join(text[:4] + text[5:]))
    result = mm.open_tracks(tmp_path / "t.dump")
    assert len(result) == 12 and result.rate == 2 and np.isnan(result.positions[3]).all()


def test_a_flat_dump(tmp_path: Path) -> None:
    x = walk()
    x[..., 2] = 4.0
    result = mm.open_tracks(dump(tmp_path / "t.dump", x, flags="pp pp pp"))
    assert result.space.dims == 2 and result.notes == ("z is 4 everywhere and is left out",)


def tilted(text: str) -> str:
    return text.replace("BOX BOUNDS pp pp ff", "BOX BOUNDS xy xz yz pp pp pp").replace(
        "-2.0 6.0", "-2.0 6.0 0.5"
    )


DAMAGES: dict[str, tuple[Callable[[str], str], str]] = {
    "triclinic": (tilted, r"step 0: got a triclinic box; expected a rectangular one"),
    "abc": (lambda s: s.replace("BOUNDS pp", "BOUNDS abc origin pp"), "triclinic"),
    "no id": (lambda s: s.replace("ATOMS type id", "ATOMS type nr"), "expected id too"),
    "no x": (lambda s: s.replace("id x y", "id a b"), r"expected x and y \(or xs"),
    "cut": (lambda s: s[:-30].rpartition("\n")[0], r"atoms; expected 5, the stated number"),
    "fewer": (lambda s: s.replace("ATOMS\n5", "ATOMS\n6", 1), "got 5 atoms; expected 6"),
    "word": (lambda s: s.replace("1 13 ", "1 13 nowhere", 1), r"step 0: got .*expected numbers"),
    "box": (lambda s: s.replace("-2.0 6.0", "-2.0 5.0", 1), r"expected constant periodic sides"),
    "no box": (lambda s: s.replace("-2.0 6.0", "6.0 6.0"), r"expected lengths above 0"),
    "flags": (lambda s: s.replace("pp pp ff", "pp ff ff", 1), "other periodic axes"),
    "twice": (lambda s: s.replace("1 13 ", "1 3 "), "step 0: got particle 3 twice"),
    "again": (lambda s: s + s, "got step 0 after step 1100; expected increasing steps"),
    "text": (lambda s: "hello\n" + s, r"got 'hello'; expected a line ITEM"),
    "item": (lambda s: s.replace("TIMESTEP", "TIME STEP"), r"got ITEM: TIME STEP; expected"),
    "inf": (lambda s: s.replace("TIMESTEP\n0", "TIMESTEP\ninf"), "expected a number"),
    "empty": (lambda s: "", "got no frames"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_damaged_dumps(name: str, tmp_path: Path) -> None:
    damage, message = DAMAGES[name]
    path = dump(tmp_path / "t.dump", walk())
    path.write_text(damage(path.read_text()))
    with pytest.raises(mm.TracksError, match=message):
        mm.open_tracks(path)


def test_a_dump_cut_anywhere_is_refused_or_shorter(tmp_path: Path) -> None:
    """A search: no cut gives a traceback, or other numbers than the complete file."""
    path = dump(tmp_path / "t.dump", walk(4), velocities=True)
    text, complete = path.read_text(), mm.open_tracks(path)
    for end in range(0, len(text) - 40, 37):
        path.write_text(text[:end])
        try:
            result = mm.open_tracks(path)
        except mm.TracksError as error:
            assert str(path) in str(error)
        else:
            assert len(result) < 4
            np.testing.assert_array_equal(result.positions, complete.positions[: len(result)])


def test_a_box_without_boundaries_is_refused(tmp_path: Path) -> None:
    path = dump(tmp_path / "t.dump", walk(), flags="")
    with pytest.raises(mm.TracksError, match=r"without its periodic axes|no periodic axes"):
        mm.open_tracks(path)
    assert mm.open_tracks(path, periodic="xy").space.periodic == (True, True, False)
    assert not any(mm.open_tracks(path, periodic="none").space.periodic)


# --- extended XYZ


def test_an_xyz_by_ase(tmp_path: Path) -> None:
    x = walk()
    frames = []
    for positions in x:
        atoms = ase.Atoms("HeNeArKrXe", positions, cell=np.diag(SIZE), pbc=[True, True, False])
        atoms.arrays["velo"] = np.full((5, 3), 2.0)
        frames.append(atoms)
    for ending in (".xyz", ".extxyz"):
        ase.io.write(tmp_path / f"t{ending}", frames, format="extxyz")
        result = mm.open_tracks(tmp_path / f"t{ending}", frames_per_second=10)
        assert result.source == "extended XYZ" and result.space.periodic == (True, True, False)
        assert result.space.lower == (0, 0, 0) and result.space.size == tuple(SIZE)
        np.testing.assert_allclose(result.steps, np.diff(x, axis=0), atol=1e-6)
        assert (result.velocities == 2).all()
    plain = mm.open_tracks(tmp_path / "t.xyz")
    assert not plain.timed and plain.recorded_velocities is None and plain.notes


XYZ = '2\nLattice="9 0 0 0 9 0 0 0 9"{} Properties=species:S:1:pos:R:3\nH 1 2 3\nH 4 5 6\n'


def test_an_xyz_without_pbc_is_periodic_and_without_lattice_open(tmp_path: Path) -> None:
    path = tmp_path / "t.xyz"
    path.write_text(XYZ.format("") * 2)
    result = mm.open_tracks(path)
    assert result.space.periodic == (True,) * 3 and "the default of the format" in result.notes[0]
    path.write_text(XYZ.replace('Lattice="9 0 0 0 9 0 0 0 9"', "").format("") * 2)
    assert not any(mm.open_tracks(path).space.periodic)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (XYZ.replace("9 0 0 0 9", "9 1 0 0 9").format(""), "frame 0: got a triclinic box"),
        (XYZ.format(' Origin="1 2"'), r"frame 0: got an Origin of shape \(2,\)"),
        (XYZ.format("") + XYZ.replace("9 0 0 0 9", "8 0 0 0 9").format(""), "frame 1: got a box"),
        (XYZ.format("")[:-8], "cannot be read"),
        ("", "cannot be read|got no frames"),
        (XYZ.format("").replace("H 4", "Bird 4"), "cannot be read"),
    ],
)
def test_wrong_xyz(text: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "t.xyz").write_text(text)
    with pytest.raises(mm.TracksError, match=message):
        mm.open_tracks(tmp_path / "t.xyz")


# --- GSD


def write_gsd(path: Path, x: np.ndarray, change: Callable[[Any, int], None] | None = None) -> Path:
    """Write frames of HOOMD-blue, with the origin at the centre of the box."""
    wrapped, images = inside(x)
    with gsd.hoomd.open(str(path), "w") as file:
        for k in range(len(x)):
            frame = gsd.hoomd.Frame()
            frame.configuration.step = 50 * k
            frame.configuration.box = [*SIZE, 0, 0, 0]
            frame.particles.N = x.shape[1]
            frame.particles.position = wrapped[k] - LOWER - SIZE / 2
            frame.particles.image = images[k]
            if change is not None:
                change(frame, k)
            file.append(frame)
    return path


def test_a_gsd_of_hoomd(tmp_path: Path) -> None:
    x = walk(step=9.0)
    result = mm.open_tracks(write_gsd(tmp_path / "t.gsd", x))
    assert result.source == "GSD" and result.space.periodic == (True,) * 3
    assert result.space.lower == tuple(-SIZE / 2) and not result.timed
    np.testing.assert_allclose(result.steps, np.diff(x, axis=0), atol=1e-4)
    assert result.recorded_velocities is None and result.attrs["steps"] == "0 to 550, every 50"

    def fast(frame: Any, k: int) -> None:
        frame.particles.velocity = np.full((5, 3), 2.0)
        frame.particles.image = np.zeros((5, 3))

    path = write_gsd(tmp_path / "v.gsd", walk(), fast)
    assert (mm.open_tracks(path, frames_per_second=5).velocities == 2).all()
    assert mm.open_tracks(path).images is None  # nobody counted


def tilt(frame: Any, k: int) -> None:
    frame.configuration.box = [*SIZE, 0.1, 0, 0]


def lose(frame: Any, k: int) -> None:
    if k == 3:
        frame.particles.N = 4
        frame.particles.position, frame.particles.image = np.zeros((4, 3)), np.zeros((4, 3))


def shrink(frame: Any, k: int) -> None:
    frame.configuration.box = [*(SIZE * (1 - 0.01 * k)), 0, 0, 0]


@pytest.mark.parametrize(
    ("change", "message"),
    [(tilt, "triclinic"), (lose, "frame 3: got 4 particles"), (shrink, "frame 1: got a box")],
)
def test_wrong_gsd(change: Any, message: str, tmp_path: Path) -> None:
    path = write_gsd(tmp_path / "t.gsd", walk(), change)
    with pytest.raises(mm.TracksError, match=message):
        mm.open_tracks(path)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(mm.TracksError, match=r"t\.gsd"):
        mm.open_tracks(path)


# --- murmurate's own


@pytest.mark.parametrize("model", ["torus_3d", "two_flocks", "mixed_3d", "fast_2d"])
@pytest.mark.parametrize("suffix", [".xyz", ".gsd"])
def test_exports_are_read_back(
    model: str, suffix: str, recordings: Any, tmp_path: Path
) -> None:  # fmt: skip
    """GSD stores float32, relative to the centre."""
    rec = recordings[model]
    tracks = mm.open_tracks(mm.export(rec, tmp_path / f"f{suffix}").path)
    assert tracks.space.periodic == rec.scene.space.periodic
    assert tracks.space.lower == rec.scene.space.lower
    for frame, expected in zip(tracks, rec, strict=True):
        for flock, want in zip(frame.values(), expected.values(), strict=True):
            assert flock.name == want.name
            if suffix == ".xyz":
                np.testing.assert_array_equal(flock.positions, want.positions)
                np.testing.assert_array_equal(flock.velocities, want.velocities)
            np.testing.assert_allclose(flock.positions, want.positions, atol=2e-6)
            np.testing.assert_allclose(flock.velocities, want.velocities, atol=2e-6)
    assert tracks.space.size == pytest.approx(rec.scene.space.size)
    assert np.diff([frame.time for frame in tracks]) == pytest.approx(rec.every * rec.header["dt"])


def test_a_gsd_of_an_older_export_needs_a_space(
    recordings: Any, tmp_path: Path
) -> None:  # fmt: skip
    path = mm.export(recordings["two_flocks"], tmp_path / "f.gsd").path
    with gsd.hoomd.open(str(path)) as file:
        frames = list(file)
    with gsd.hoomd.open(str(tmp_path / "old.gsd"), "w") as file:
        for frame in frames:
            for name in ("lower", "size", "periodic"):
                frame.log.pop(name, None)
            file.append(frame)
    with pytest.raises(mm.TracksError, match=r"without its periodic axes|no periodic axes"):
        mm.open_tracks(tmp_path / "old.gsd")
    result = mm.open_tracks(tmp_path / "old.gsd", space="10x7", periodic="x")
    assert result.space.periodic == (True, False) and list(result.flocks) == ["boids", "hawks"]

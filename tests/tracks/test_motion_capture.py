"""Motive, Vicon Nexus, TRC and C3D: files in the layouts of their documentation, and cut ones."""

from __future__ import annotations

import struct
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from cut_files import check_cuts, check_damages

import murmurate as mm

FRAMES, RATE = 8, 100
T = np.arange(FRAMES)[:, None]
POINTS = np.stack([3 * T + [10, 14], 4 * T + [20, 20], 0.5 * T + [100, 104]], axis=2).astype(float)
POINTS[2, 1] = np.nan
NAMES = ("bird1:LFHD", "bird2:LFHD")


def cells(values: Sequence[float]) -> list[str]:
    return ["" if np.isnan(x) else f"{x:g}" for x in values]


def nexus(names: Sequence[str], points: np.ndarray, delimiter: str = ",") -> str:
    """Trajectories as Nexus 2 exports them: rate, names, axes, units, frames from 1."""
    rows = [["", ""] + [c for name in names for c in (name, "", "")],
            ["Frame", "Sub Frame", *"XYZ" * len(names)],
            ["", "", *["mm"] * 3 * len(names)]]  # fmt: skip
    rows += [[str(k + 1), "0", *cells(p.ravel())] for k, p in enumerate(points)]
    return "Trajectories\n100\n" + "".join(delimiter.join(row) + "\n" for row in rows)


def trc(names: Sequence[str], points: np.ndarray, count: int | None = None) -> str:
    """A TRC as in OpenSim's documentation, with its blank line and tabs."""
    keys = "DataRate CameraRate NumFrames NumMarkers Units OrigDataRate OrigDataStartFrame"
    says = [RATE, RATE, count or len(points), len(names), "mm", RATE, 1, len(points)]
    axes = [f"{axis}{k + 1}" for k in range(len(names)) for axis in "XYZ"]
    rows = [["PathFileType", "4", "(X/Y/Z)", "a.trc"], [*keys.split(), "OrigNumFrames"],
            [str(x) for x in says], ["Frame#", "Time", *(c for n in names for c in (n, "", ""))],
            ["", "", *axes], [""]]  # fmt: skip
    rows += [[str(k + 1), f"{k / RATE:.3f}", *cells(p.ravel())] for k, p in enumerate(points)]
    return "".join("\t".join(row) + "\n" for row in rows)


def motive(parts: Sequence[tuple[str, str, str, np.ndarray]], space: str = "Global") -> str:
    """Motive's CSV 1.23: pairs, a blank line, kinds, names, IDs, components, axes.

    parts  (kind, name, component, values (T, axes))
    """
    pairs = ["Format Version", "1.23", "Take Name", "a", "Capture Frame Rate", "120.000000",
             "Export Frame Rate", "100.000000", "Total Exported Frames", str(len(parts[0][3])),
             "Rotation Type", "Quaternion", "Length Units", "Centimeters", "Coordinate Space",
             space]  # fmt: skip
    axes = {3: "XYZ", 4: "XYZW", 1: [""]}
    rows = [["", word] for word in ("Type", "Name", "ID", "")] + [["Frame", "Time (Seconds)"]]
    for k, (kind, name, component, values) in enumerate(parts):
        count = values.shape[1]
        for row, word in zip(rows, (kind, name, str(k), component), strict=False):
            row += [word] * count
        rows[-1] += axes[count]
    rows += [[str(k), f"{k / RATE:.6f}", *cells(np.concatenate([part[3][k] for part in parts]))]
             for k in range(len(parts[0][3]))]  # fmt: skip
    return ",".join(pairs) + "\n\n" + "".join(",".join(row) + "\n" for row in rows)


def rigid_bodies() -> list[tuple[str, str, str, np.ndarray]]:
    parts = []
    for k in (0, 1):
        turn = np.full((FRAMES, 4), 0.5)
        parts += [("Rigid Body", f"CF{k}", "Rotation", turn),
                  ("Rigid Body", f"CF{k}", "Position", POINTS[:, k]),
                  ("Rigid Body", f"CF{k}", "Mean Marker Error", turn[:, :1]),
                  ("Rigid Body Marker", f"CF{k}:A", "Position", POINTS[:, k] + 1)]  # fmt: skip
    return [*parts, ("Marker", "CF0:Marker1", "Position", POINTS[:, 0] + 2),
            ("Marker", "Unlabeled 7", "Position", POINTS[:, 0] + 3)]  # fmt: skip


def c3d(
    labels: Sequence[str], points: np.ndarray, first: int = 1, up: str = "+Z", scale: float = -1.0,
    angles: Sequence[str] = (), order: str = "<", high: int = 0,
) -> bytes:  # fmt: skip
    """A C3D by the manual at c3d.org: header, parameters of POINT and TRIAL, frames."""

    def texts(words: Sequence[str]) -> tuple[int, list[int], bytes]:
        width = max(map(len, words), default=0)
        return -1, [width, len(words)], "".join(word.ljust(width) for word in words).encode()

    count = len(points)
    number = {k: struct.pack(order + k, v) for k, v in (("h", len(labels)), ("f", scale))}
    parameters = {
        "USED": (2, [], number["h"]), "SCALE": (4, [], number["f"]),
        "RATE": (4, [], struct.pack(order + "f", RATE)),
        "FRAMES": (2, [], struct.pack(order + "H", count)), "LABELS": texts(labels),
        "UNITS": texts(["mm"]), "X_SCREEN": texts(["+X"]), "Y_SCREEN": texts([up]),
        "ANGLES": texts(angles),
    }  # fmt: skip
    fields = {f"ACTUAL_{name}_FIELD": (2, [2], struct.pack(order + "HH", low, high))
              for name, low in (("START", first), ("END", first + count - 1))}  # fmt: skip
    body = b""
    for number_of, (group, of_group) in enumerate((("POINT", parameters), ("TRIAL", fields)), 1):
        body += struct.pack("bb", 5, -number_of) + group.encode()
        body += struct.pack(order + "h", 3) + b"\0"
        for name, (size, dims, data) in of_group.items():
            rest = bytes([size % 256, len(dims), *dims]) + data + b"\0"
            body += struct.pack("bb", len(name), number_of) + name.encode()
            body += struct.pack(order + "h", len(rest) + 2) + rest
    body += b"\0\0"
    blocks = -(-(len(body) + 4) // 512)
    head = struct.pack(order + "BBHHHHHfHHf", 2, 80, len(labels), 0, first, first + count - 1, 10,
                       scale, 2 + blocks, 0, RATE)  # fmt: skip
    data = b""
    for frame in points:
        for point in frame:
            missing = bool(np.isnan(point).any())
            values = points[0, 0] if missing else point  # only the residual says it
            values = values / (1 if scale < 0 else scale)
            if scale < 0:
                data += struct.pack(order + "4f", *values, -1.0 if missing else 0.0)
            else:
                data += struct.pack(order + "4h", *map(round, values), -1 if missing else 0)
    start = head.ljust(512, b"\0")
    start += (bytes([1, 80, blocks, 86 if order == ">" else 84]) + body).ljust(512 * blocks, b"\0")
    return start + data


def read(path: Path, data: str | bytes, **options: object) -> mm.Tracks:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    names = {"skip_bad", "up", "variable", "columns"}
    table = mm.TableFormat(**{k: v for k, v in options.items() if k in names})  # type: ignore[arg-type]
    rest = {k: v for k, v in options.items() if k not in names}
    return mm.open_tracks(path, table=table, **rest)  # type: ignore[arg-type]


WRITTEN: dict[str, tuple[str, str | bytes]] = {
    "nexus.csv": ("Vicon Nexus's table", nexus(NAMES, POINTS)),
    "nexus.txt": ("Vicon Nexus's table", nexus(NAMES, POINTS, "\t")),
    "a.trc": ("TRC", trc(NAMES, POINTS)),
    "b.tsv": ("TRC", trc(NAMES, POINTS)),
    "a.c3d": ("C3D", c3d(NAMES, POINTS)),
    "big-endian.c3d": ("C3D", c3d(NAMES, POINTS, order=">")),
    "start-numbers.c3d": ("C3D", c3d(NAMES, POINTS, scale=0.5)),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_positions_rate_unit_and_gaps(name: str, tmp_path: Path) -> None:
    source, data = WRITTEN[name]
    tracks = read(tmp_path / name, data)
    assert (tracks.source, tracks.rate, tracks.unit) == (source, RATE, "mm")
    assert tracks.names == ["bird1", "bird2"] and tracks.start == 1
    np.testing.assert_allclose(tracks.positions, POINTS)
    is_said = name.endswith("c3d")  # by its Y_SCREEN
    assert any("z is assumed (--up)" in note for note in tracks.notes) is not is_said


def test_motive(tmp_path: Path) -> None:
    """Rigid bodies are the animals; y, which points up by default, becomes z."""
    tracks = read(tmp_path / "a.csv", motive(rigid_bodies()))
    turned = POINTS[:, :, [0, 2, 1]] * [1, -1, 1]
    assert (tracks.source, tracks.rate, tracks.unit) == ("Motive's table", RATE, "cm")
    assert tracks.names == ["CF0", "CF1"] and tracks.start == 0
    np.testing.assert_allclose(tracks.positions, turned)
    assert tracks.notes[0] == ("positions are those of Rigid Body, and not Rigid Body Marker, "
                               "Marker (--variable 'Rigid Body Marker')")  # fmt: skip
    kept = read(tmp_path / "a.csv", motive(rigid_bodies()), up="z")
    np.testing.assert_allclose(kept.positions, POINTS)
    markers = read(tmp_path / "a.csv", motive(rigid_bodies()), up="z", variable="Marker")
    np.testing.assert_allclose(markers.positions, POINTS[:, :1] + 2)
    assert "1 unlabelled points are left out" in markers.notes
    with pytest.raises(mm.TracksError, match="got Bone; expected one of Rigid Body, Rigid Body M"):
        read(tmp_path / "a.csv", motive(rigid_bodies()), variable="Bone")
    with pytest.raises(mm.TracksError, match="coordinate space Local; expected Global"):
        read(tmp_path / "a.csv", motive(rigid_bodies(), "Local"))
    with pytest.raises(mm.TracksError, match="columns: got a value for Motive's table"):
        read(tmp_path / "a.csv", motive(rigid_bodies()), columns="x=3,y=4")


def test_the_axis_that_points_up(tmp_path: Path) -> None:
    """Turned by a rotation: distances and handedness are kept."""
    for name, data, options in (
        ("a.c3d", c3d(NAMES, POINTS, up="+Y"), {}), ("b.trc", trc(NAMES, POINTS), {"up": "y"}),
    ):  # fmt: skip
        tracks = read(tmp_path / name, data, **options)
        np.testing.assert_allclose(tracks.positions[..., 2], POINTS[..., 1])
        np.testing.assert_allclose(tracks.positions[..., 0], POINTS[..., 0])
        np.testing.assert_allclose(tracks.positions[..., 1], -POINTS[..., 2])
    upright = read(tmp_path / "b.trc", trc(NAMES, POINTS), up="x")
    np.testing.assert_allclose(upright.positions, POINTS[..., [1, 2, 0]])
    with pytest.raises(mm.TracksError, match="up: got w; expected x, y or z"):
        read(tmp_path / "b.trc", trc(NAMES, POINTS), up="w")


@pytest.mark.parametrize("write", [nexus, trc, c3d])
def test_several_markers_of_a_subject(write: Callable[..., str], tmp_path: Path) -> None:
    """Their mean, one of them, or each; names that occur twice stay two points."""
    path = tmp_path / {nexus: "a.csv", trc: "a.trc", c3d: "a.c3d"}[write]
    points = np.concatenate([POINTS, POINTS + 6], axis=1)[:, [0, 2, 1, 3]]
    names = ["a:head", "a:tail", "b:head", "b:tail"]
    mean = read(path, write(names, points))
    assert mean.names == ["a", "b"] and any("mean of its 2 body parts" in n for n in mean.notes)
    np.testing.assert_allclose(mean.positions[0], POINTS[0] + 3)
    tail = read(path, write(names, points), part="tail")
    np.testing.assert_allclose(tail.positions, POINTS + 6)
    each = read(path, write(names, points), part="each")
    assert each.names == names
    np.testing.assert_allclose(each.positions, points)
    with pytest.raises(mm.TracksError, match="got 'nose'; expected one of head, tail, or mean"):
        read(path, write(names, points), part="nose")
    twice = read(path, write(["m", "m"], POINTS))
    assert twice.names == ["m (0)", "m (1)"]
    np.testing.assert_allclose(twice.positions, POINTS)


def test_unlabelled_points_and_other_quantities(tmp_path: Path) -> None:
    points = np.concatenate([POINTS, POINTS], axis=1)
    tracks = read(tmp_path / "a.c3d", c3d(["a", "*12", "b", "Knee"], points, angles=["Knee"]))
    assert tracks.names == ["a", "b"]
    assert {"1 points are not positions, and are left out", "1 unlabelled points are left out"} <= {
        *tracks.notes
    }
    loose = read(tmp_path / "a.csv", nexus(["*1936", "*1937"], POINTS))
    np.testing.assert_allclose(loose.positions, POINTS)


def test_sections_of_nexus(tmp_path: Path) -> None:
    """Only Trajectories are read, before or after others; without them, the others are named."""
    other = "Devices\n1000\n,,Plate,,\nFrame,Sub Frame,Fx,Fy,Fz\n,,N,N,N\n1,0,1,2,3\n1,1,1,2,3\n"
    for text in (f"{other}\n{nexus(NAMES, POINTS)}", f"{nexus(NAMES, POINTS)}\n{other}"):
        tracks = read(tmp_path / "a.csv", text)
        np.testing.assert_allclose(tracks.positions, POINTS)
        assert tracks.rate == 100
    assert tracks.notes[0] == "the sections Devices are left out"
    with pytest.raises(mm.TracksError, match="sections Devices; expected Trajectories"):
        read(tmp_path / "a.csv", other)


def test_frames_of_c3d_beyond_16_bits(tmp_path: Path) -> None:
    """The first field is two words; c3d 0.6 itself multiplies the upper one by 65535."""
    tracks = read(tmp_path / "a.c3d", c3d(NAMES, POINTS, first=5, high=2))
    assert tracks.start == 5 + 2 * 65536 and len(tracks) == FRAMES


def test_fewer_frames_than_the_header_states(tmp_path: Path) -> None:
    tracks = read(tmp_path / "a.trc", trc(NAMES, POINTS, count=20))
    assert any("8 frames, but its header states 20" in note for note in tracks.notes)
    with pytest.raises(mm.TracksError, match="got 2 points in 7 frames; expected 8 frames"):
        read(tmp_path / "a.c3d", c3d(NAMES, POINTS)[:-1])


FILES = {**{name: data for name, (_, data) in WRITTEN.items()}, "m.csv": motive(rigid_bodies())}


@pytest.mark.parametrize("name", FILES)
def test_a_cut_file_gives_a_clear_error_or_true_positions(name: str, tmp_path: Path) -> None:
    data = FILES[name]
    data = data.encode() if isinstance(data, str) else data
    check_cuts(tmp_path / name, data, 4)
    check_damages(tmp_path / name, data, 4)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["nexus.csv", "a.trc", "m.csv", "a.c3d"])
def test_cuts_at_many_bytes(name: str, tmp_path: Path) -> None:
    data = FILES[name]
    data = data.encode() if isinstance(data, str) else data
    check_cuts(tmp_path / name, data, 150)
    check_damages(tmp_path / name, data, 150)

"""Caches for game engines, read by decoders written from the descriptions of their formats."""

from __future__ import annotations

import csv
import json
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from changing import FIRST_ID, changing
from exported import expected
from scipy.spatial.transform import Rotation
from test_export_orientation import FRAMES, JOINS, looping

import murmurate as mm
from murmurate.exports import vertex_texture
from murmurate.exports.appearance import Appearance
from murmurate.exports.formats import FORMATS, BufferFile, Options
from murmurate.exports.selection import Selection
from murmurate.show.orientation import Orientation

Table = dict[str, np.ndarray]
VECTORS = {"P": "xyz", "v": "xyz", "N": "xyz", "up": "xyz", "Cd": "rgb"}


# --- Houdini point caches


class Bytes:
    """A .hbjson file, read byte by byte."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, count: int) -> bytes:
        self.at += count
        assert self.at <= len(self.data)
        return self.data[self.at - count : self.at]

    def expect(self, mark: bytes) -> None:
        assert self.take(1) == mark, (mark, self.at)

    def number(self, code: str) -> Any:
        code = {"l": "i", "L": "I"}.get(code, code)
        return struct.unpack("<" + code, self.take(struct.calcsize("<" + code)))[0]

    def text(self) -> str:
        return self.take(self.number(self.take(1).decode())).decode()

    def key(self, name: str) -> None:
        assert self.text() == name

    def field(self, name: str, code: str) -> Any:
        self.key(name)
        return self.text() if code == "s" else self.number(code)

    def array(self, item: Callable[[], Any]) -> list[Any]:
        self.expect(b"[")
        out = []
        while self.data[self.at : self.at + 1] != b"]":
            out.append(item())
        self.expect(b"]")
        return out


def read_hbjson(path: Path) -> Table:
    """Return the columns of all rows, as the loader of the plug-in reads them."""
    file = Bytes(path.read_bytes())
    file.expect(b"{")
    file.key("header")
    file.expect(b"{")
    assert file.field("version", "s") == "1.0"
    samples, frames, points = (
        file.field(f"num_{name}", "L") for name in ("samples", "frames", "points")
    )
    attributes = file.field("num_attrib", "H")
    file.key("attrib_name")
    names = file.array(file.text)
    file.key("attrib_size")
    sizes = file.array(lambda: file.number("B"))
    file.key("attrib_data_type")
    kinds = file.array(lambda: file.take(1).decode())
    assert len(names) == len(sizes) == attributes and len(kinds) == sum(sizes)
    assert file.field("data_type", "s") == "linear"
    file.expect(b"}")
    file.key("cache_data")
    file.expect(b"{")
    file.key("frames")
    rows: list[list[float]] = []

    def row() -> list[float]:
        file.expect(b"[")
        values = [file.number(kind) for kind in kinds]
        file.expect(b"]")
        return values

    def frame() -> tuple[int, float]:
        file.expect(b"{")
        number, time, count = (
            file.field(name, code)
            for name, code in (("number", "L"), ("time", "f"), ("num_points", "L"))
        )
        file.key("frame_data")
        added = file.array(row) if count else file.array(lambda: 1 / 0)
        file.expect(b"}")
        assert len(added) == count and all(each[names.index("time")] == time for each in added)
        rows.extend(added)
        return number, time

    assert [number for number, _ in file.array(frame)] == list(range(frames))
    file.expect(b"}")
    file.expect(b"}")
    assert file.at == len(file.data) and len(rows) == samples
    table = np.array(rows)
    ends = np.cumsum(sizes)
    out = {
        name: table[:, end - size : end].squeeze(axis=1) if size == 1 else table[:, end - 3 : end]
        for name, size, end in zip(names, sizes, ends, strict=True)
    }
    assert len(np.unique(out["id"])) == points
    return out


def read_hcsv(path: Path) -> Table:
    with open(path, newline="") as file:
        titles, *rows = list(csv.reader(file))
    table = dict(zip(titles, np.array(rows, float).astype(np.float32).T, strict=True))
    out = {name: table.pop(name) for name in ("id", "type", "time")}
    for name, axes in VECTORS.items():
        out[name] = np.stack([table.pop(f"{name}.{axis}") for axis in axes], axis=1)
    assert not table
    return out


def z_up(vectors: np.ndarray) -> np.ndarray:
    x, y, z = vectors.T
    return np.stack([x, -z, y], axis=1)


READERS = {".hcsv": read_hcsv, ".hbjson": read_hbjson}


@pytest.mark.parametrize("suffix", READERS)
def test_point_caches_have_the_recorded_boids(rec, suffix, tmp_path) -> None:
    path = mm.export(rec, tmp_path / f"a{suffix}", mm.ExportOptions(frames_per_second=10)).path
    table, reference = READERS[suffix](path), expected(rec)
    positions, velocities = reference.solid
    frames, boids = positions.shape[:2]
    assert len(table["id"]) == frames * boids
    np.testing.assert_array_equal(table["id"], np.tile(np.arange(boids), frames))
    np.testing.assert_allclose(table["time"], np.repeat(np.arange(frames) / 10, boids), rtol=1e-6)
    np.testing.assert_array_equal(z_up(table["P"]), np.float32(positions).reshape(-1, 3))
    rate = 10 * rec.header["dt"] * rec.every
    if reference.timers is not None:
        velocities = np.where(reference.timers[..., None] > 0, 0, velocities)
    np.testing.assert_allclose(
        z_up(table["v"]), rate * velocities.reshape(-1, 3), rtol=1e-5, atol=1e-6
    )
    names = list(rec.header["counts"])
    flocks = [names[int(number)] for number in table["type"][:boids]]
    assert flocks == reference.flock.tolist()
    look = Appearance(Selection(rec), Options())
    light = look.shades(rec[0][names[-1]])[0]
    np.testing.assert_allclose(table["Cd"][-1], light, rtol=1e-6)


@pytest.mark.parametrize("suffix", READERS)
def test_point_caches_have_boids_while_they_are_there(suffix, tmp_path) -> None:
    rec, when = changing(colour_by="weight")
    path = tmp_path / f"a{suffix}"
    FORMATS[suffix].write(path, Selection(rec), Options())
    table = READERS[suffix](path)
    lives = [span for spans in when.values() for span in zip(*spans, strict=True)]
    assert FIRST_ID > 2**24 and table["id"].max() == len(lives) - 1  # consecutive numbers
    times = np.round(10 * table["time"]).astype(int)
    for boid, (first, last) in enumerate(lives):
        rows = table["id"] == boid
        assert times[rows].tolist() == list(range(first, last + 1))
    for k in range(len(rec)):
        flocks = rec[k].values()
        positions = np.concatenate([flock.positions for flock in flocks])
        np.testing.assert_array_equal(z_up(table["P"][times == k]), positions)
    assert len(np.unique(table["Cd"], axis=0)) > 3


@pytest.mark.parametrize("suffix", READERS)
def test_axes_of_point_caches_are_those_of_films(suffix, tmp_path) -> None:
    rec = looping("bird")
    FORMATS[suffix].write(tmp_path / f"a{suffix}", Selection(rec), Options())
    table = READERS[suffix](tmp_path / f"a{suffix}")
    orientation = Orientation(rec.view.frames_per_second, True)
    axes = []
    for k in range(FRAMES):
        flock = rec[k]["boids"]
        orientation.update(flock.ids, flock.velocities)
        axes.append(np.concatenate(orientation.forward_and_up, axis=1))
    exported = np.concatenate([z_up(table["N"]), z_up(table["up"])], axis=1)
    assert len(exported) == 2 * FRAMES - JOINS
    np.testing.assert_allclose(exported, np.concatenate(axes), atol=1e-6)


@pytest.mark.parametrize("suffix", READERS)
def test_point_caches_have_animals_that_are_seen(suffix, tmp_path) -> None:
    (tmp_path / "fish.csv").write_text(
        "frame,particle,x,y\n0,0,1,2\n0,1,5,5\n1,0,2,3\n2,0,3,3\n2,1,7,5\n"
    )
    tracks = mm.open_tracks(tmp_path / "fish.csv", 10)
    table = READERS[suffix](mm.export(tracks, tmp_path / f"a{suffix}").path)
    assert table["id"].tolist() == [0, 1, 0, 0, 1]
    np.testing.assert_allclose(z_up(table["P"])[:, 0], [1, 5, 2, 3, 7])
    assert all(np.isfinite(column).all() for column in table.values())


# --- vertex animation textures


def read_png(path: Path) -> np.ndarray:
    """Return the pixels (H, W, 4) uint16 of a PNG (ISO/IEC 15948)."""
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, packed, head = 8, b"", b""
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size : at + 12 + size])[0] == zlib.crc32(
            kind + body
        )
        packed += body if kind == b"IDAT" else b""
        head = body if kind == b"IHDR" else head
        at += 12 + size
    width, height, depth, colour, *_, interlaced = struct.unpack(">IIBBBBB", head)
    assert (depth, colour, interlaced) == (16, 6, 0)
    lines = np.frombuffer(zlib.decompress(packed), np.uint8).reshape(height, 1 + 8 * width)
    out = np.zeros((height + 1, 8 + 8 * width), np.uint8)
    for k, (filtered, line) in enumerate(zip(lines[:, 0], lines[:, 1:], strict=True)):
        above, own = out[k], out[k + 1]
        if filtered in (0, 2):
            own[8:] = line + (above[8:] if filtered else 0)
            continue
        for j in range(8, 8 + 8 * width):
            a, b, c = int(own[j - 8]), int(above[j]), int(above[j - 8])
            near = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            own[j] = (int(line[j - 8]) + {1: a, 3: (a + b) // 2, 4: near}[int(filtered)]) % 256
    return out[1:, 8:].copy().view(">u2").reshape(height, width, 4).astype(np.uint16)


def decode(png: Path, bounds: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return positions (T, N, 3), rotations (T, N, 4) and visibility (T, N), as a shader does."""
    remap = json.loads(bounds.read_text())
    low, high = (np.array(remap["os-remap"][name]) for name in ("Min", "Max"))
    frames, boids = remap["os-remap"]["Frames"], len(remap["murmurate"]["ids"])
    columns = remap["murmurate"]["columns"]
    pixels = read_png(png) / 65535.0
    assert pixels.shape[:2] == (2 * frames * remap["murmurate"]["rows_per_frame"], columns)
    boid = np.arange(boids)
    rows = (
        np.arange(frames)[:, None] * remap["murmurate"]["rows_per_frame"] + boid // columns
    )  # of positions
    seen = pixels[rows, boid % columns]
    turned = pixels[rows + len(pixels) // 2, boid % columns]
    return low + seen[..., :3] * (high - low), 2 * turned - 1, seen[..., 3]


def test_textures_have_the_recorded_boids(rec, tmp_path) -> None:
    report = mm.export(rec, tmp_path / "a_vat.png", mm.ExportOptions(frames_per_second=10))
    assert report.buffer == tmp_path / "a-remap_info.json"
    positions, rotations, visible = decode(report.path, report.buffer)
    recorded, velocities = expected(rec).solid
    extent = np.ptp(recorded, axis=(0, 1))
    error = np.abs(positions - recorded)
    assert (error <= extent / 131070 + 1e-6 * np.abs(recorded)).all()  # half a level
    assert (visible == 1).all()
    speed = np.linalg.norm(velocities, axis=2)
    moving = speed > 0
    noses = Rotation.from_quat(rotations[moving]).apply([1, 0, 0])
    headings = velocities[moving] / speed[moving][:, None]
    assert np.degrees(np.arccos((noses * headings).sum(axis=1).clip(-1, 1))).max() < 0.01
    assert ((rotations[1:] * rotations[:-1]).sum(axis=2) >= 0).all()  # the short way round
    about = json.loads(report.buffer.read_text())
    assert about["animations"]["flight"] == {
        "startFrame": 1, "endFrame": len(recorded), "framerate": 10.0, "looping": False,
    }  # fmt: skip
    flocks = about["murmurate"]["flocks"]
    assert {name: flock["boids"] for name, flock in flocks.items()} == rec.header["counts"]
    assert mm.parse(about["murmurate"]["model"]) == rec.model


def test_textures_show_who_is_there(tmp_path, monkeypatch) -> None:
    """Rows wrap when boids are more than columns, and absent boids are hidden."""
    monkeypatch.setattr(vertex_texture, "MAX_SIDE", 160)
    rec, when = changing(frames=10, boids=300)
    png, bounds = tmp_path / "a.png", tmp_path / "b.json"
    FORMATS[".png"].write(png, Selection(rec), Options(buffer=BufferFile(bounds, "b.json")))
    positions, _, visible = decode(png, bounds)
    about = json.loads(bounds.read_text())["murmurate"]
    assert about["rows_per_frame"] == 3 and about["columns"] == 125 and len(about["ids"]) == 375
    first, last = (np.concatenate([spans[k] for spans in when.values()]) for k in (0, 1))
    frames = np.arange(10)[:, None]
    np.testing.assert_array_equal(visible == 1, (first <= frames) & (frames <= last))
    selection = Selection(rec)
    for k in range(10):
        flocks = rec[k].values()
        recorded = np.concatenate([flock.positions for flock in flocks])
        np.testing.assert_allclose(positions[k, selection.rows(rec[k])], recorded, atol=3e-4)


def test_a_texture_that_no_card_holds_is_refused(recordings, tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(vertex_texture, "MAX_SIDE", 100)
    message = (
        r"\.png: got 61 frames of 12 boids, 122 rows of a texture; expected at most 100\. "
        "Export fewer frames with --every"
    )
    with pytest.raises(mm.ExportOptionsError, match=message):
        mm.export(recordings["torus"], tmp_path / "a_vat.png")
    assert not list(tmp_path.iterdir())
    mm.export(recordings["torus"], tmp_path / "a_vat.png", every=2)
    with pytest.raises(mm.ExportOptionsError, match=r"a-remap_info\.json exists and is kept"):
        mm.export(recordings["torus"], tmp_path / "a.png", every=2)

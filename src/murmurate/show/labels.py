"""Label the boids of a film: truth for programs that track animals in its pictures.

Pixel (0, 0) is the one at the upper left. Centres, noses and tails are 0 in the middle of this
pixel, as trackers have them; boxes begin at its edge. Formats follow public descriptions:

gt/gt.txt, seqinfo.ini  MOTChallenge (Milan et al. 2016, doi:10.48550/arXiv.1603.00831)
coco.json  COCO, https://cocodataset.org/#format-data, with keypoints and a track_id
deeplabcut.csv  tables of several animals of DeepLabCut, https://deeplabcut.github.io/DeepLabCut
sleap.csv  analysis tables of SLEAP, https://docs.sleap.ai
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from murmurate.disk import atomic_write
from murmurate.errors import WriteError
from murmurate.model.view import View
from murmurate.show.flock_painter import PlacedBoids
from murmurate.show.projection import Array

if TYPE_CHECKING:
    import pandas

POINTS = ("nose", "centre", "tail")
COORDINATES = [f"{point}_{axis}" for point in POINTS for axis in "xy"]
LABEL = np.dtype([
    ("flock", "<i4"), ("id", "<i8"),
    *((name, "<f8") for name in (
        *COORDINATES, "left", "top", "width", "height", "heading", "visibility"
    )),
])  # fmt: skip


class Labels(NamedTuple):
    """The labels of a picture.

    rows  (N,) LABEL; flock is an index in `flocks`, heading is in radians, 0 to the right and
        pi / 2 down, and visibility is the part of the boid's pixels that nothing hides
    """

    step: int
    time: float
    flocks: list[str]
    rows: Array


def label_boids(placed: Sequence[PlacedBoids], boxes: Array, pixels: Array) -> Array:
    """Return the labels (K,) of the boids that are in a picture.

    boxes  (N, 4) left, top, right and bottom of what the picture shows of each boid
    pixels  (N, 2) pixels that each boid covers in the picture, and those that nothing hides
    """
    rows = np.zeros(len(boxes), LABEL)
    first = 0
    for index, boids in enumerate(placed):
        part = rows[first : first + len(boids.flock)]
        part["flock"], part["id"] = index, boids.flock.ids
        velocities = boids.flock.velocities
        part["heading"] = boids.projection.heading(boids.rows, boids.screen, velocities)[0]
        speed = np.maximum(np.linalg.norm(velocities, axis=1), 1e-30)
        half = 0.5 * (velocities / speed[:, None]).T * (boids.length / boids.screen.scale)
        for point, shift in zip(POINTS, (half, 0 * half, -half), strict=True):
            x, y, *_ = boids.projection.project(boids.rows + shift.astype(np.float32))
            part[f"{point}_x"], part[f"{point}_y"] = x - 0.5, y - 0.5
        first += len(part)
    left, top, right, bottom = boxes.T
    rows["left"], rows["top"], rows["width"], rows["height"] = left, top, right - left, bottom - top
    rows["visibility"] = pixels[:, 1] / np.maximum(pixels[:, 0], 1)
    return rows[pixels[:, 0] > 0]


class LabelFile:
    """A zip file of labels, with the interface of the other files of a film."""

    def __init__(self, path: Path, view: View, rate: Fraction, comment: str) -> None:
        self._path, self._view, self._rate, self._comment = path, view, rate, comment
        self._pictures: list[Labels] = []

    def put(self, picture: Any) -> None:
        """Add the labels of the next picture."""
        self._pictures.append(picture)

    def stop(self) -> None:
        """Do nothing: no picture is queued."""

    abort = stop

    def complete(self) -> None:
        """Write the file. Raises WriteError."""
        try:
            with (
                atomic_write(self._path) as draft,
                zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as file,
            ):
                for name, text in self._files().items():
                    file.writestr(name, text)
        except OSError as error:
            raise WriteError(
                f"{self._path}: writing labels failed: {error.strerror or error}. Free some space, "
                "or give another path, and run again"
            ) from error

    def _files(self) -> dict[str, str]:
        """Return the text of each file by name."""
        import pandas

        tables = []
        for number, (step, time, flocks, rows) in enumerate(self._pictures):
            table = pandas.DataFrame(rows)
            table["flock"] = np.array(flocks, object)[rows["flock"]]
            tables.append(table)
            for k, column in enumerate({"frame": number, "step": step, "time": time}.items()):
                table.insert(k, *column)
        names = [f"{number + 1:05d}.png" for number in range(len(tables))]
        labels = pandas.concat(tables, ignore_index=True).round(3)
        seen = labels[labels["visibility"] > 0]
        width, height = self._view.size
        about = {"frameRate": float(self._rate), "seqLength": len(names), "imWidth": width,
                 "imHeight": height, "imDir": "img1", "imExt": ".png"}  # fmt: skip
        return {
            "labels.csv": labels.to_csv(index=False),
            "gt/gt.txt": _motchallenge(labels).to_csv(index=False, header=False),
            "seqinfo.ini": "[Sequence]\n" + "".join(f"{k}={v}\n" for k, v in about.items()),
            "coco.json": json.dumps({
                "info": {"description": self._comment},
                "images": [{"id": k, "file_name": name, "width": width, "height": height}
                           for k, name in enumerate(names)],
                **_coco(labels),
            }),
            "deeplabcut.csv": _deeplabcut(seen, names).to_csv(),
            "sleap.csv": _sleap(seen).to_csv(index=False),
        }  # fmt: skip


def _motchallenge(labels: pandas.DataFrame) -> pandas.DataFrame:
    """Return frame, id, box, 1, 1 and visibility. Frames, ids and pixels count from 1."""
    columns = ["frame", "id", "left", "top"]
    table = labels.assign(considered=1, kind=1, **{name: labels[name] + 1 for name in columns})
    return table[[*columns, "width", "height", "considered", "kind", "visibility"]]


def _coco(labels: pandas.DataFrame) -> dict[str, Any]:
    """Return categories and annotations. A point is visible (2) if any pixel of its boid is."""
    flocks = list(dict.fromkeys(labels["flock"]))
    annotations = [
        {
            "id": k + 1, "image_id": row["frame"], "track_id": row["id"], "iscrowd": 0,
            "category_id": flocks.index(row["flock"]) + 1,
            "bbox": [row[side] for side in ("left", "top", "width", "height")],
            "area": row["width"] * row["height"], "num_keypoints": len(POINTS),
            "keypoints": [
                value for point in POINTS
                for value in (row[f"{point}_x"], row[f"{point}_y"], 1 + (row["visibility"] > 0))
            ],
        }
        for k, row in enumerate(labels.to_dict("records"))
    ]  # fmt: skip
    categories = [
        {"id": k + 1, "name": name, "keypoints": POINTS, "skeleton": [[1, 2], [2, 3]]}
        for k, name in enumerate(flocks)
    ]
    return {"categories": categories, "annotations": annotations}


def _deeplabcut(labels: pandas.DataFrame, names: list[str]) -> pandas.DataFrame:
    """Return a row per picture, empty where no pixel of a boid is visible."""
    import pandas

    table = labels.pivot(index="frame", columns="id", values=COORDINATES).swaplevel(axis=1)
    table = table.reindex(range(len(names))).set_axis(names)
    table = table.reindex(columns=[(k, c) for k in sorted(set(labels["id"])) for c in COORDINATES])
    table.columns = pandas.MultiIndex.from_tuples(
        [("murmurate", f"boid_{boid}", *name.rsplit("_", 1)) for boid, name in table.columns],
        names=("scorer", "individuals", "bodyparts", "coords"),
    )
    return table


def _sleap(labels: pandas.DataFrame) -> pandas.DataFrame:
    """Return a row for each boid of which any pixel is visible, in each picture."""
    names = {f"{point}_{axis}": f"{point}.{axis}" for point in POINTS for axis in "xy"}
    table = labels.rename(columns={"frame": "frame_idx", **names})
    parts = [f"{point}.{part}" for point in POINTS for part in ("x", "y", "score")]
    scores = {name: 1 for name in ("instance.score", *parts) if name.endswith("score")}
    table = table.assign(track="track_" + labels["id"].astype(str), **scores)
    return table[["track", "frame_idx", "instance.score", *parts]]

"""Labels of films belong to their pictures, and trackers can be scored by them."""

from __future__ import annotations

import io
import json
import zipfile

import av
import numpy as np
import pandas as pd
import pytest
from PIL import Image
from scipy.optimize import linear_sum_assignment
from scipy.spatial.distance import cdist
from small_frames import SPACE, cloud, draw, flock, frame, plain, where

import murmurate as mm
from murmurate.cli import main
from murmurate.errors import OutputError
from murmurate.model.obstacles import Sphere
from murmurate.model.view import Look
from murmurate.show import write_film
from murmurate.show.painter import Painter


def labelled(moment, look=None, **view):
    """Return the painter and the labels of one picture, as a table."""
    painter = Painter(moment.space, plain(**view), {"boids": look or Look()}, passes=["labels"])
    painter.draw(moment)
    return painter, pd.DataFrame(painter.passes["labels"].rows).set_index("id")


@pytest.mark.parametrize("shape", ["dart", "bird", "fish", "disc"])
@pytest.mark.parametrize("point", [(50, 50), (70, 30), (70, 30, 60)])
def test_a_box_is_around_the_pixels_of_a_boid(shape, point):
    moment = frame(flock([point], [(1.0, 2.0, 0.5)[: len(point)]]))
    look = Look(shape=shape)
    painter, labels = labelled(moment, look, boid_size=12)
    _, _, changed = draw(moment, plain(boid_size=12), {"boids": look})
    y, x = np.nonzero(changed > 20)
    box = labels.loc[0]
    ends = box.left, box.top, box.left + box.width, box.top + box.height
    np.testing.assert_allclose(ends, (x.min(), y.min(), x.max() + 1, y.max() + 1), atol=2)
    centre = np.array([box.centre_x, box.centre_y])
    np.testing.assert_allclose(centre + 0.5, where(painter, point), atol=1e-3)
    nose = np.array([box.nose_x, box.nose_y]) - centre
    across = nose[0] * np.sin(box.heading) - nose[1] * np.cos(box.heading)
    assert abs(across) < 0.1 * np.linalg.norm(nose) and nose @ [1, -1] > 0  # right and up
    assert box.visibility == 1


def test_visibility_is_the_part_of_its_pixels_that_nothing_hides():
    """Discs at one depth after another, and a disc behind an obstacle."""
    look = Look(shape="disc")
    for order in ([(70, 50, 50), (30, 50, 50)], [(30, 50, 50), (70, 50, 50)]):
        along_x = mm.Camera(follow="space", azimuth=0, elevation=0)
        _, labels = labelled(frame(flock(order)), look, boid_size=8, camera=along_x)
        near = 0 if order[0][0] == 70 else 1
        assert labels.visibility[near] == 1 and labels.visibility[1 - near] == 0
    hidden = frame(
        flock([(10, 50 - 28, 36), (90, 90, 50)]),
        obstacles={"ball": Sphere(centre=(50, 50, 50), radius=15)},
    )
    _, labels = labelled(hidden, look, camera=SPACE)
    assert labels.index.tolist() == [1]
    first = flock([(50, 50), (53, 50)])  # half a disc over another one: the later is in front
    _, labels = labelled(frame(first), look, boid_size=6 / 0.72)
    radius, apart = 3.0, 3.0
    lens = 2 * radius**2 * np.arccos(apart / 2 / radius) - apart / 2 * np.sqrt(
        4 * radius**2 - apart**2
    )
    assert labels.visibility[0] == pytest.approx(1 - lens / (np.pi * radius**2), abs=0.08)
    assert labels.visibility[1] == 1


def test_boids_outside_of_the_picture_have_no_label():
    at = [(50, 50), (50, 1e4), (np.nan, 3), (-30.0, 50)]
    _, labels = labelled(frame(flock(at)), boid_size=4)
    assert labels.index.tolist() == [0]


def moving_film(folder, frames=12):
    """Write numbered pictures of discs on a lattice that drift at their own velocities."""
    draw = np.random.default_rng(4)
    starts = np.stack(np.meshgrid(np.linspace(15, 85, 6), np.linspace(15, 85, 6)), -1)
    starts, velocities = starts.reshape(-1, 2), draw.uniform(-0.3, 0.3, (36, 2))
    pictures = (frame(flock(starts + k * velocities, velocities), step=k) for k in range(frames))
    report = write_film(
        pictures, folder / "%05d.png", plain(boid_size=4, style="light"),
        {"boids": Look(shape="disc")}, passes=["labels"],
    )  # fmt: skip
    assert report.passes == (folder / "labels.zip",)
    return report


def files_of(path):
    with zipfile.ZipFile(path) as file:
        return {name: file.read(name).decode() for name in file.namelist()}


@pytest.mark.slow  # trackpy takes seconds to start
@pytest.mark.filterwarnings("ignore")
def test_a_tracker_is_scored_by_the_labels(tmp_path):
    """trackpy finds every disc within half a pixel, and never swaps two of them."""
    trackpy = pytest.importorskip("trackpy")
    trackpy.quiet()
    moving_film(tmp_path)
    truth = pd.read_csv(io.StringIO(files_of(tmp_path / "labels.zip")["labels.csv"]))
    pictures = [
        255 - np.asarray(Image.open(tmp_path / f"{k + 1:05d}.png").convert("L")) for k in range(12)
    ]
    spots = pd.concat(
        trackpy.locate(picture, 11, minmass=400).assign(frame=k)
        for k, picture in enumerate(pictures)
    )
    tracks = trackpy.link(spots, 4)
    partners: dict[int, set[int]] = {}
    for k, labels in truth.groupby("frame"):
        near = tracks[tracks.frame == k]
        distances = cdist(labels[["centre_x", "centre_y"]], near[["x", "y"]])
        rows, columns = linear_sum_assignment(distances)
        assert len(labels) == len(near) == 36
        assert distances[rows, columns].max() < 0.5
        for boid, particle in zip(labels.id.iloc[rows], near.particle.iloc[columns], strict=True):
            partners.setdefault(boid, set()).add(particle)
    assert all(len(particles) == 1 for particles in partners.values())


def test_every_format_has_the_same_labels(tmp_path):
    moving_film(tmp_path, 3)
    files = files_of(tmp_path / "labels.zip")
    truth = pd.read_csv(io.StringIO(files["labels.csv"])).set_index(["frame", "id"])
    boxes = truth[["left", "top", "width", "height"]].to_numpy()
    centres = truth[["centre_x", "centre_y"]].to_numpy()
    assert set(truth.flock) == {"boids"} and truth.step.tolist() == [0] * 36 + [1] * 36 + [2] * 36
    mot = pd.read_csv(io.StringIO(files["gt/gt.txt"]), header=None).to_numpy()
    np.testing.assert_array_equal(mot[:, :2] - 1, np.array(truth.index.tolist()))
    np.testing.assert_allclose(mot[:, 2:6] - [1, 1, 0, 0], boxes, atol=2e-3)
    np.testing.assert_array_equal(mot[:, 8], truth.visibility)
    assert "imWidth=320\nimHeight=240\n" in files["seqinfo.ini"]
    coco = json.loads(files["coco.json"])
    assert [image["file_name"] for image in coco["images"]] == [f"{k:05d}.png" for k in (1, 2, 3)]
    assert [(a["image_id"], a["track_id"]) for a in coco["annotations"]] == truth.index.tolist()
    np.testing.assert_allclose([a["bbox"] for a in coco["annotations"]], boxes, atol=2e-3)
    points = np.array([a["keypoints"] for a in coco["annotations"]]).reshape(-1, 3, 3)
    assert coco["categories"][0]["keypoints"] == ["nose", "centre", "tail"]
    np.testing.assert_allclose(points[:, 1, :2], centres, atol=2e-3)
    assert (points[..., 2] == 2).all()
    poses = pd.read_csv(io.StringIO(files["deeplabcut.csv"]), header=[0, 1, 2, 3], index_col=0)
    middle = poses.xs("centre", level=2, axis=1).to_numpy().reshape(-1, 2)
    np.testing.assert_allclose(middle, centres, atol=2e-3)
    assert poses.index.tolist() == ["00001.png", "00002.png", "00003.png"]
    sleap = pd.read_csv(io.StringIO(files["sleap.csv"]))
    np.testing.assert_allclose(sleap[["centre.x", "centre.y"]], centres, atol=2e-3)
    assert sleap.track[5] == "track_5" and sleap.frame_idx.iloc[-1] == 2


def test_labels_of_an_empty_picture(tmp_path):
    outside = [frame(flock([(1e4, 1e4)])), frame(cloud(3))]
    write_film(outside, tmp_path / "a.mp4", plain(), passes=["labels"])
    files = files_of(tmp_path / "a_labels.zip")
    assert len(files["labels.csv"].splitlines()) == 4
    write_film(outside[:1], tmp_path / "b.mp4", plain(), passes=["labels"])
    assert len(files_of(tmp_path / "b_labels.zip")["labels.csv"].splitlines()) == 1
    with pytest.raises(OutputError, match=r"a_labels\.zip exists and is kept"):
        (tmp_path / "a.mp4").unlink()
        write_film(outside, tmp_path / "a.mp4", plain(), passes=["labels"])
    assert not (tmp_path / "a.mp4").exists()


def test_the_command_writes_labels_of_its_film(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    words = "--boids 8 --steps 6 --every 2 --warm-up 4 --size 160x120 --engine reference"
    assert main(["film", "vicsek-1995", *words.split(), "--passes", "labels", "-o", "a.mp4"]) == 0
    assert "a_labels.zip: labels" in capsys.readouterr().out
    with av.open("a.mp4") as film:
        pictures = sum(1 for _ in film.decode(video=0))
    labels = pd.read_csv(io.StringIO(files_of("a_labels.zip")["labels.csv"]))
    assert labels.groupby("frame").step.first().tolist() == [6, 8, 10] and pictures == 3

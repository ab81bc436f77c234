"""Passes: 16-bit depth and motion of the pictures of a film."""

import os

import av
import numpy as np
import pytest
from small_frames import SPACE, cloud, flock, frame, plain, space, where

import murmurate as mm
from murmurate.cli import main
from murmurate.errors import OutputError
from murmurate.model.obstacles import Sphere
from murmurate.model.view import Look
from murmurate.show import write_film
from murmurate.show.painter import Painter


def read(path):
    """Read a 16-bit PNG with another library."""
    with av.open(str(path)) as file:
        decoded = next(iter(file.decode(video=0)))
        return decoded.to_ndarray(format="gray16le" if "gray" in decoded.format.name else "rgb48le")


def drawn(film_frames, passes, look=None, **view):
    painter = Painter(film_frames[0].space, plain(**view), {"boids": look or Look()}, passes=passes)
    for moment in film_frames:
        painter.draw(moment)
    return painter


@pytest.mark.parametrize("shape", ["dart", "bird", "arrow"])
def test_depth_is_the_distance_of_a_boid(shape):
    points = [(20, 30, 50), (80, 70, 50)]
    painter = drawn([frame(flock(points))], ["depth"], Look(shape=shape), boid_size=12)
    depth = painter.passes["depth"].astype(float)
    unit = float(painter.notes["depth"].split()[5])
    screen = painter.projection.project(painter.projection.nearest_offsets(np.array(points, float)))
    for x, y, away in zip(screen.x, screen.y, screen.depth, strict=True):
        assert depth[int(y), int(x)] * unit == pytest.approx(away, rel=1e-3)
    assert depth[0, 0] == 65535
    assert 10 < (depth < 65535).sum() < 0.2 * depth.size


def test_the_nearest_boid_is_visible():
    eye_first = [(70, 50, 50), (30, 50, 50)]
    for order in (eye_first, eye_first[::-1]):
        painter = drawn([frame(flock(order))], ["depth"], Look(shape="disc"), boid_size=20)
        both = painter.passes["depth"]
        alone = drawn([frame(flock(eye_first[:1]))], ["depth"], Look(shape="disc"), boid_size=20)
        x, y = (int(c) for c in where(painter, eye_first[0]))
        assert both[y, x] == alone.passes["depth"][y, x]


def test_obstacles_have_depth_and_hide_boids():
    ball = {"ball": Sphere(centre=(50, 50, 50), radius=15)}
    behind = frame(flock([(10, 50 - 28, 36)]), obstacles=ball)
    depth = drawn([behind], ["depth"], camera=SPACE).passes["depth"]
    x, y = 160, 120
    assert depth[y, x] < 65535
    free = drawn([frame(flock([(10, 22, 36)]))], ["depth"], camera=SPACE).passes["depth"]
    assert (free < 65535).sum() < 0.05 * (depth < 65535).sum()


@pytest.mark.parametrize("dims", [2, 3])
def test_motion_is_in_pixels_since_the_previous_picture(dims):
    points = np.full((2, dims), 50.0)
    points[1, :2] += (4.0, 3.0)
    film_frames = [frame(flock([point]), step=k) for k, point in enumerate(points)]
    painter = drawn(film_frames, ["motion"], boid_size=8)
    motion = painter.passes["motion"].astype(float)
    before, after = (where(painter, point) for point in points)
    x, y = (int(c) for c in after)
    assert (motion[y, x, 0] - 32768) / 64 == pytest.approx(after[0] - before[0], abs=0.05)
    assert (motion[y, x, 1] - 32768) / 64 == pytest.approx(before[1] - after[1], abs=0.05)
    assert motion[y, x, 2] == 65535
    assert tuple(motion[0, 0]) == (32768, 32768, 0)


def test_new_boids_and_the_first_picture_have_no_motion():
    painter = drawn([frame(cloud(50))], ["motion"])
    seen = painter.passes["motion"]
    assert (seen[..., :2] == 32768).all() and (seen[..., 2] == 65535).any()


def test_motion_across_a_periodic_face_is_the_minimum_image():
    torus = space(boundary="periodic")
    film_frames = [frame(flock([(x, 50)], where=torus), step=k) for k, x in enumerate((97.0, 3.0))]
    motion = drawn(film_frames, ["motion"], boid_size=8).passes["motion"].astype(float)
    moved = (motion[..., 0][motion[..., 2] > 0] - 32768) / 64
    assert len(moved) and (moved > 0).all() and moved.max() < 25


@pytest.mark.parametrize(
    ("name", "folder"),
    [("film.mp4", "film_{}"), ("shots/%05d.png", "shots/{}"), ("a_%03d.png", "a_{}")],
)
def test_passes_are_written_next_to_the_film(tmp_path, name, folder):
    (tmp_path / "shots").mkdir()
    film_frames = [frame(cloud(20, 3, drift=k), step=k) for k in range(2)]
    report = write_film(
        film_frames,
        tmp_path / name,
        plain(size=(101, 75)),
        passes=("depth", "motion"),
        comment="mine",
    )
    size = (76, 102) if name.endswith(".mp4") else (75, 101)
    for each, pattern, channels in zip(("depth", "motion"), report.passes, ((), (3,)), strict=True):
        home = tmp_path / folder.format(each)
        assert pattern == home / "%05d.png"
        assert sorted(os.listdir(home)) == ["00001.png", "00002.png"]
        assert read(home / "00002.png").shape == (*size, *channels)
        text = (home / "00001.png").read_bytes()
        assert b"iTXtComment" in text and b"mine; " in text
    painter = Painter(space(3), plain(size=size[::-1]), passes=("depth",))
    for moment in film_frames:
        painter.draw(moment)
    assert (read(tmp_path / folder.format("depth") / "00002.png") == painter.passes["depth"]).all()


def test_existing_passes_are_kept(tmp_path):
    film_frames = [frame(cloud(20, 3))]
    write_film(film_frames, tmp_path / "film.mp4", plain(), passes=("depth",))
    os.remove(tmp_path / "film.mp4")
    with pytest.raises(OutputError, match=r"film_depth.00001\.png exists and is kept"):
        write_film(film_frames, tmp_path / "film.mp4", plain(), passes=("depth",))
    assert not (tmp_path / "film.mp4").exists()
    write_film(film_frames, tmp_path / "film.mp4", plain(), passes=("depth",), force=True)


def test_invalid_passes_are_refused_before_the_simulation(tmp_path, capsys):
    film = tmp_path / "film.mp4"
    for model, passes, why in (
        ("ucl", ("depth",), "2-D flock has no depth"),
        ("starlings", "depth", "got the text 'depth'"),
        ("starlings", ("dept",), "got 'dept'; expected depth, motion or labels"),
        ("starlings", ("depth", "depth"), "got depth twice"),
    ):
        with pytest.raises(mm.ModelError, match=why):
            mm.film(model, film, passes=passes)
    assert main(["film", "ucl", "--passes", "motion, depth", "-o", str(film)]) == 2
    assert "no depth" in capsys.readouterr().err
    assert os.listdir(tmp_path) == []

"""Motion blur: moving boids are smeared along their path while the shutter is open."""

import numpy as np
import pytest
from small_frames import FOLLOW, cloud, empty, flock, frame, plain, space

from murmurate.model.view import Look
from murmurate.show import write_film
from murmurate.show.painter import Painter


def second_picture(angle, step, shape="disc", where=None, **view):
    """Return the second picture of a boid that moves `step` along x between two pictures."""
    painter = Painter(
        space(), plain(boid_size=4, motion_blur=angle, **view), {"boids": Look(shape=shape)}
    )
    for number in range(2):
        picture = painter.draw(frame(flock([(40 + step * number, 50)], where=where), step=number))
    return painter, picture


def smear(picture):
    """Return the first and the last column and row that differ from the sky."""
    changed = np.abs(picture.astype(int) - picture[0, 0].astype(int)).sum(axis=2) > 6
    return np.flatnonzero(changed.any(axis=0))[[0, -1]], np.flatnonzero(changed.any(axis=1))[
        [0, -1]
    ]


@pytest.mark.parametrize("angle", [90.0, 180.0, 360.0])
def test_a_boid_is_smeared_along_its_path(angle):
    painter, sharp = second_picture(0.0, 20)
    _, blurred = second_picture(angle, 20)
    (begin, end), rows = smear(blurred)
    (first, last), high = smear(sharp)
    way = 20 * painter.projection.zoom * angle / 360
    assert end == pytest.approx(last, abs=2)  # it ends with the picture
    assert first - begin == pytest.approx(way, abs=3)
    assert list(rows) == pytest.approx(list(high), abs=1)


def test_light_is_conserved():
    sky = np.array([13, 17, 26])
    sharp, blurred = (
        (second_picture(angle, 20)[1].astype(int) - sky).sum() for angle in (0.0, 180.0)
    )
    assert blurred == pytest.approx(sharp, rel=0.1)


def test_boids_at_rest_are_sharp():
    for shape in ("disc", "dart"):
        sharp, blurred = (second_picture(angle, 0, shape)[1] for angle in (0.0, 180.0))
        assert (sharp == blurred).all()


def test_blur_across_a_periodic_face_takes_the_minimum_image():
    torus = space(boundary="periodic")
    view = plain(boid_size=4, motion_blur=360.0)
    painter = Painter(torus, view, {"boids": Look(shape="disc")})
    for number, x in enumerate((95.0, 5.0)):
        picture = painter.draw(frame(flock([(x, 50)], where=torus), step=number))
    middle = picture[:, 100:220].astype(int)
    assert np.abs(middle - picture[0, 0].astype(int)).max() == 0


def test_boids_that_move_with_the_camera_are_sharp():
    pictures = []
    for angle in (0.0, 360.0):
        painter = Painter(space(), plain(boid_size=1.0, motion_blur=angle, camera=FOLLOW))
        for number in range(12):
            ball = cloud(40, spread=4.0, drift=np.array([3.0 * number, 0.0]))
            picture = painter.draw(frame(ball, step=number))
        pictures.append(picture.astype(int))
    assert np.abs(pictures[0] - pictures[1]).mean() < 1.0


def test_new_boids_are_sharp():
    film_frames = [
        frame(flock([(20, 20)], ids=[1])),
        frame(flock([(40, 20), (80, 80)], ids=[1, 2]), step=1),
        frame(empty(2), step=2),
    ]
    sharp, blurred = Painter(space(), plain()), Painter(space(), plain(motion_blur=180.0))
    pairs = [[painter.draw(moment) for painter in (sharp, blurred)] for moment in film_frames]
    assert (pairs[1][0][:120] == pairs[1][1][:120]).all()  # where the new one is
    assert (pairs[1][0][120:] != pairs[1][1][120:]).any()
    assert (pairs[2][0] == pairs[2][1]).all()


def test_transparent_films_have_motion_blur(tmp_path):
    view = plain(boid_size=4, motion_blur=180.0)
    film_frames = [frame(flock([(30 + 9 * k, 50)]), step=k) for k in range(3)]
    opaque, clear = (
        Painter(space(), view.model_copy(update={"transparent": transparent}))
        for transparent in (False, True)
    )
    for moment in film_frames:
        solid, seen = opaque.draw(moment).astype(float), clear.draw(moment)
    part = seen[..., 3:] / 255.0
    over = seen[..., :3] * part + np.array([13, 17, 26.0]) * (1 - part)
    assert part.mean() > 0 and np.abs(over - solid).max() < 8
    write_film(film_frames, tmp_path / "one.webm", view.model_copy(update={"transparent": True}))

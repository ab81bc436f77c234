"""Warm-up of a film: steps that are simulated before its first picture."""

import numpy as np
import pytest
from PIL import Image

import murmurate as mm

MODEL = mm.parse(
    """
name = "straight"
[space]
size = [100, 60]
[flocks.boids]
count = 3
start = { kind = "ball", radius = 9, velocity = { kind = "heading", velocity = [2, 0] } }
[view]
steps = 4
size = [320, 180]
warm_up = 6
""",
    "straight.toml",
)


START = mm.View(warm_up=0)


def pictures(folder):
    return [np.asarray(Image.open(path)) for path in sorted(folder.glob("*.png"))]


def test_a_film_begins_after_its_warm_up(tmp_path):
    films = {"own": {}, "none": {"view": START}, "long": {"view": mm.View(warm_up=0, steps=10)}}
    for name, options in films.items():
        mm.film(
            MODEL,
            tmp_path / name / "%05d.png",
            options=mm.RunOptions(engine="reference"),
            **options,
        )
    own, none, long = (pictures(tmp_path / name) for name in ("own", "none", "long"))
    assert len(own) == len(none) == 4 and len(long) == 10
    assert (own[0] != none[0]).any()
    assert (none[0] == long[0]).all()


def test_a_still_is_the_first_picture_of_the_film(tmp_path):
    def still(trails, **options):
        path = tmp_path / "a.png"
        reference = mm.RunOptions(engine="reference")
        mm.still(MODEL.set({"view.trails": trails}), path, options=reference, force=True, **options)
        return np.asarray(Image.open(path))

    for trails in (0, 4):
        own, early, same = (still(trails, **at) for at in ({}, {"at": 5}, {"at": 6}))
        assert (own == same).all() and (own != early).any()
        assert (still(trails, view=mm.View(warm_up=5)) == early).all()
    assert (still(0) != own).any()  # its trails


def test_of_a_recording_nothing_is_left_out_unless_asked_for(tmp_path):
    pytest.importorskip("zarr")
    recording = mm.run(
        MODEL, 10, output=tmp_path / "recorded.zarr", options=mm.RunOptions(engine="reference")
    )
    assert mm.film(recording, tmp_path / "all" / "%05d.png").frames == 10
    assert mm.film(recording, tmp_path / "rest" / "%05d.png", view=mm.View(warm_up=4)).frames == 6
    with pytest.raises(mm.ModelError, match="8 after a warm-up of 4"):
        mm.film(recording, tmp_path / "most" / "%05d.png", view=mm.View(steps=8, warm_up=4))


def test_no_film_of_a_published_model_begins_with_a_random_start():
    assert not [name for name in mm.zoo() if not mm.load(name).view.warm_up]

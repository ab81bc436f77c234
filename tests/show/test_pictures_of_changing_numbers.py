"""Pictures of flocks whose boids come and go.

A boid with nan in its position is in a frame but not in the picture. So a film of frames without a
boid must be the film of frames that have it with nan, pixel by pixel, whatever row it had.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from small_frames import FOLLOW, SPACE, empty, flock, frame, plain, space, where

import murmurate as mm
from murmurate.frame import FlockFrame, Frame
from murmurate.model.view import Camera, Look, View
from murmurate.show.painter import Painter

DOCS = Path(__file__).parents[2] / "docs"
EVER = 24  # boids that are ever in the flock
FRAMES = 8
FIRST_ID = 1_000_000_000  # of the second flock


def presence(seed: int) -> np.ndarray:
    """Return (FRAMES, EVER) whether each boid is there: it joins, and may leave for good."""
    draw = np.random.default_rng(seed)
    birth = draw.integers(-3, FRAMES, EVER)
    death = birth + draw.integers(1, FRAMES, EVER)
    steps = np.arange(FRAMES)[:, None]
    exists = (birth <= steps) & (steps < death)
    assert exists.any(axis=1).all() and not exists.all(axis=1).any()
    return exists


def films(
    dims: int, boundary: str, seed: int = 0, name: str = "boids", first: int = 0
) -> tuple[list[FlockFrame], list[FlockFrame]]:
    """Return the flock of each frame: once with absent boids as nan, once without them."""
    draw = np.random.default_rng(seed)
    start = draw.uniform(10, 90, (EVER, dims))
    velocities = draw.normal(0, 3, (EVER, dims))
    box = space(dims, boundary)
    exists = presence(seed)
    full, present = [], []
    for k in range(FRAMES):
        positions = box.wrap(start + k * velocities)
        kept = exists[k]
        boids = flock(positions, velocities, box, name, first + np.arange(EVER))
        boids = replace(boids, traits={"rules.go.weight": np.linspace(0, 1, EVER)})
        hidden = (np.where(kept[:, None], each, np.nan) for each in (positions, velocities))
        full.append(replace(boids, **dict(zip(("positions", "velocities"), hidden, strict=True))))
        rows = np.flatnonzero(kept)
        present.append(
            replace(
                boids, ids=boids.ids[rows], positions=positions[rows], velocities=velocities[rows],
                perch_timers=boids.perch_timers[rows], births=None, memory=None, n_ever=EVER,
                traits={"rules.go.weight": boids.traits["rules.go.weight"][rows]},
            )
        )  # fmt: skip
    return full, present


def pictures(
    frames: Sequence[Frame], view: View, looks: dict[str, Look] | None = None,
    passes: Sequence[str] = (),
) -> list[np.ndarray]:  # fmt: skip
    painter = Painter(frames[0].space, view, looks, passes=passes)
    out = []
    for moment in frames:
        out.append(painter.draw(moment).astype(int))
        out += [painter.passes[name].astype(int) for name in passes]
    return out


VIEWS = {
    "darts": {},
    "birds": {"style": "dusk"},
    "trails": {"trails": 5},
    "blur": {"motion_blur": 360.0, "trails": 3},
    "density": {"shading": "density"},
    "headings": {"colour_by": "heading", "trails": 2},
    "speeds": {"colour_by": "speed"},
    "numbers": {"colour_by": "weight", "trails": 4, "text": True, "colour_range": (0.0, 1.0)},
    "phases": {"colour_by": "weight", "colour_map": "cyclic", "shading": "density"},
    "followed": {"camera": FOLLOW, "text": True},
    "turning": {"camera": Camera(turn=90.0, follow="flock"), "motion_blur": 180.0},
}


@pytest.mark.parametrize("settings", VIEWS)
@pytest.mark.parametrize(("dims", "boundary"), [(2, "periodic"), (2, "open"), (3, "open")])
def test_a_boid_that_is_absent_leaves_no_trace(settings, dims, boundary):
    view = plain(boid_size=5, **VIEWS[settings])
    full, present = films(dims, boundary)
    drawn = pictures([frame(boids, step=k) for k, boids in enumerate(full)], view)
    for k, picture in enumerate(
        pictures([frame(boids, step=k) for k, boids in enumerate(present)], view)
    ):
        assert (picture == drawn[k]).all(), f"frame {k}"
    assert (drawn[0] != drawn[1]).any()


@pytest.mark.parametrize("settings", ["birds", "trails", "blur", "numbers", "followed"])
def test_two_flocks_whose_numbers_change(settings):
    view = plain(boid_size=4, **VIEWS[settings])
    looks = {"hawks": Look(scale=2, colour="#ff0000")}
    both = [films(3, "open", seed, name, first)
            for seed, name, first in ((1, "boids", 0), (2, "hawks", FIRST_ID))]  # fmt: skip
    drawn, without = (
        pictures([frame(both[0][kind][k], both[1][kind][k], step=k) for k in range(FRAMES)], view,
                 looks)
        for kind in (0, 1)
    )  # fmt: skip
    for k in range(FRAMES):
        assert (drawn[k] == without[k]).all(), f"frame {k}"


@pytest.mark.parametrize("dims", [2, 3])
def test_passes(dims):
    view, passes = plain(boid_size=5), ("motion", "depth")[: dims - 1]
    full, present = films(dims, "open")
    drawn, without = (
        pictures([frame(boids, step=k) for k, boids in enumerate(kind)], view, None, passes)
        for kind in (full, present)
    )
    for k, (first, second) in enumerate(zip(drawn, without, strict=True)):
        assert (first == second).all(), f"picture {k}"


def test_no_line_from_one_boid_to_the_next():
    """A boid leaves on the left and another one, in the same row, joins on the right."""
    view = plain(trails=6, boid_size=2, motion_blur=360.0)
    frames = [frame(flock([(10.0 + k, 20.0)], ids=[0]), step=k) for k in range(3)]
    frames += [frame(flock([(90.0 - k, 80.0)], ids=[1]), step=3 + k) for k in range(3)]
    painter = Painter(space(), view)
    *_, last = (painter.draw(moment).astype(int) for moment in frames)
    bare = Painter(space(), view).draw(frame(empty(2))).astype(int)
    rows, columns = np.nonzero(np.abs(last - bare).sum(axis=2))
    x, y = where(painter, (88, 80))
    assert np.abs(rows - y).max() < 6
    assert columns.min() > x - 8 and columns.max() < 320


@pytest.mark.parametrize("dims", [2, 3])
@pytest.mark.parametrize("settings", VIEWS)
def test_no_boid_now_or_ever(dims, settings):
    view = plain(**{"text": True, **VIEWS[settings], "colour_range": (0.0, 1.0)})
    _, present = films(dims, "open")
    none = replace(empty(dims), traits={"rules.go.weight": np.zeros(0)})
    bare = pictures([frame(none, step=k) for k in range(3)], view)
    assert (bare[1].shape == bare[0].shape) and (bare[0][40:] == bare[2][40:]).all()
    some = [none, none, *present, none, none]
    drawn = pictures([frame(boids, step=k) for k, boids in enumerate(some)], view)
    assert (drawn[0] == bare[0]).all()
    if view.camera == SPACE:
        assert (drawn[-1][40:] == bare[0][40:]).all()


@pytest.mark.parametrize("dims", [2, 3])
def test_the_camera_finds_a_flock_that_comes_later(dims):
    """After some seconds its view is the same as if the flock had been there from the start."""
    view = plain(camera=Camera(follow="flock", elevation=50.0), frames_per_second=10.0)
    _, present = films(dims, "open")
    frames = [frame(present[0], step=k) for k in range(160)]
    late, early = Painter(space(dims), view), Painter(space(dims), view)
    for k in range(5):
        late.next_projection(frame(empty(dims), step=k))
    for moment in frames:
        last = late.next_projection(moment), early.next_projection(moment)
    screens = [each.project(each.nearest_offsets(present[0].positions)) for each in last]
    assert np.abs(screens[0].x - screens[1].x).max() < 2.0
    assert np.abs(screens[0].y - screens[1].y).max() < 2.0


def test_the_camera_stays_where_the_last_boid_was():
    painter = Painter(space(), plain(camera=FOLLOW))
    for k in range(5):
        before = painter.next_projection(frame(flock([(20.0, 30.0), (30.0, 35.0)]), step=k))
    after = painter.next_projection(frame(empty(2), step=5))
    assert (after.centre, after.zoom) == (before.centre, before.zoom)


class TestSizes:
    """Boids become smaller in larger flocks, slowly, so that they do not jump."""

    def lengths(self, counts):
        painter = Painter(space(), plain())
        lengths = []
        for k, count in enumerate(counts):
            boids = flock(np.full((count, 2), 50.0)) if count else empty(2)
            painter.draw(frame(boids, step=k))
            lengths.append(painter.boid_length)
        return lengths

    def test_a_constant_number_keeps_its_size(self):
        assert len(set(self.lengths([400] * 5))) == 1

    def test_a_film_that_begins_without_boids(self):
        assert self.lengths([0, 0, 4000])[-1] == self.lengths([4000])[0]

    def test_it_follows_the_number(self):
        lengths = self.lengths([100, *[3000] * 240])
        assert max(before / after for before, after in pairwise(lengths)) < 1.03
        assert lengths[-1] == pytest.approx(self.lengths([3000])[0], rel=0.02)


def test_the_measured_flock_does_not_change_back_and_forth():
    """The polarization is that of the flock that was largest so far."""
    from murmurate.show.text import StatusLine

    status = StatusLine(Painter(space(), plain())._style, 640, 360)
    aligned, mixed = (
        lambda n: flock(np.full((n, 2), 9.0)) if n else empty(2),
        lambda n: flock(np.full((n, 2), 9.0), name="hawks") if n else empty(2, "hawks"),
    )
    names = [status.measured(frame(aligned(n), mixed(m))).name
             for n, m in [(9, 3), (2, 3), (0, 3), (0, 12), (10, 1)]]  # fmt: skip
    assert names == ["boids", "boids", "boids", "hawks", "hawks"]


@pytest.mark.slow  # as long as its boids take to leave
def test_the_stream_of_the_documentation():
    """docs/stream.toml runs, and its boids enter and leave."""
    model = mm.load(DOCS / "stream.toml")
    region = {"kind": "box", "lower": [20.0, 0.0], "upper": [60.0, 34.0]}  # they leave soon
    model = model.set({"population.exit.region": region})
    simulation = mm.Simulation(model, 1, engine="reference")
    painter = Painter(model.space, model.view.model_copy(update={"size": (160, 90)}))
    for _ in range(12):
        painter.draw(simulation.step(10).frame)
    fish = simulation.frame["fish"]
    assert 0 < len(fish) < fish.n_ever
    assert simulation.frame["fish"].positions[:, 0].max() < 20.0

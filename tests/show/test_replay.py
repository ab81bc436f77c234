"""Packed replays: round trips and metadata."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_frames import cloud, empty, film_of, flock, frame, space

import murmurate as mm
from murmurate.errors import ShowError
from murmurate.model.obstacles import Sphere
from murmurate.show.replay import (
    COSTLY_BOIDS,
    LEVELS,
    ReplayBuilder,
    check_size,
    decode,
    dequantize,
    encode,
    quantize,
)

SHARED = Path(__file__).parents[2] / "viewer" / "test" / "flights.json"


def build_replay(film_frames, model=None, costly_boids=COSTLY_BOIDS, **more):
    builder = ReplayBuilder(costly_boids=costly_boids)
    for moment in film_frames:
        builder.add(moment)
    return builder.build(model, **more)


def places_of(replay):
    head = replay.head
    return decode(replay.payload, head["frames"], head["count"], head["dims"], order=head["order"])


def decoded(replay):
    """Return positions (T, N, D), and half a level along each axis."""
    head, dims = replay.head, replay.head["dims"]
    side = np.array(head["side"][:dims])
    where = dequantize(places_of(replay), np.array(head["lower"][:dims]), side)
    return where, side / LEVELS / 2


def wandering(frames, count, dims, seed=0, step=900):
    """Return levels (T, N, D) uint16 of boids that circle slowly on a torus."""
    draw = np.random.default_rng(seed)
    steps = np.cumsum(draw.normal(0, step / 30, (frames, count, dims)), axis=0)
    start = draw.uniform(0, LEVELS, (count, dims))
    return (start + np.cumsum(step + steps, axis=0)).astype(np.int64).astype(np.uint16)


@settings(max_examples=60, deadline=None)
@given(
    frames=st.integers(1, 12), count=st.integers(0, 9), dims=st.integers(2, 3),
    seed=st.integers(0, 2**32), smooth=st.booleans(),
)  # fmt: skip
def test_round_trip(frames, count, dims, seed, smooth):
    draw = np.random.default_rng(seed)
    levels = draw.integers(0, LEVELS, (frames, count, dims)).astype(np.uint16)
    if smooth:
        levels = wandering(frames, count, dims, seed)
    order, payload = encode(list(levels))
    assert np.array_equal(decode(payload, frames, count, dims, order), levels)


@pytest.mark.parametrize("extreme", [0, 1, 32767, 32768, 65535])
def test_jumps_of_any_length(extreme):
    levels = np.array([0, extreme, 0, extreme, extreme, 65535, 0], np.uint16).reshape(-1, 1, 1)
    both = np.repeat(levels, 2, axis=2)
    order, payload = encode(list(both))
    assert np.array_equal(decode(payload, 7, 1, 2, order), both)


def test_many_boids_are_packed_in_blocks():
    levels = wandering(20, 300, 3)
    at_once = encode(list(levels))
    order, payload = encode(list(levels), block=20 * 7)
    assert (order, payload) == at_once
    assert np.array_equal(decode(payload, 20, 300, 3, order), levels)


def test_a_smooth_flight_packs_small():
    levels = wandering(300, 100, 3, step=100)
    assert len(encode(list(levels))[1]) < 0.6 * levels.nbytes


def test_the_best_order_is_taken():
    still = np.repeat(wandering(1, 50, 2), 40, axis=0)
    assert encode(list(still))[0] == 1
    draw = np.random.default_rng(3)
    straight = np.cumsum(np.cumsum(draw.integers(-9, 10, (40, 50, 2)), axis=0), axis=0)
    assert encode(list(straight.astype(np.uint16)))[0] == 2
    assert encode(list(np.cumsum(straight, axis=0).astype(np.uint16)))[0] == 3


@pytest.mark.parametrize("broken", ["", "AAAA", "no base64!", None])
def test_a_broken_flight_is_an_error(broken):
    order, payload = encode(list(wandering(5, 4, 2)))
    broken = payload[: len(payload) // 8 * 4] if broken is None else broken
    with pytest.raises(ValueError, match="replay"):
        decode(broken, 5, 4, 2, order)
    with pytest.raises(ValueError, match="bytes"):
        decode(payload, 6, 4, 2, order)


@settings(max_examples=60, deadline=None)
@given(
    where=st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=2),
    lower=st.floats(-1e3, 1e3), side=st.floats(1e-3, 1e4), periodic=st.booleans(),
)  # fmt: skip
def test_a_position_is_within_half_a_level(where, lower, side, periodic):
    corner, sides = np.full(2, lower), np.full(2, side)
    if not periodic:
        where = np.clip(where, lower, lower + side)
    got = dequantize(
        quantize(np.array([where]), corner, sides, np.full(2, periodic)), corner, sides
    )
    off = got[0] - where
    if periodic:
        off -= side * np.round(off / side)
    assert np.abs(off).max() <= side / LEVELS / 2 * (1 + 1e-6) + 1e-9 * np.abs(where).max()


@pytest.mark.parametrize("dims", [2, 3])
@pytest.mark.parametrize("boundary", ["open", "periodic", "reflecting", "held"])
@pytest.mark.parametrize(("frames", "count"), [(1, 1), (2, 1), (3, 5), (40, 30)])
def test_positions_of_a_flight(dims, boundary, frames, count):
    where = space(dims, boundary)
    film_frames = [
        frame(cloud(count, dims, seed=1, drift=0.7 * k, spread=3, where=where), step=k)
        for k in range(frames)
    ]
    got, half = decoded(build_replay(film_frames))
    for moment, positions in zip(film_frames, got, strict=True):
        assert (np.abs(positions - moment["boids"].positions) <= half * (1 + 1e-6)).all()


def test_across_the_edge_of_a_torus():
    where = space(2, "periodic")
    film_frames = [frame(flock([[99.0 + k, 50.0 - 30 * k]], where=where), step=k) for k in range(9)]
    replay = build_replay(film_frames)
    got, half = decoded(replay)
    assert ((got >= 0) & (got < 100)).all()
    want = np.array([m["boids"].positions for m in film_frames]) % 100
    assert (np.abs(got - want) <= half * (1 + 1e-6)).all()
    assert replay.head["periodic"] == [True, True, False]
    assert replay.head["lower"] == [0.0, 0.0, 0.0] and replay.head["side"] == [100.0, 100.0, 1.0]


def test_mixed_axes():
    where = mm.Space(size=(100, 100, 100), boundary=("periodic", "open", "held"))
    film_frames = [
        frame(flock([[k * 60.0, 500.0 * k, 20.0], [0, -30, 90]], where=where), step=k)
        for k in range(4)
    ]
    replay = build_replay(film_frames)
    got, half = decoded(replay)
    want = np.array([m["boids"].positions for m in film_frames])
    want[..., 0] %= 100
    assert (np.abs(got - want) <= half * (1 + 1e-6)).all()
    assert replay.head["lower"] == [0.0, -30.0, 0.0] and replay.head["side"] == [100, 1530, 100]


def test_a_flock_in_a_plane_and_one_at_rest():
    for positions in ([[5.0, 7.0, 3.0]], [[1.0, 2.0, 3.0], [4.0, 2.0, 3.0]]):
        got, half = decoded(build_replay([frame(flock(positions))] * 2))
        assert (np.abs(got - np.array(positions)) <= half * (1 + 1e-6)).all()
        assert (half > 0).all()


def test_flocks_are_concatenated():
    film_frames = [
        frame(cloud(4, 2, seed=k), flock([[k, k]], name="falcons"), step=k) for k in range(3)
    ]
    replay = build_replay(film_frames)
    got, half = decoded(replay)
    assert replay.head["count"] == 5
    assert [f["name"] for f in replay.head["scene"]["flocks"]] == ["boids", "falcons"]
    assert (np.abs(got[:, 4] - [[0, 0], [1, 1], [2, 2]]) <= half * (1 + 1e-6)).all()


def test_no_boids():
    replay = build_replay([frame(empty(2))] * 3)
    assert replay.head["count"] == 0 and places_of(replay).shape == (3, 0, 2)
    assert replay.head["measures"]["boids"]["speed"] == [None] * 3


def test_the_head_is_json():
    model = mm.load("parker")
    sim = mm.Simulation(model.set({"flocks.boids.count": 6}), seed=2, engine="reference")
    replay = build_replay(mm.frames(sim, 6, 2), sim.model, toml="x = 1", comment="made by hand")
    head = json.loads(json.dumps(replay.head, allow_nan=False))
    assert head["version"] == 1 and (head["frames"], head["count"]) == (3, 6)
    assert head["steps"] == {"first": 2, "step": 2}
    assert head["times"] == {"first": 2 * model.dt, "step": 2 * model.dt}
    assert head["scene"]["title"] == model.title
    assert head["scene"]["view"]["style"] == model.view.style
    assert head["every_seconds"] == pytest.approx(1 / model.view.frames_per_second)
    assert (head["toml"], head["comment"]) == ("x = 1", "made by hand")
    assert head["fastest"] >= max(np.linalg.norm(sim.frame["boids"].velocities, axis=1)) * 0.999


def test_measures_are_the_flocks_own():
    film_frames = list(film_of(4, boids=7))
    measures = build_replay(film_frames).head["measures"]["boids"]
    for name in ("speed", "polarization", "milling", "nearest_neighbour_distance"):
        want = [getattr(mm.measures, name)(moment["boids"]) for moment in film_frames]
        assert measures[name] == pytest.approx(want, rel=1e-4)
    assert build_replay([frame(cloud(1))]).head["measures"]["boids"][
        "nearest_neighbour_distance"
    ] == [None]


def test_costly_measures_of_large_flocks_are_computed_for_every_tenth_frame():
    row = build_replay(film_of(21), costly_boids=5).head["measures"]["boids"][
        "nearest_neighbour_distance"
    ]
    assert [k for k, value in enumerate(row) if value is not None] == [0, 10, 20]


def test_uneven_times_are_written_out():
    film_frames = [frame(cloud(3), step=step) for step in (0, 1, 5)]
    assert build_replay(film_frames).head["steps"] == [0, 1, 5]
    assert build_replay(film_frames).head["times"] == pytest.approx([0, 0.1, 0.5])


def test_obstacles_that_move_leave_tracks():
    def balls(k):
        return {
            "rock": Sphere(centre=(1, 2), radius=3),
            "pendulum": Sphere(centre=(k, 2), radius=3),
        }

    scene = build_replay([frame(cloud(3), step=k, obstacles=balls(k)) for k in range(3)]).head[
        "scene"
    ]
    tracks = json.loads(json.dumps(scene["obstacle_tracks"]))
    assert tracks == {"pendulum": {"position": [[0, 2, 0], [1, 2, 0], [2, 2, 0]]}}
    assert [o["name"] for o in scene["obstacles"]] == ["rock", "pendulum"]
    still = build_replay([frame(cloud(3), obstacles=balls(0))] * 2).head["scene"]
    assert "obstacle_tracks" not in still


@pytest.mark.parametrize(
    "second", [cloud(4), flock([[1, 1]] * 3, name="others"), cloud(3, where=space(2, "held"))]
)
def test_frames_that_do_not_fit(second):
    builder = ReplayBuilder()
    builder.add(frame(cloud(3)))
    with pytest.raises(ShowError, match="same boids"):
        builder.add(frame(second, step=1))


def test_a_position_that_is_no_number():
    with pytest.raises(ShowError, match="step 3"):
        ReplayBuilder().add(frame(flock([[math.nan, 1.0]]), step=3))


def test_no_frame():
    with pytest.raises(ShowError, match="no frame"):
        ReplayBuilder().build()


def test_too_large_is_refused_with_what_fits():
    check_size(10_000, 3000, 3)
    with pytest.raises(ShowError, match=r"at most 333 frames .* or 33,333 boids"):
        check_size(100_000, 1000, 3)


def test_replays_that_python_and_the_viewer_decode():
    """The tests of the viewer read the same file. If the packing changes, write it again with
    `python tests/show/test_replay.py`."""
    flights = json.loads(SHARED.read_text())
    assert [flight["places"] for flight in flights] == [f["places"] for f in made_to_share()]
    for flight in flights:
        head = flight["head"]
        got = decode(flight["payload"], head["frames"], head["count"], head["dims"], head["order"])
        assert got.ravel().tolist() == flight["places"]


def made_to_share():
    """Small flights: a torus, an open plane with a moving obstacle, one boid in one frame."""
    draw = np.random.default_rng(7)
    torus = space(3, "periodic")
    rounds = [
        frame(flock(50 + draw.normal(0, 1, (4, 3)) + 13 * k, where=torus), step=k)
        for k in range(12)
    ]
    plane = [
        frame(
            flock(np.array([[0, 0], [9.0, 1]]) + k * np.array([[3, 4], [0, -2.0]])),
            flock([[5.0, 5.0]], name="falcons"),
            step=2 * k,
            obstacles={"rock": Sphere(centre=(k, 0), radius=2)},
        )
        for k in range(5)
    ]
    return [
        {
            "head": replay.head,
            "payload": replay.payload,
            "places": places_of(replay).ravel().tolist(),
        }
        for replay in (
            build_replay(rounds),
            build_replay(plane),
            build_replay([frame(flock([[1.0, 2.0]]))]),
        )
    ]


if __name__ == "__main__":
    SHARED.write_text(json.dumps(made_to_share(), separators=(",", ":")) + "\n")


class TestGaps:
    """Boids that are not observed in some frames, as animals in tracks."""

    @staticmethod
    def frames(levels, boundary="open"):
        from murmurate.measures import of_tracks

        space_of = mm.Space(size=(10.0, 10.0), boundary=boundary)
        return list(of_tracks(np.asarray(levels, float), 0.1, space_of))

    @staticmethod
    def packed(film_frames):
        builder = ReplayBuilder(gaps=True)
        for moment in film_frames:
            builder.add(moment)
        return builder.build()

    @pytest.mark.parametrize("boundary", ["open", "periodic"])
    def test_they_are_listed_and_stay_where_they_were_seen(self, boundary):
        nan = np.nan
        x = np.array([[1.0, 2, 3, 4, 5, 6], [nan, nan, 4, 5, nan, 6], [7, nan, nan, 8, 8, nan]])
        levels = np.stack([x.T, x.T / 2], axis=2)
        replay = self.packed(self.frames(levels, boundary))
        assert replay.head["unseen"] == [(1, 0, 1), (1, 4, 4), (2, 1, 2), (2, 5, 5)]
        where, half = decoded(replay)
        want = np.array([[1.0, 2, 3, 4, 5, 6], [4, 4, 4, 5, 5, 6], [7, 7, 7, 8, 8, 8]]).T
        assert np.abs(where[..., 0] - want).max() <= half[0] * 1.001
        assert math.isfinite(replay.head["fastest"]) and replay.head["fastest"] > 0
        json.dumps(replay.head, allow_nan=False)

    def test_without_gaps_the_head_is_as_ever(self):
        film_frames = self.frames(np.ones((3, 2, 2)))
        assert self.packed(film_frames).head == build_replay(film_frames).head

    def test_one_that_is_never_seen(self):
        levels = np.ones((3, 2, 2))
        levels[:, 1] = np.nan
        assert self.packed(self.frames(levels)).head["unseen"] == [(1, 0, 2)]
        with pytest.raises(ShowError, match="no boid is observed in any frame"):
            self.packed(self.frames(levels * np.nan))

    def test_a_flight_has_none(self):
        levels = np.ones((3, 2, 2))
        levels[1, 1] = np.nan
        with pytest.raises(ShowError, match="not finite"):
            build_replay(self.frames(levels))

    @settings(max_examples=40, deadline=None)
    @given(seed=st.integers(0, 2**32), share=st.floats(0, 0.95))
    def test_every_gap_is_listed(self, seed, share):
        draw = np.random.default_rng(seed)
        levels = draw.uniform(0, 10, (9, 4, 2))
        hidden = draw.random((9, 4)) < share
        hidden[0, 0] = False
        levels[hidden] = np.nan
        head = self.packed(self.frames(levels)).head
        listed = np.zeros_like(hidden)
        for boid, first, last in head.get("unseen", []):
            assert not listed[first : last + 1, boid].any()
            listed[first : last + 1, boid] = True
        assert np.array_equal(listed, hidden)

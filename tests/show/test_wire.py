"""Frames as bytes: pages decode them to within half a quantisation level."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import wire_decoder
from murmurate.frame import FlockFrame, Frame
from murmurate.model.space import Space
from murmurate.show import wire_format


def frame_of(space: Space, *flocks: tuple[object, object], step: int = 7) -> Frame:
    by_name = {}
    first = 0
    for k, (positions, velocities) in enumerate(flocks):
        p, v = (np.array(a, float).reshape(-1, space.dims) for a in (positions, velocities))
        name = f"flock{k}"
        ids = np.arange(first, first + len(p))
        by_name[name] = FlockFrame(name, ids, p, v, np.zeros(len(p), np.int64), space)
        first += len(p)
    return Frame(step, step * 0.5, space, by_name)


@pytest.mark.parametrize("boundary", ["periodic", "held", "reflecting"])
@pytest.mark.parametrize("dims", [2, 3])
def test_positions_are_within_half_a_level(boundary: str, dims: int) -> None:
    space = Space(size=(30.0, 20.0, 10.0)[:dims], origin=(-5.0, 3.0, 0.1)[:dims], boundary=boundary)
    random = np.random.default_rng(1)
    positions = np.array(space.lower) + np.array(space.size) * random.random((500, dims))
    got = wire_decoder.decode(
        wire_format.encode(frame_of(space, (positions, random.normal(size=(500, dims)))))
    )
    assert got.dims == dims
    assert (np.abs(got.positions - positions) <= np.array(space.size) / 131072 * 1.001).all()
    np.testing.assert_array_equal(got.side[:dims], np.float32(space.size))
    if dims == 2:
        assert got.lower[2] == 0 and got.side[2] == 1


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_open_axes_have_the_bounds_of_the_frame(dtype: str) -> None:
    space = Space(size=(1.0, 1.0))
    positions = np.array([[-1e5, 3.0], [2e5, 3.0], [0.1, 3.0]]).astype(dtype).astype(float)
    got = wire_decoder.decode(wire_format.encode(frame_of(space, (positions, np.ones((3, 2))))))
    assert (got.lower[:2] <= positions.min(axis=0)).all()
    assert (got.lower[:2] + got.side[:2] >= positions.max(axis=0)).all()
    assert (np.abs(got.positions - positions) <= got.side[:2] / 131072 * 1.001).all()
    assert 3e5 <= got.side[0] < 3.0001e5
    assert 0 < got.side[1] < 1e-5


def test_faces_of_a_torus() -> None:
    """The lower face is the first cell, just below the upper face the last."""
    space = Space(size=(16.0, 16.0), boundary="periodic")
    under = np.nextafter(16.0, 0.0)
    data = wire_format.encode(frame_of(space, ([[0, 0], [under, 16.0], [8, 4]], np.ones((3, 2)))))
    records = np.frombuffer(data, wire_format.RECORDS, offset=wire_format.HEADER)
    assert records["position"].tolist() == [[0, 0, 0], [65535, 65535, 0], [32768, 16384, 0]]


def test_headings_and_speeds() -> None:
    space = Space(size=(4.0, 4.0, 4.0))
    velocities = np.array([[3.0, 0, 4.0], [0, 0, 0], [0, -2.5, 0], [1e-9, 0, 0]])
    data = wire_format.encode(frame_of(space, (np.ones((4, 3)), velocities)))
    got = wire_decoder.decode(data)
    assert got.fastest == 5.0
    assert got.speeds.tolist()[:2] == [5.0, 0.0]
    assert abs(got.speeds[2] - 2.5) <= 5.0 / 131070
    records = np.frombuffer(data, wire_format.RECORDS, offset=wire_format.HEADER)
    assert records["heading"].tolist() == [[76, 0, 102], [0, 0, 0], [0, -127, 0], [127, 0, 0]]


def test_headings_of_boids_that_perch_are_level_and_shorter() -> None:
    space = Space(size=(4.0, 4.0, 4.0))
    velocities = np.array([[3.0, -4.0, 5.0], [0, 0, -2.0], [0, 0, 0], [3.0, 0, 4.0]])
    moment = frame_of(space, (np.ones((4, 3)), velocities))
    (flock,) = moment.values()
    flock = replace(flock, perch_timers=np.array([5, 1, 2, 0]))
    data = wire_format.encode(replace(moment, flocks={flock.name: flock}))
    records = np.frombuffer(data, wire_format.RECORDS, offset=wire_format.HEADER)
    assert records["heading"].tolist() == [[38, -50, 0], [63, 0, 0], [63, 0, 0], [76, 0, 102]]
    assert records["speed"][3] == 46340


def test_random_headings_are_as_fine_as_a_byte() -> None:
    space = Space(size=(4.0, 4.0, 4.0))
    random = np.random.default_rng(2)
    velocities = random.normal(size=(1000, 3))
    got = wire_decoder.decode(
        wire_format.encode(frame_of(space, (random.random((1000, 3)), velocities)))
    )
    speeds = np.linalg.norm(velocities, axis=1)
    assert np.abs(got.headings - velocities / speeds[:, None]).max() <= 0.5 / 127 + 1e-6
    assert np.abs(got.speeds - speeds).max() <= got.fastest / 131070 * 1.01


def test_flocks_are_concatenated_and_neighbours_clipped() -> None:
    space = Space(size=(10.0, 10.0), boundary="held")
    frame = frame_of(space, ([[1, 1], [2, 2]], np.ones((2, 2))), ([[9, 9]], [[1, 0]]))
    got = wire_decoder.decode(wire_format.encode(frame, 5, 24.0, np.array([3, 255, 1000])))
    assert np.abs(got.positions - [[1, 1], [2, 2], [9, 9]]).max() < 1e-3
    assert got.neighbours.tolist() == [3, 255, 255]
    assert (got.flags, got.scene, got.rate, got.step, got.time) == (1, 5, 24.0, 7.0, 3.5)
    none = wire_decoder.decode(wire_format.encode(frame))
    assert none.flags == 0 and not none.neighbours.any()


def test_lost_boids_do_not_change_the_others() -> None:
    space = Space(size=(10.0, 10.0))
    positions = [[1.0, 2.0], [np.nan, np.inf], [3.0, 4.0]]
    got = wire_decoder.decode(
        wire_format.encode(frame_of(space, (positions, [[1, 0], [np.inf, np.nan], [0, 1]])))
    )
    assert np.isfinite(got.positions).all() and np.isfinite(got.speeds).all()


def test_no_boids_at_all() -> None:
    got = wire_decoder.decode(
        wire_format.encode(frame_of(Space(size=(1.0, 1.0)), (np.zeros((0, 2)), [])))
    )
    assert got.positions.shape == (0, 2) and got.fastest == 0


def test_other_bytes_are_refused() -> None:
    good = bytes(wire_format.encode(frame_of(Space(size=(1.0, 1.0)), ([[0, 0]], [[0, 0]]))))
    for bad in (b"", good[:50], good[:-1], b"x" + good[1:]):
        with pytest.raises(ValueError):
            wire_decoder.decode(bad)


def test_boids_that_come_and_go_have_their_indices() -> None:
    space = Space(size=(10.0, 10.0), boundary="held")
    frame = frame_of(space, ([[1, 1], [2, 2]], np.ones((2, 2))), ([[9, 9]], [[1, 0]]))
    flocks = dict(frame.flocks)
    flocks["flock0"] = replace(flocks["flock0"], n_ever=9)
    frame = Frame(frame.step, frame.time, space, flocks)
    got = wire_decoder.decode(wire_format.encode(frame, indices=[np.array([3, 8]), np.array([0])]))
    assert got.flags == wire_format.CHANGING
    assert got.numbers is not None and got.numbers.tolist() == [[2, 9], [1, 1]]
    assert got.indices is not None and got.indices.tolist() == [3, 8, 0]
    assert np.abs(got.positions - [[1, 1], [2, 2], [9, 9]]).max() < 1e-3


@pytest.mark.parametrize("indices", [None, [np.array([0, 1, 2]), np.array([5])]])
def test_a_number_of_each_boid(indices: list[np.ndarray] | None) -> None:
    """Boids of flocks without the number, and numbers that are not finite, have no level."""
    space = Space(size=(10.0, 10.0), boundary="held")
    frame = frame_of(space, (np.ones((3, 2)), np.ones((3, 2))), ([[9, 9]], [[1, 0]]))
    flocks = dict(frame.flocks)
    weights = np.array([-2.0, np.nan, 6.5])
    flocks["flock0"] = replace(flocks["flock0"], traits={"rules.cohesion.weight": weights})
    frame = Frame(frame.step, frame.time, space, flocks)
    number = (4, "rules.cohesion.weight")
    got = wire_decoder.decode(wire_format.encode(frame, number=number, indices=indices))
    assert got.which == 4 and got.values is not None
    np.testing.assert_allclose(got.values, [*weights, np.nan], atol=8.5 / 131068)


def test_one_value_of_all_boids_is_kept() -> None:
    space = Space(size=(10.0, 10.0), boundary="held")
    frame = frame_of(space, (np.ones((3, 2)), np.ones((3, 2))))
    flock = replace(frame["flock0"], traits={"motion.speed": np.full(3, 1.5)})
    frame = Frame(frame.step, frame.time, space, {"flock0": flock})
    got = wire_decoder.decode(wire_format.encode(frame, number=(0, "motion.speed")))
    assert got.values is not None and got.values.tolist() == [1.5] * 3

"""Certificates in closed form."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from shows import move, show

import murmurate as mm
from murmurate.errors import FlightError
from murmurate.flights.certificate import certify
from murmurate.flights.limits import Certificate, Finding, Limits
from murmurate.flights.obstacles import Obstacles
from murmurate.flights.trajectory import Flight, path_through

Array = np.ndarray


def finding(certificate: Certificate, quantity: str) -> Finding:
    return next(item for item in certificate.findings if item.quantity == quantity)


def line(name: str, times: list[float], positions: object) -> Flight:
    nothing = np.zeros(0), np.zeros((0, 3))
    return path_through(name, np.array(times), np.array(positions, float), *nothing)


def test_the_smooth_step() -> None:
    """Its largest speed, acceleration and jerk are 35/16 L/T, 7.5132 L/T^2 and 52.5 L/T^3."""
    flight = Flight((move("a", np.array([0, 0, 5.0]), np.array([30.0, 0, 5.0]), 0.0, 10.0),))
    certificate = certify(flight)
    for name, value, time in (
        ("horizontal speed", 2.1875 * 3, 5.0),
        ("acceleration along x", 84 * np.sqrt(5) / 25 * 0.3, None),
        ("jerk along x", 52.5 * 0.03, 5.0),
    ):
        item = finding(certificate, name)
        assert item.value == pytest.approx(value, rel=1e-6) and item.drones == ("a",)
        assert time is None or item.time == pytest.approx(time, abs=1e-3)
    assert finding(certificate, "horizontal speed").position == pytest.approx((15, 0, 5), abs=0.01)
    assert certificate.holds and certificate.duration == 10


def test_two_drones_that_pass_between_their_times() -> None:
    """Lines that cross at right angles: the closest approach is in closed form."""
    first = line("a", [0, 10], [[0, 0, 9], [40, 0, 9]])
    second = line("b", [0, 10], [[22, -20, 9], [22, 20, 9]])
    certificate = certify(Flight((first, second)))
    item = finding(certificate, "distance between drones")
    assert item.value == pytest.approx(np.sqrt(2.0), abs=1e-6) and item.drones == ("a", "b")
    assert item.time == pytest.approx(5.25, abs=1e-3)
    assert item.position == pytest.approx((21.5, 0.5, 9), abs=0.01)
    assert [v.quantity for v in certificate.violations if len(v.drones) == 2] == [item.quantity]


def test_drones_with_other_times_and_degrees() -> None:
    """One rests after its path ends; the other comes later, on a curve."""
    first = line("a", [0, 1.37, 2.9], [[0, 0, 9], [4, 0, 9], [9, 0, 9]])
    second = move("b", np.array([9.0, 50.0, 9.0]), np.array([9.0, 2.5, 9.0]), 3.3, 41.7)
    item = finding(certify(Flight((first, second))), "distance between drones")
    assert item.value == pytest.approx(2.5, abs=1e-6) and item.time == pytest.approx(45, abs=0.5)


def test_no_pair_is_near() -> None:
    first, second = (line(n, [0, 1], [[x, 0, 9], [x, 0, 9]]) for n, x in (("a", 0), ("b", 50)))
    item = certify(Flight((first, second))).findings[0]
    assert item.value == 6 and not item.drones and not item.violated


def test_a_limit_that_is_just_kept_holds() -> None:
    grid = [line(f"d{k}", [0, 10], [[3 * k, 0.1, 0], [3 * k, 0.1, 0]]) for k in range(5)]
    assert certify(Flight(tuple(grid))).holds
    assert not certify(Flight(tuple(grid)), Limits(min_distance=3.0001)).holds


@pytest.mark.parametrize("rate", [2, 10, 30])
def test_acceleration_of_straight_lines(rate: int) -> None:
    """Each second the velocity grows by 1 m/s; at the end it is lost in half a line."""
    times = np.arange(4 * rate + 1) / rate
    positions = np.column_stack([times**2 / 2, 0 * times, 9 + 0 * times])
    flight = Flight((line("a", times.tolist(), positions),))
    item = finding(certify(flight), "acceleration")
    end = times[-1] - 0.5 / rate
    assert item.value == pytest.approx(end / max(0.5 / rate, 0.1)) and item.violated
    resting = np.vstack([positions, positions[-1:]])
    longer = line("a", [*times, times[-1] + 10], resting)  # the rest is a line too
    slow = finding(certify(Flight((longer,))), "acceleration")
    assert slow.value == pytest.approx(max(1.0, end / (5 + 0.5 / rate)), rel=1e-6)


def test_a_corner_is_an_acceleration() -> None:
    """A jump of the velocity between curves counts over 0.1 s."""
    shape = move("a", np.zeros(3), np.ones(3), 0, 4)
    corner = np.array([[0, 0, 9, 0], [2, 0, 9, 0], [4, 0, 9, 0]], float)
    points = np.stack([[corner[0], corner[0], corner[1], corner[1] + [1, 0, 0, 0]],
                       [corner[1] + [1, 0, 0, 0]] * 4])  # fmt: skip
    drone = replace(
        shape, name="c", times=np.array([0.0, 4.0, 8.0]), points=points, straight=np.zeros(2, bool)
    )
    speed = 3 * 1.0 / 4.0
    item = finding(certify(Flight((drone,))), "acceleration")
    assert item.value == pytest.approx(speed / 0.1, rel=1e-6) and item.time == pytest.approx(4.0)


def test_limits_of_height_and_of_turning() -> None:
    rows = [[0, 0, 1, 0], [0, 0, 160, 170], [0, 0, -1, 190]]
    violations = certify(
        Flight((line("a", [0, 100, 200], rows),)), Limits(max_yaw_rate=1.5)
    ).violations
    assert {(v.quantity, round(v.value, 6)) for v in violations} == {
        ("altitude", 160), ("lowest altitude", -1), ("yaw rate", 1.7),
    }  # fmt: skip
    for bad in (-1.0, float("nan"), float("inf")):
        with pytest.raises(FlightError, match="min_distance: got"):
            Limits(min_distance=bad)


def test_obstacles() -> None:
    """A sphere beside a straight path, at a scale; a disc of a plane is a pillar."""
    flight = Flight((line("a", [0, 10], [[-20, 0, 30], [20, 0, 30]]),))
    shapes = {"ball": mm.Sphere(centre=(1, 5, 10), radius=1.5)}
    item = finding(certify(flight, None, Obstacles(shapes, 3, 2.0, 4.0)), "distance to obstacles")
    assert item.value == pytest.approx(np.hypot(10, 6) - 3, abs=1e-5)
    assert item.position[0] == pytest.approx(2.0, abs=0.05)
    pillar = {"disc": mm.Sphere(centre=(1, 2.5), radius=1)}
    item = finding(certify(flight, None, Obstacles(pillar, 2, 2.0, 0.0)), "distance to obstacles")
    assert item.value == pytest.approx(3.0, abs=1e-5) and not item.violated
    moving = {"ball": mm.Sphere(centre=(1, mm.Ramp(begin=0, end=1, start=0, stop=2), 1), radius=1)}
    with pytest.raises(FlightError, match=r"obstacles\.ball: got a moving obstacle"):
        Obstacles(moving, 3, 1.0, 0.0)


def test_times_stretch_speeds() -> None:
    flight = show()
    before, after = (
        {f.quantity: f.value for f in certify(f, Limits(min_distance=0)).findings}
        for f in (flight, flight.stretched(2.0))
    )
    for name, order in (("horizontal speed", 1), ("acceleration", 2), ("jerk along x", 3)):
        assert after[name] == pytest.approx(before[name] / 2**order, rel=1e-5)
    for name in ("distance between drones", "altitude", "lowest altitude"):
        assert after[name] == pytest.approx(before[name], abs=1e-5)

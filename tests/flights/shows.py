"""Small flights in closed form, and a flock to export."""

from __future__ import annotations

import numpy as np

from murmurate.flights.trajectory import Drone, Flight

Array = np.ndarray
FLOCK = """
dt = 0.2

[space]
size = [60, 60, 60]

[flocks.birds]
count = 9
start = { kind = "lattice", spacing = 6, velocity = { kind = "heading", velocity = [1, 0.5, 0.2] } }
motion = { kind = "add", max_speed = 4 }

[view]
colour_by = "heading"
"""
"""Boids on a lattice, each with the same velocity for ever."""


def move(name: str, first: Array, last: Array, begin: float, span: float) -> Drone:
    """A straight way from rest to rest by the smooth step of degree 7, and a light that changes."""
    ends = np.zeros((2, 4))
    ends[0, : len(first)], ends[1, : len(last)] = first, last
    points = np.stack([ends[0]] * 4 + [ends[1]] * 4)[None]
    times = begin + np.array([0.0, span])
    colours = np.array([[255.0, 0.0, 16.0], [0.0, 128.0, 255.0]])
    return Drone(name, times, points, np.zeros(1, bool), times, colours)


def show() -> Flight:
    """Three drones: two with several pieces and a rest, and one with a single way."""
    rng = np.random.default_rng(3)
    drones = []
    for k in range(2):
        stops = 20.0 + rng.normal(0, 3, (6, 4)).cumsum(axis=0) + 15.0 * np.array([k, 0, 0, 0])
        stops[3] = stops[2]
        stops[:, 3] = 0.0
        points = np.stack([stops[:-1]] * 4 + [stops[1:]] * 4, axis=1)
        times = 3.2 * np.arange(6)
        lights = np.array([0.0, 2.0, 2.4, 16.0])
        colours = rng.integers(0, 256, (4, 3)).astype(float)
        drones.append(
            Drone(f"drone_{k + 1:04d}", times, points, np.zeros(5, bool), lights, colours)
        )
    drones.append(
        move("drone_0003", np.array([-9.0, 4.0, 3.0]), np.array([8.0, 2.0, 9.0]), 0.0, 16.0)
    )
    return Flight(tuple(drones))

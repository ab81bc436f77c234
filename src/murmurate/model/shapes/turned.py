"""Surfaces of revolution and prisms, from which outline.py makes triangles."""

from typing import NamedTuple


class Turned(NamedTuple):
    """A surface of revolution about z, or a prism, of unit size.

    profile  (radius, height) corners, such that the visible side is to the right of the way along
        them
    sides  corners of its cross section. The first one is half way between x and y.
    lines  how many lines are drawn along its profile, with one around each corner of the profile
    """

    profile: tuple[tuple[float, float], ...]
    sides: int
    lines: int = 0

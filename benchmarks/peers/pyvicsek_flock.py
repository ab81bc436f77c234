"""pyvicsek: its Vicsek model in 2-D with its compiled kernel, on one thread.

The density is four particles per unit area.
"""

from __future__ import annotations

from typing import Any

import vicsek
from timed_flock import Flock, serve
from vicsek.util.cell_list import neighbor_pairs


def flock(case: dict[str, Any], seed: int) -> Flock:
    boids, side, speed = case["boids"], (case["boids"] / 4) ** 0.5, 0.03
    particles = vicsek.initialize_random_particles(
        n_particles=boids, box_length=side, speed=speed, n_dimensions=2, seed=seed
    )
    model = vicsek.Vicsek(
        particles=particles, length=side, interaction_range=1.0, speed=speed, noise_factor=0.5
    )
    if not vicsek.kernel_enabled():
        raise SystemExit("pyvicsek: its compiled kernel is not available")

    def run(steps: int) -> None:
        for _ in range(steps):
            model.step()

    def neighbours() -> float:
        return len(neighbor_pairs(model.positions, side, 1.0)[0]) / boids

    return Flock(run, neighbours)


if __name__ == "__main__":
    serve(flock)

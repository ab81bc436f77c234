"""pyvicsek: its Vicsek model in two dimensions, four particles in a unit square, with its compiled
kernel on one thread."""

from __future__ import annotations

from typing import Any

import vicsek
from turns import Flock, serve
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
        raise SystemExit("pyvicsek has no compiled kernel here")

    def fly(steps: int) -> None:
        for _ in range(steps):
            model.step()

    def neighbours() -> float:
        return len(neighbor_pairs(model.positions, side, 1.0)[0]) / boids

    return Flock(fly, neighbours)


if __name__ == "__main__":
    serve(flock)

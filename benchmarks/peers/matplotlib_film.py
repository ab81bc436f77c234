"""matplotlib: a film of 400 boids and 5 predators, saved by FuncAnimation with ffmpeg.

Two scatter plots on 3-D axes show them. A step is a picture. The boids only drift, so that the time
of a simulation is not counted.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import imageio_ffmpeg
import matplotlib
import numpy as np
from timed_flock import Flock, serve

matplotlib.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.animation import FuncAnimation


def flock(case: dict[str, Any], seed: int) -> Flock:
    plt.rcParams["animation.ffmpeg_path"] = imageio_ffmpeg.get_ffmpeg_exe()
    random = np.random.default_rng(seed)
    positions = random.uniform(0, 100, (case["boids"], 3))
    velocities = random.uniform(-1, 1, (case["boids"], 3))

    def run(pictures: int) -> None:
        wide, high = case["size"]
        figure = plt.figure(figsize=(wide / 100, high / 100), dpi=100)
        axes = figure.add_subplot(projection="3d")
        axes.set(xlim=(0, 100), ylim=(0, 100), zlim=(0, 100))
        boids = axes.scatter(*positions[5:].T, c="tab:blue")
        predators = axes.scatter(*positions[:5].T, c="tab:red", s=100)

        def draw(picture: int) -> list[object]:
            moved = positions + picture * velocities
            boids._offsets3d = tuple(moved[5:].T)  # the usual way to move points in 3-D
            predators._offsets3d = tuple(moved[:5].T)
            return [boids, predators]

        with tempfile.TemporaryDirectory() as folder:
            FuncAnimation(figure, draw, frames=pictures).save(Path(folder) / "film.mp4", fps=24)
        plt.close(figure)

    return Flock(run, lambda: 0.0)


if __name__ == "__main__":
    serve(flock)

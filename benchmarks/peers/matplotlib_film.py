"""matplotlib: a film of four hundred boids and five predators, two scatters on 3-D axes, saved by
FuncAnimation with ffmpeg. A step is a picture; flying is not counted, for the boids only drift."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import imageio_ffmpeg
import matplotlib
import numpy as np
from turns import Flock, serve

matplotlib.use("Agg")
from matplotlib import pyplot as plt
from matplotlib.animation import FuncAnimation


def flock(case: dict[str, Any], seed: int) -> Flock:
    plt.rcParams["animation.ffmpeg_path"] = imageio_ffmpeg.get_ffmpeg_exe()
    random = np.random.default_rng(seed)
    places = random.uniform(0, 100, (case["boids"], 3))
    velocities = random.uniform(-1, 1, (case["boids"], 3))

    def fly(pictures: int) -> None:
        wide, high = case["size"]
        figure = plt.figure(figsize=(wide / 100, high / 100), dpi=100)
        axes = figure.add_subplot(projection="3d")
        axes.set(xlim=(0, 100), ylim=(0, 100), zlim=(0, 100))
        boids = axes.scatter(*places[5:].T, c="tab:blue")
        predators = axes.scatter(*places[:5].T, c="tab:red", s=100)

        def draw(picture: int) -> list[object]:
            now = places + picture * velocities
            boids._offsets3d = tuple(now[5:].T)  # the usual way to move points in 3-D
            predators._offsets3d = tuple(now[:5].T)
            return [boids, predators]

        with tempfile.TemporaryDirectory() as folder:
            FuncAnimation(figure, draw, frames=pictures).save(Path(folder) / "film.mp4", fps=24)
        plt.close(figure)

    return Flock(fly, lambda: 0.0)


if __name__ == "__main__":
    serve(flock)

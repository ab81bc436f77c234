"""Compare the speed of films with matplotlib's FuncAnimation, on the same flock.

    python benchmarks/film.py [--pictures 960] [--theirs 120] [--json FILE]

The first film is sort-sol at 1280x720. murmurate simulates, draws and encodes all its pictures.
matplotlib receives simulated frames, draws two scatter plots on 3-D axes, and encodes them with
ffmpeg and its default options. It draws fewer pictures, because its time per picture does not
depend on their number. The ratio compares pictures per second. The second film shows 100,000
boids and includes the simulation.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from result_file import Results, add_json_option

import murmurate as mm
from murmurate.bench.flocks import uniform
from murmurate.bench.timing import describe_machine
from murmurate.frame import Frame
from murmurate.runs.film import frames

SIZE = (1280, 720)


def ours(model: mm.Model, pictures: int, path: Path) -> float:
    """Return pictures per second of murmurate, from model to file, without compilation."""
    mm.Simulation(model).step(1)
    begin = time.perf_counter()
    mm.film(model, path, view=mm.View(steps=pictures, size=SIZE, every=1), force=True)
    return pictures / (time.perf_counter() - begin)


def theirs(model: mm.Model, simulated: list[Frame], path: Path) -> float:
    """Return pictures per second of FuncAnimation.save, from simulated frames to file."""
    import imageio_ffmpeg
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt
    from matplotlib.animation import FuncAnimation

    plt.rcParams["animation.ffmpeg_path"] = imageio_ffmpeg.get_ffmpeg_exe()
    begin = time.perf_counter()
    figure = plt.figure(figsize=(SIZE[0] / 100, SIZE[1] / 100), dpi=100)
    axes = figure.add_subplot(projection="3d")
    axes.set(
        **{
            f"{axis}lim": (low, high)
            for axis, low, high in zip("xyz", model.space.lower, model.space.upper, strict=True)
        }
    )
    scatters = {
        name: axes.scatter(*simulated[0][name].positions.T, s=6 * model.flocks[name].look.scale)
        for name in model.flocks
    }

    def draw(frame: Frame) -> list[object]:
        for name, scatter in scatters.items():
            scatter._offsets3d = tuple(frame[name].positions.T)  # the usual way to move 3-D points
        return list(scatters.values())

    FuncAnimation(figure, draw, frames=simulated, cache_frame_data=False).save(path, fps=24)
    plt.close(figure)
    return len(simulated) / (time.perf_counter() - begin)


def flight_alone(model: mm.Model, steps: int) -> float:
    """Return steps per second without pictures."""
    simulation = mm.Simulation(model).step(1)
    begin = time.perf_counter()
    simulation.step(steps)
    return steps / (time.perf_counter() - begin)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=int, default=960, help="pictures of murmurate's film")
    parser.add_argument("--theirs", type=int, default=120, help="pictures of matplotlib's")
    parser.add_argument("--many", type=int, default=240, help="pictures of the large flock's film")
    add_json_option(parser)
    options = parser.parse_args()
    results = Results("film", options.json)
    print(describe_machine())
    with tempfile.TemporaryDirectory() as folder:
        model = mm.load("sort-sol")
        simulated = list(frames(mm.Simulation(model), options.theirs))
        fast = ours(model, options.pictures, Path(folder) / "ours.mp4")
        print(f"sort-sol, murmurate: {options.pictures} pictures, {fast:.1f} a second")
        slow = theirs(model, simulated, Path(folder) / "theirs.mp4")
        print(f"sort-sol, FuncAnimation: {options.theirs} pictures, {slow:.1f} a second")
        print(f"ratio: {fast / slow:.1f}")
        results.add("sort-sol, murmurate", fast, "pictures/s", "higher")
        results.add("sort-sol, FuncAnimation", slow, "pictures/s", "higher")
        large = uniform(100_000, 20)
        alone = flight_alone(large, options.many)
        filmed = ours(large, options.many, Path(folder) / "large.mp4")
        results.add("100,000 boids, simulated only", alone, "steps/s", "higher")
        results.add("100,000 boids, filmed", filmed, "pictures/s", "higher")
        results.write()
        print(
            f"100,000 boids: {options.many} pictures, {filmed:.1f} a second with the flight "
            f"(the flight alone: {alone:.1f} steps a second)"
        )


if __name__ == "__main__":
    main()

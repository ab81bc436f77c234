"""Compare the speed of films with matplotlib's FuncAnimation and Blender, on the same flock.

    python benchmarks/film.py [--pictures 960] [--theirs 120] [--blender PYTHON] [--json FILE]

The first films are sort-sol and starlings at 1280x720. murmurate simulates, draws and encodes all
their pictures. matplotlib receives simulated frames, draws two scatter plots on 3-D axes, and
encodes them with ffmpeg and its default options. It draws fewer pictures, because its time per
picture does not depend on their number. The ratio compares pictures per second. The last film shows
100,000 boids and includes the simulation.

--blender is a Python that can import bpy. Blender draws an exported scene of starlings with its
viewport's engine, Workbench, as PNG files; the first picture, for which it prepares, is left out.

    python benchmarks/film.py --stages [--json FILE]

prints the processor time of each stage of a picture of starlings, one stage after another.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

from child_process import output
from result_file import Results, add_json_option

import murmurate as mm
from murmurate.bench.flocks import uniform
from murmurate.bench.timing import describe_machine
from murmurate.frame import Frame
from murmurate.runs.film import frames, looks

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


def blender(model: mm.Model, pictures: int, folder: Path, python: str) -> float:
    """Return pictures per second of Blender's Workbench, from an exported scene to PNG files."""
    recording = mm.run(model, steps=pictures, seed=1, output=folder / "flock.zarr")
    mm.export(recording, folder / "film.usdc", mm.ExportOptions(scene=True))
    script = Path(__file__).resolve().parents[1] / "docs" / "blender_render.py"
    frames = ["--frames", f"0-{pictures}", "--workbench"]
    printed = output([python, script, folder / "film.usdc", folder / "picture.png", *frames])
    seconds = [float(text) for text in re.findall(r": rendered in ([\d.]+) s", printed)]
    return pictures / sum(seconds[1:])


def flight_alone(model: mm.Model, steps: int) -> float:
    """Return steps per second without pictures."""
    simulation = mm.Simulation(model).step(1)
    begin = time.perf_counter()
    simulation.step(steps)
    return steps / (time.perf_counter() - begin)


def stages(model: mm.Model, pictures: int, path: Path) -> dict[str, float]:
    """Return milliseconds of processor time per picture of each stage.

    This thread does all but compress; the encoder's threads run beside it.
    """
    from murmurate.show.encoders import Video
    from murmurate.show.painter import Painter

    view = model.view.model_copy(update={"size": SIZE}).decided(model.space)
    painter = Painter(model.space, view, looks(model))
    encoder = Video(path, ".mp4", view, Fraction(24), "")
    simulation = mm.Simulation(model, threads=1).step(view.warm_up)
    names = ["simulate", "background", "boids", "convert"]
    spent, start = dict.fromkeys(names, 0.0), 0.0

    def timed(name: str, work: Callable[..., Any], *arguments: Any) -> Any:
        begin = time.thread_time()
        result = work(*arguments)
        spent[name] += 1000.0 * (time.thread_time() - begin) / pictures
        return result

    for picture in range(-5, pictures):
        if picture == 0:  # compiled and warm
            spent.update(dict.fromkeys(names, 0.0))
            start = time.process_time()
        timed("simulate", simulation.step, view.every)
        stage = timed("background", painter.set_stage, simulation.frame)
        for prepared in timed("convert", encoder.prepare, timed("boids", painter.paint, stage)):
            encoder.write(prepared)
    encoder.close()
    whole = 1000.0 * (time.process_time() - start) / pictures
    return {**spent, "compress": whole - sum(spent.values())}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pictures", type=int, default=960, help="pictures of murmurate's film")
    parser.add_argument("--theirs", type=int, default=120, help="pictures of matplotlib's")
    parser.add_argument("--many", type=int, default=240, help="pictures of the large flock's film")
    parser.add_argument("--blender", metavar="PYTHON", help="a Python that can import bpy")
    parser.add_argument("--stages", action="store_true", help="the stages of a picture instead")
    add_json_option(parser)
    options = parser.parse_args()
    results = Results("film", options.json)
    print(describe_machine())
    with tempfile.TemporaryDirectory() as folder:
        if options.stages:
            spent = stages(mm.load("starlings"), options.theirs, Path(folder) / "stages.mp4")
            for name, milliseconds in {**spent, "all": sum(spent.values())}.items():
                print(f"starlings, {name}: {milliseconds:.1f} ms of processor time a picture")
                results.add(f"starlings, {name}", milliseconds, "ms/picture", "lower")
            results.write()
            return
        for name in ("sort-sol", "starlings"):
            model = mm.load(name)
            simulated = list(frames(mm.Simulation(model), options.theirs))
            fast = ours(model, options.pictures, Path(folder) / "ours.mp4")
            print(f"{name}, murmurate: {options.pictures} pictures, {fast:.1f} a second")
            slow = theirs(model, simulated, Path(folder) / "theirs.mp4")
            print(f"{name}, FuncAnimation: {options.theirs} pictures, {slow:.1f} a second")
            print(f"ratio: {fast / slow:.1f}")
            results.add(f"{name}, murmurate", fast, "pictures/s", "higher")
            results.add(f"{name}, FuncAnimation", slow, "pictures/s", "higher")
        if options.blender:
            drawn = blender(mm.load("starlings"), 12, Path(folder), options.blender)
            print(f"starlings, Blender's Workbench: 12 pictures, {drawn:.2f} a second")
            results.add("starlings, Blender", drawn, "pictures/s", "higher")
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

"""Make the picture of fly-a-flock.md: what a file of each format contains.

    python docs/make_flights.py [FOLDER]

Each panel is drawn from a file that was written in its format and read again. FOLDER keeps the
recordings and the files; by default it is a temporary one.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import matplotlib

matplotlib.use("agg")
import matplotlib.pyplot as plt
import numpy as np

import murmurate as mm
from murmurate.flights.formats import read
from murmurate.flights.missions import Origin
from murmurate.runs.record_run import record

HERE = Path(__file__).resolve().parent
NIGHT, INK = "#0b1020", "#c8d0e4"
ORIGIN = (47.4733, 19.0621)
CRAZYFLIES = mm.Limits(min_distance=0.3, max_speed=1.5, max_vertical_speed=1, max_acceleration=2)


def word() -> mm.Model:
    """Return the model in the page."""
    page = (HERE / "fly-a-flock.md").read_text(encoding="utf-8")
    return mm.parse(page.partition("```toml\n")[2].partition("```")[0])


def recording(folder: Path, name: str, model: mm.Model, steps: int, every: int = 2) -> Path:
    """Record a model, unless the folder has the recording."""
    path = folder / f"{name}.zarr"
    if not path.exists():
        record(mm.Simulation(model), path, steps, every)
    return path


def files(folder: Path) -> dict[str, Path]:
    """Write a file of each format."""
    drones = mm.load("vasarhelyi-2018")
    flock = drones.flocks["boids"]

    def fewer(count: int) -> mm.Model:
        return drones.model_copy(
            update={"flocks": {"boids": flock.model_copy(update={"count": count})}}
        )

    hello = recording(folder, "hello", word(), 600)
    crowd = recording(folder, "drones", fewer(200), 6200)
    few = recording(folder, "few", fewer(5), 900)
    auto = mm.FlightOptions(time_scale="auto")
    small = mm.FlightOptions(
        metres_per_unit=0.03, altitude=0.6, take_off=False, tolerance=0.04, time_scale="auto",
        limits=CRAZYFLIES,
    )  # fmt: skip
    mission = mm.FlightOptions(time_scale="auto", geo_origin=ORIGIN)
    jobs: tuple[tuple[str, str, Path, mm.FlightOptions, dict[str, int]], ...] = (
        ("hello.skyc", "", hello, mm.FlightOptions(), {}),
        ("drones.zip", "skybrush", crowd, auto, {"first_step": 200, "last_step": 1000}),
        ("hello.vviz", "", hello, mm.FlightOptions(), {}),
        ("crazyflies.zip", "crazyswarm", few, small, {"first_step": 300, "last_step": 420}),
        ("missions.zip", "plan", few, mission, {"first_step": 200, "last_step": 600}),
        ("drones.mcap", "", few, auto, {"first_step": 200, "last_step": 600}),
    )
    for name, layout, source, flight, steps in jobs:
        if not (folder / name).exists():
            report = mm.export(
                source, folder / name, mm.ExportOptions(layout=layout, flight=flight), **steps
            ).flight
            assert report is not None
            print(name, report.time_scale, report.certificate.findings[0])
    return {name: folder / name for name, *_ in jobs}


def panel(axes: Any, title: str, x: str, y: str, equal: bool = True) -> None:
    """Style a panel."""
    axes.set_title(title, color=INK, fontsize=10, loc="left")
    axes.set_xlabel(x, color=INK, fontsize=8)
    axes.set_ylabel(y, color=INK, fontsize=8)
    axes.tick_params(colors=INK, labelsize=7)
    axes.set_facecolor(NIGHT)
    for spine in axes.spines.values():
        spine.set_color("#38415c")
    if equal:
        axes.set_aspect("equal")


def lit(axes: Any, flight: Any, time: float, a: int, b: int, size: float, trail: float) -> None:
    """Draw the drones at a time with their lights, and where they were before."""
    clock = np.linspace(max(0.0, time - trail), time, 40)
    for drone in flight.drones:
        path = drone.at(clock)
        colour = drone.light_at(clock[-1:])[0] / 255
        axes.plot(path[:, a], path[:, b], color=colour, lw=0.5, alpha=0.55, zorder=1)
        axes.scatter(path[-1, a], path[-1, b], s=size, color=colour, lw=0, zorder=2)


def draw(paths: dict[str, Path]) -> None:
    """Draw the six panels."""
    figure, grid = plt.subplot_mosaic(
        [["skyc", "skyc"], ["vviz", "vviz"], ["csv", "crazy"], ["plan", "bag"]],
        figsize=(10, 12.4), facecolor=NIGHT, layout="constrained", height_ratios=[1.05, 1, 2, 1.5],
    )  # fmt: skip
    hello = read(paths["hello.skyc"])
    panel(grid["skyc"], "Skybrush show (.skyc): 300 drones hold a word", "x, m", "z, m")
    lit(grid["skyc"], hello, hello.end / 2 + 3, 0, 2, 16, 0.0)

    crowd = read(paths["drones.zip"])
    panel(grid["csv"], "Skybrush's zipped CSV: 200 drones, 6 s of their ways", "x, m", "y, m")
    lit(grid["csv"], crowd, crowd.end / 2, 0, 1, 12, 6.0)

    view = read(paths["hello.vviz"])
    panel(grid["vviz"], "VVIZ (.vviz): the way from the ground to the word", "x, m", "z, m")
    for share in (0.012, 0.2):
        lit(grid["vviz"], view, share * view.end, 0, 2, 8, 0.0)
    clock = np.linspace(0.0, 0.38 * view.end, 100)
    for drone in view.drones[::6]:
        path = drone.at(clock)
        grid["vviz"].plot(path[:, 0], path[:, 2], color=INK, lw=0.5, alpha=0.3)

    small = read(paths["crazyflies.zip"])
    panel(grid["crazy"], "Crazyswarm CSV: five drones, dots between polynomials", "x, m", "y, m")
    for number, drone in enumerate(small.drones):
        path = drone.at(np.linspace(0, small.end, 400))
        knots = drone.at(drone.times)
        line = grid["crazy"].plot(path[:, 0], path[:, 1], lw=1.1, color=f"C{number}")[0]
        grid["crazy"].scatter(knots[:, 0], knots[:, 1], s=9, color=line.get_color())

    plan = read(paths["missions.zip"])
    panel(grid["plan"], "MAVLink missions (.plan): waypoints of five drones", "longitude",
          "latitude", equal=False)  # fmt: skip
    origin = Origin(*ORIGIN)
    for drone in plan.drones:
        degrees = origin.to_degrees(drone.points[:, 0, :3])
        line = grid["plan"].plot(degrees[:, 1], degrees[:, 0], lw=0.6, alpha=0.7)[0]
        grid["plan"].scatter(degrees[:, 1], degrees[:, 0], s=5, color=line.get_color())
    grid["plan"].ticklabel_format(useOffset=False)
    grid["plan"].set_aspect(1 / np.cos(np.radians(ORIGIN[0])))
    grid["plan"].locator_params(axis="x", nbins=4)

    bag = read(paths["drones.mcap"])
    panel(grid["bag"], "ROS 2 bag (.mcap): light and altitude of five drones", "time, s",
          "z, m (each 0.35 m higher)", equal=False)  # fmt: skip
    for number, drone in enumerate(bag.drones):
        times = drone.times[::4]
        heights = drone.at(times)[:, 2] + 0.35 * number
        grid["bag"].scatter(times, heights, s=3, c=drone.light_at(times) / 255, lw=0)
    grid["bag"].set_facecolor("#1a2136")
    figure.savefig(HERE / "flights.png", dpi=110, facecolor=NIGHT)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        draw(files(Path(sys.argv[1] if len(sys.argv) > 1 else temporary)))

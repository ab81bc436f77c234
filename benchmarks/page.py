"""Compare the size of the page of a run with a page of matplotlib's to_jshtml.

    python benchmarks/page.py [--frames 300] [--theirs 300] [--many 10000]
                              [--json FILE]

Flocks of 400 and of many boids, in the plane (the zoo's ucl, and Reynolds' three rules on a torus)
and in space (the zoo's starlings, and the torus), run from their start. A page is the viewer, which
is the same in all of them, and the flight. matplotlib's pages hold one PNG of 640x480 pixels
a frame. In the plane it draws arrows along the headings, which is what a page of murmurate shows,
and also plain dots, which show less and take less space; in space dots only, for its arrows there
take minutes. It may be given fewer frames, spread over the flight, and its size is scaled up, since
it grows by the frame; where that is done, the line says so.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable

import numpy as np
from result_file import Results, add_json_option

import murmurate as mm
from murmurate.bench.flocks import starlings, uniform
from murmurate.bench.timing import describe_machine
from murmurate.frame import Frame
from murmurate.runs.film import frames
from murmurate.show.html_file import viewer_text
from murmurate.show.page import page_of
from murmurate.show.replay import decode, dequantize

MB = 1e6


def flocks(boids: int) -> dict[str, mm.Model]:
    """Return models with `boids` boids, by name."""
    return {
        "2-D ucl": mm.load("ucl").set({"flocks.boids.count": boids}),
        "2-D torus": uniform(boids, 20, 2),
        "3-D starlings": starlings(boids),
        "3-D torus": uniform(boids, 20),
    }


def ours(simulated: list[Frame], model: mm.Model) -> tuple[int, int, float]:
    """Return the bytes of the page, the bytes of its flight, and the seconds to make it."""
    begin = time.perf_counter()
    page = page_of(simulated, model, toml=mm.to_toml(model))
    took = time.perf_counter() - begin
    payload = page.split('id="murmurate-flight">')[1].split("<")[0]
    return page.bytes, len(payload), took


def theirs(simulated: list[Frame], model: mm.Model, arrows: bool) -> tuple[int, float]:
    """Return the bytes of a page of to_jshtml, and the seconds to make it."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt
    from matplotlib.animation import FuncAnimation

    matplotlib.rcParams["animation.embed_limit"] = 1e6
    begin = time.perf_counter()
    figure = plt.figure(figsize=(6.4, 4.8), dpi=100)
    deep = model.space.dims == 3
    axes = figure.add_subplot(projection="3d") if deep else figure.add_subplot()
    where = np.concatenate([positions(frame) for frame in simulated])
    for axis, low, high in zip("xyz", where.min(axis=0), where.max(axis=0), strict=False):
        axes.set(**{f"{axis}lim": (low, high)})
    first = positions(simulated[0])
    drawn = axes.quiver(*first.T, *headings(simulated[0]).T) if arrows else axes.scatter(*first.T)

    def draw(frame: Frame) -> list[object]:
        if deep:
            drawn._offsets3d = tuple(positions(frame).T)  # the usual way to move 3-D points
        else:
            drawn.set_offsets(positions(frame))
        if arrows:
            drawn.set_UVC(*headings(frame).T)
        return [drawn]

    text = FuncAnimation(figure, draw, frames=simulated, cache_frame_data=False).to_jshtml()
    plt.close(figure)
    return len(text.encode()), time.perf_counter() - begin


def headings(frame: Frame) -> np.ndarray:
    """(N, D) unit vectors of all flocks."""
    velocities = np.concatenate([flock.velocities for flock in frame.values()])
    return velocities / np.maximum(np.linalg.norm(velocities, axis=1, keepdims=True), 1e-12)


def positions(frame: Frame) -> np.ndarray:
    """(N, D) of all flocks."""
    return np.concatenate([flock.positions for flock in frame.values()])


def max_error(simulated: Iterable[Frame], model: mm.Model) -> float:
    """Return the largest error of a decoded position, in units of 1/65536 of the side."""
    from murmurate.show.replay import ReplayBuilder

    builder, simulated = ReplayBuilder(), list(simulated)
    for frame in simulated:
        builder.add(frame)
    replay = builder.build(model)
    head, dims = replay.head, model.space.dims
    side, lower = np.array(head["side"][:dims]), np.array(head["lower"][:dims])
    decoded = decode(replay.payload, head["frames"], head["count"], dims, head["order"])
    worst = 0.0
    for row, frame in zip(decoded, simulated, strict=True):
        off = dequantize(row, lower, side) - positions(frame)
        off -= np.where(model.space.periodic, side * np.round(off / side), 0.0)
        worst = max(worst, float((np.abs(off) / side).max() * 65536))
    return worst


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--frames", type=int, default=300)
    parser.add_argument("--theirs", type=int, default=300, help="of 400 boids, for matplotlib")
    parser.add_argument("--many", type=int, default=10_000, help="boids of the large flocks")
    add_json_option(parser)
    options = parser.parse_args()
    results = Results("page", options.json)
    print(describe_machine())
    print(f"the viewer: {len(viewer_text().encode()) / MB:.2f} MB; {options.frames} frames each")
    for boids, limit in ((400, options.theirs), (options.many, options.theirs // 10)):
        for name, model in flocks(boids).items():
            simulated = list(frames(mm.Simulation(model, threads=1), options.frames))
            page_bytes, flight, took = ours(simulated, model)
            error = max_error(simulated, model)
            print(
                f"{len(simulated[0]):>7,} boids, {name:<14} page {page_bytes / MB:6.2f} MB (flight "
                f"{flight / MB:5.2f} MB, {took:4.1f} s, error {error:.3f} units)",
                flush=True,
            )
            name = f"{len(simulated[0]):,} boids, {name}"
            results.add(f"{name}, page", page_bytes / MB, "MB", "lower")
            results.add(f"{name}, packing", took, "s", "lower")
            results.write()
            few = simulated[:: max(1, len(simulated) // max(2, limit))]
            for kind in ("arrows", "dots") if model.space.dims == 2 else ("dots",):
                drawn, waited = theirs(few, model, kind == "arrows")
                scaled = drawn * len(simulated) / len(few)
                note = "" if len(few) == len(simulated) else f", scaled from {len(few)} frames"
                print(
                    f"{'':>14} to_jshtml, {kind:<6} {scaled / MB:6.1f} MB ({waited:.0f} s{note}): "
                    f"{scaled / page_bytes:.1f} times as large",
                    flush=True,
                )


if __name__ == "__main__":
    main()

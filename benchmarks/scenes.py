"""Scenes for Blender: how large they are, how long one core writes them, and Blender takes.

    python benchmarks/scenes.py [--boids 1000,10000,100000] [--frames 48] [--python PATH]
                                [--json FILE]

Starlings, exported with --scene; then docs/blender_render.py imports the file and renders a frame
of 1280 x 720 pixels, 16 rays each. Times are of the processor, all cores together. --python is one
that can import bpy; without it, only what murmurate does is measured.
"""

from __future__ import annotations

import argparse
import re
import tempfile
import time
from pathlib import Path

from child_process import output
from result_file import Results, add_json_option

import murmurate as mm
from murmurate.bench.timing import describe_machine

SCRIPT = Path(__file__).resolve().parents[1] / "docs" / "blender_render.py"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--boids", default="1000,10000,100000")
    parser.add_argument("--frames", type=int, default=48)
    parser.add_argument("--python", help="a Python that can import bpy")
    add_json_option(parser)
    options = parser.parse_args()
    results = Results("scenes", options.json)
    print(describe_machine(), flush=True)
    print(f"{options.frames} frames\n")
    for number, boids in enumerate(map(int, options.boids.split(","))):
        values = measured(boids, options.frames, options.python)
        if number == 0:
            head = ["boids", *values]
            print(f"| {' | '.join(head)} |\n|{'---|' * len(head)}")
        for name, (value, unit) in values.items():
            results.add(f"{boids} boids, {name}", value, unit, "lower")
        results.write()
        cells = [f"{value:,.3g} {unit}" for value, unit in values.values()]
        print(f"| {boids:,} | {' | '.join(cells)} |", flush=True)


def measured(boids: int, frames: int, python: str | None) -> dict[str, tuple[float, str]]:
    """Name -> value and unit."""
    model = mm.load("starlings").set({"flocks.boids.count": boids})
    with tempfile.TemporaryDirectory() as folder:
        path, scene = Path(folder) / "flock.zarr", Path(folder) / "film.usdc"
        rec = mm.run(model, steps=frames - 1, seed=1, output=path)
        mm.export(rec, Path(folder) / "first.usdc", last_step=1)  # its library is loaded
        begin = time.process_time()
        exported = mm.export(rec, scene, mm.ExportOptions(scene=True))
        values = {
            ".usdc": (exported.bytes / 1e6, "MB"),
            "written in": (time.process_time() - begin, "s"),
        }
        if python is not None:
            picture = Path(folder) / "picture.png"
            printed = output([python, SCRIPT, scene, picture, "--samples", 16])
            for name in ("imported", "rendered"):
                seconds = re.search(rf": {name} in [\d.]+ s, ([\d.]+) s of", printed)
                assert seconds is not None, printed
                values[f"{name} in"] = (float(seconds[1]), "s")
        glb = mm.export(rec, Path(folder) / "flock.glb")
        values[".glb"] = (glb.bytes / 1e6, "MB")
    return values


if __name__ == "__main__":
    main()

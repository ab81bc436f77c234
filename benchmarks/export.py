"""Measure the size of exported files, and the processor time to write them.

python benchmarks/export.py [--boids 1000] [--frames 1000] [--json FILE]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from result_file import Results, add_json_option

import murmurate as mm
from murmurate.disk import file_sizes
from murmurate.exports.formats import FORMATS


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--boids", type=int, default=1000)
    parser.add_argument("--frames", type=int, default=1000)
    add_json_option(parser)
    options = parser.parse_args()
    results = Results("export", options.json)
    model = mm.load("starlings").set({"flocks.boids.count": options.boids})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "flock.zarr"
        rec = mm.run(model, steps=2 * options.frames - 2, every=2, seed=1, output=path)
        boid_frames = len(rec) * sum(rec.header["counts"].values())
        print("| file | bytes a boid and frame | million boids and frames a second |")
        print("|---|---|---|")
        print(f"| `.zarr` | {sum(file_sizes(path)) / boid_frames:.1f} | |")
        for suffix in FORMATS:
            mm.export(rec, Path(folder) / f"first{suffix}", last_step=2)  # load its library
            begin = time.process_time()
            exported = mm.export(rec, Path(folder) / f"flock{suffix}")
            took = time.process_time() - begin
            results.add(
                f"{suffix}, size", exported.bytes / boid_frames, "bytes/boid/frame", "lower"
            )
            results.add(f"{suffix}, speed", boid_frames / took / 1e6, "M boid-frames/s", "higher")
            results.write()
            size, speed = exported.bytes / boid_frames, boid_frames / took / 1e6
            print(f"| `{suffix}` | {size:.1f} | {speed:.2g} |", flush=True)
            exported.path.unlink()


if __name__ == "__main__":
    main()

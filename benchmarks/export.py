"""How large an exported file is, and how long one core works for it.

python benchmarks/export.py [--boids 1000] [--frames 1000] [--json FILE]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from result_file import Results, add_json_option

import murmurate as mm
from murmurate.exports.formats import FORMATS
from murmurate.record.recording import size_on_disk


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--boids", type=int, default=1000)
    parser.add_argument("--frames", type=int, default=1000)
    add_json_option(parser)
    asked = parser.parse_args()
    results = Results("export", asked.json)
    model = mm.load("starlings").set({"flocks.boids.count": asked.boids})
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "flock.zarr"
        rec = mm.run(model, steps=2 * asked.frames - 2, every=2, seed=1, output=path)
        many = len(rec) * sum(rec.header["counts"].values())
        print("| file | bytes a boid and frame | million boids and frames a second |")
        print("|---|---|---|")
        print(f"| `.zarr` | {size_on_disk(path) / many:.1f} | |")
        for suffix in FORMATS:
            mm.export(rec, Path(folder) / f"first{suffix}", last_step=2)  # its library is loaded
            begin = time.process_time()
            made = mm.export(rec, Path(folder) / f"flock{suffix}")
            took = time.process_time() - begin
            results.add(f"{suffix}, size", made.bytes / many, "bytes/boid/frame", "lower")
            results.add(f"{suffix}, speed", many / took / 1e6, "M boid-frames/s", "higher")
            results.write()
            print(f"| `{suffix}` | {made.bytes / many:.1f} | {many / took / 1e6:.2g} |", flush=True)
            made.path.unlink()


if __name__ == "__main__":
    main()

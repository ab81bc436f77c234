"""How long a table of ten million sightings takes to open, and how much memory.

    python benchmarks/tracks.py [--rows 10000000] [--ids words] [--json FILE]

A long CSV of 100 animals is written in a temporary folder, and opened in a process of its own, by
what a plain installation has. Printed are its size, the seconds, and the most memory that was held.
"""

from __future__ import annotations

import argparse
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from child_process import output
from result_file import Results, add_json_option

ANIMALS = 100
BLOCK = 1000  # frames that are written at a time


def write(path: Path, rows: int, words: bool) -> None:
    random = np.random.default_rng(1)
    names = [f"fish {k}" if words else str(k) for k in range(ANIMALS)]
    positions = random.uniform(0, 1000, (ANIMALS, 2))
    with open(path, "w") as file:
        file.write("frame,id,x,y\n")
        for first in range(0, rows // ANIMALS, BLOCK):
            steps = random.normal(size=(BLOCK, ANIMALS, 2))
            block = positions + np.cumsum(steps, axis=0)
            positions = block[-1]
            last = min(first + BLOCK, rows // ANIMALS)
            for t in range(first, last):
                frame = block[t - first].tolist()
                file.writelines(
                    f"{t},{name},{x:.3f},{y:.3f}\n"
                    for name, (x, y) in zip(names, frame, strict=True)
                )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--ids", choices=("numbers", "words"), default="numbers")
    parser.add_argument("--open", type=Path, help=argparse.SUPPRESS)  # in the process that is timed
    add_json_option(parser)
    options = parser.parse_args()
    if options.open is not None:
        import murmurate as mm

        start = time.perf_counter()
        tracks = mm.open_tracks(options.open)
        spent = time.perf_counter() - start
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
        print(tracks.summary, spent, peak, sep="\n")
        return
    results = Results("tracks", options.json)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tracks.csv"
        write(path, options.rows, options.ids == "words")
        print(f"{options.rows:,} rows, {path.stat().st_size / 1e6:,.0f} MB")
        summary, spent, peak = output([sys.executable, __file__, "--open", path]).splitlines()
    print(f"{summary}\n{float(spent):.1f} s, at most {float(peak):.2f} GB")
    results.add(f"{options.rows} rows, ids {options.ids}, time", float(spent), "s", "lower")
    results.add(f"{options.rows} rows, ids {options.ids}, memory", float(peak), "GB", "lower")
    results.write()


if __name__ == "__main__":
    main()

"""Print the peak memory of a recorder, for each number of frames on the command line.

It runs in a separate process, since memory is counted for all threads, and tests leave some.
"""

from __future__ import annotations

import dataclasses
import sys
import tracemalloc
from pathlib import Path

import murmurate as mm
from murmurate.record import Writer, writer
from murmurate.record.header import make_header


def main(folder: str, *counts: str) -> None:
    writer.MAX_QUEUED = 8
    model = mm.load("ucl")
    first = mm.Simulation(model, 1, engine="reference").frame
    sizes = {"shard_bytes": 100_000, "chunk_frames": 4}
    header = make_header(model, first, seed=1, every=1, dtype="float32", **sizes)
    for count in map(int, counts):
        tracemalloc.start()
        with Writer.create(Path(folder) / f"{count}.zarr", header, first, count) as recorder:
            for step in range(1, count):
                recorder.add(dataclasses.replace(first, step=step))
        print(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])

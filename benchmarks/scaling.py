"""How cost grows from a thousand boids to a thousand million, on one machine and on many.

    python benchmarks/scaling.py [--delays] [--from benchmarks/results/slabs.jsonl] [--json FILE]

Simulates the messages of engine 'slabs' (slab_messages.py) with the constants that slabs.py has
measured. Prints what it predicts for the runs that slabs.py has measured, and steps of 2 to 1,000
machines. `--delays` measures two machines with a slow network between them, too (slow_link.py).
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from result_file import Results, add_json_option, read
from slab_costs import NEIGHBOURS, costs_of
from slab_messages import PACKET, Cluster, Costs, UniformFlock, predict
from slow_link import missing, two_machines

import murmurate as mm
from murmurate.bench.flocks import uniform
from murmurate.bench.timing import describe_machine
from murmurate.engines.slabs.slab_engine import MAX_BOIDS

RESULTS = Path(__file__).parent / "results"
BOIDS = (10**7, 10**8, 10**9)
PER_WORKER = (10**6, 10**7)
WORKERS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000)
CORES, GBIT, DELAY = 16, 10.0, 50e-6
"""Of the machines of predictions: cores, Gbit/s and seconds from machine to machine."""
TOLERANCE = 0.15
DELAYS, LOSSES = (0.0, 0.005, 0.01, 0.02, 0.04), (0.0, 0.01)
SMALL, STEPS = 20_000, 30


def cluster(machines: int) -> Cluster:
    """Return machines with a worker each, whose threads use all cores."""
    return Cluster(CORES, machines, CORES, delay=DELAY, gbit=GBIT)


def compare(measured: dict[str, Any], costs: Costs) -> Iterator[dict[str, Any]]:
    """Yield measured and predicted seconds of the steps that slabs.py has measured."""
    cores = measured["machine"]["cores"]
    for name, result in measured["results"].items():
        if name.endswith(", step"):
            boids, workers = (
                int(word.split()[0].replace(",", "")) for word in name.split(", ", 1)[:2]
            )
            expected = predict(boids, workers, costs, Cluster(cores), steps=5)
            yield {"kind": "run", "boids": boids, "workers": workers,
                   "measured": result["value"], "predicted": expected.step}  # fmt: skip


def many_machines(costs: Costs) -> Iterator[dict[str, Any]]:
    """Yield predicted steps of flocks of constant size, and of constant size per machine."""
    strong = [("strong", boids, workers) for boids in BOIDS for workers in WORKERS]
    weak = [("weak", each * workers, workers) for each in PER_WORKER for workers in WORKERS]
    for kind, boids, workers in strong + weak:
        if boids <= MAX_BOIDS:
            run = predict(boids, workers, costs, cluster(workers))
            calls, size = sum(run.calls.values()), sum(run.bytes.values())
            yield {"kind": kind, "boids": boids, "workers": workers, "step": run.step, **run.busy,
                   "calls": calls, "bytes": size}  # fmt: skip


def first_steps(costs: Costs) -> Iterator[dict[str, Any]]:
    """Yield the predicted first step of the largest flock: boids move between all workers."""
    for workers in WORKERS:
        first = predict(BOIDS[-1], workers, costs, cluster(workers), with_first=True).first
        yield {"kind": "first", "boids": BOIDS[-1], "workers": workers, "step": first}


def memory(measured: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield bytes per boid: of the arrays of engine 'cpu' and of a slab, and of what is sent."""
    flock = UniformFlock(uniform(1000, NEIGHBOURS), "float32")
    for boids in (1_000, 100_000, 1_000_000, 10_000_000):
        simulation = mm.Simulation(uniform(boids, NEIGHBOURS), seed=1, threads=1).step(2)
        row = {"kind": "memory", "boids": boids, "cpu": simulation._engine._table.nbytes / boids}
        frame = simulation.frame.main
        row["frame"] = sum(
            array.nbytes for array in vars(frame).values() if hasattr(array, "nbytes")
        ) / boids  # fmt: skip
        slab = [one for one in measured["rows"] if one.get("work_of") == boids]
        yield {**row, "slab": slab[0]["memory"] / boids if slab else None,
               "moved": flock.boid_bytes, "halo": flock.halo_bytes}  # fmt: skip


def slow_network(costs: Costs, cores: int) -> Iterator[dict[str, Any]]:
    """Yield mean steps of two machines: measured, and predicted."""
    with (
        tempfile.TemporaryDirectory(prefix="mm") as folder,
        two_machines(Path(folder)) as machines,
    ):
        for loss in LOSSES:
            for delay in DELAYS:
                machines.link.delay, machines.link.loss = delay, loss
                seconds = machines.steps(SMALL, STEPS)["seconds"]
                gbit = 8e-9 * PACKET * machines.link.carried / machines.link.busy
                machines.link.delay = machines.link.loss = 0.0
                shared = Cluster(cores, 2, shared=True, delay=delay, loss=loss, gbit=gbit)
                expected = predict(SMALL, 2, costs, shared, steps=10 * STEPS).step
                yield {"kind": "delay", "delay": delay, "loss": loss, "boids": SMALL,
                       "measured": statistics.mean(seconds), "predicted": expected}  # fmt: skip


def described(row: dict[str, Any]) -> str:
    """Return a row as a line of text."""
    text = ", ".join(
        f"{name} {value:,.4g}" if isinstance(value, float) else f"{name} {value:,}"
        for name, value in row.items()
        if name != "kind" and value is not None
    )
    if "measured" in row:
        ratio = row["predicted"] / row["measured"]
        text += f": {ratio:.2f} times{'' if abs(ratio - 1) <= TOLERANCE else '  <- off'}"
    return f"{row['kind']:<7} {text}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--delays", action="store_true", help="measure a slow network; as root")
    parser.add_argument(
        "--from", dest="measured", type=Path, metavar="FILE", default=RESULTS / "slabs.jsonl",
        help="what slabs.py has measured",
    )  # fmt: skip
    add_json_option(parser)
    options = parser.parse_args()
    if options.delays and (reason := missing()):
        parser.error(f"--delays: {reason}")
    measured = read(options.measured)
    costs, cores = costs_of(measured["rows"]), measured["machine"]["cores"]
    results = Results("scaling", options.json)
    rows = results.content["rows"] = []
    print(describe_machine())
    parts = [compare(measured, costs), memory(measured), many_machines(costs), first_steps(costs)]
    if options.delays:
        parts.append(slow_network(costs, cores))
    for part in parts:
        for row in part:
            print(described(row), flush=True)
            rows.append(row)
            results.write()
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Measure engine gpu beside engine cpu, on this machine's graphics card.

    python benchmarks/gpu.py [--boids 10000 100000 1000000 10000000] [--adapter NAME] [--rounds 5]
        [--no-cpu] [--json FILE]
    python benchmarks/gpu.py --count     counts without a card: instructions, bytes (gpu_count.py),
                                         and what the host does for each step (gpu_host.py)
    python benchmarks/gpu.py --zoo BEFORE    compares published flocks with a checkout: gpu_zoo.py

Flocks: the standard uniform flock in 3-D with 8, 20 and 75 neighbours and in 2-D with 20, and the
starlings at constant density. Both engines run alternately in the same rounds; times are medians
over the rounds, in milliseconds per step. The state is not read back while a round is timed. Memory
is that of all buffers on the device. A flock that does not fit is left out.
"""

from __future__ import annotations

import argparse
import itertools
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from gpu_count import count
from gpu_host import host_costs
from gpu_zoo import compare
from growth import grown
from result_file import Results, add_json_option

import murmurate as mm
from murmurate.bench.flocks import uniform
from murmurate.bench.timing import describe_machine
from murmurate.engines.gpu.device import choose_adapter

BOIDS = (10_000, 100_000, 1_000_000, 10_000_000)
WARM_UP = 10  # steps before the first timed step
ROUND_SECONDS, MAX_STEPS = 0.5, 200  # of a round on the slower engine
STANDARD = ((3, 8), (3, 20), (3, 75), (2, 20))  # dimensions, neighbours


def flocks(boids: int) -> Iterator[tuple[str, mm.Model, object]]:
    """Yield name, model and start of each flock."""
    for dims, neighbours in STANDARD:
        yield f"{dims}-D, {neighbours}", uniform(boids, neighbours, dims), None
    yield ("starlings", *grown(mm.load("starlings"), boids))


def time_step(simulation: mm.Simulation, steps: int) -> float:
    """Return milliseconds per step."""
    begin = time.perf_counter()
    simulation.step(steps)
    return 1e3 * (time.perf_counter() - begin) / steps


def measure(
    model: mm.Model, start: object, engines: list[mm.Gpu | str], rounds: int
) -> tuple[list[list[float]], float]:
    """Return milliseconds per step of each engine in each round, and the memory on the device.

    Raises ModelError or DeviceError where the flock does not fit.
    """
    simulations = [mm.Simulation(model, start=start, engine=engine) for engine in engines]
    for simulation in simulations:
        simulation.step(1)
    seconds = max(time_step(simulation, 1) for simulation in simulations) / 1e3
    steps = max(1, min(MAX_STEPS, int(ROUND_SECONDS / seconds)))
    for simulation in simulations:
        simulation.step(min(WARM_UP, steps))
    times = [[time_step(simulation, steps) for simulation in simulations] for _ in range(rounds)]
    return times, simulations[0].diagnostics().array_bytes / 1e6


def compare_checkouts(options: argparse.Namespace) -> None:
    """Compare published flocks with another checkout."""
    results = Results("gpu-zoo", options.json)
    rows = results.content["rows"] = []
    adapter = choose_adapter(options.adapter)
    results.content["adapter"] = adapter.label
    print(describe_machine(), adapter.label, "milliseconds per step", sep="\n")
    print(f"{'':24}{'before':>10}{'now':>10}{'before/now':>12}")
    boids = min(options.boids)
    for name, before, now, ratio in compare(options.zoo, boids, options.rounds, options.adapter):
        print(f"{name:24}{before:>10.2f}{now:>10.2f}{ratio:>12.2f}", flush=True)
        rows.append({"name": name, "before_ms": before, "now_ms": now, "ratio": ratio})
        results.add(name, ratio, "before/now", "higher")
        results.write()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boids", type=int, nargs="+", default=BOIDS)
    parser.add_argument(
        "--zoo", type=Path, metavar="BEFORE", help="another checkout to compare with"
    )
    parser.add_argument("--adapter")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-cpu", action="store_true")
    parser.add_argument(
        "--count", action="store_true", help="count instructions, bytes and calls, without a card"
    )
    add_json_option(parser)
    options = parser.parse_args()
    if options.count:
        counted = Results("gpu-count", options.json)
        print(describe_machine())
        for name, value, unit in itertools.chain(host_costs(), count()):
            counted.add(name, value, unit, "lower")
        counted.write()
        return
    if options.zoo:
        compare_checkouts(options)
        return
    results = Results("gpu", options.json)
    rows = results.content["rows"] = []
    adapter = choose_adapter(options.adapter)
    results.content["adapter"] = adapter.label
    print(describe_machine())
    print(adapter.label)
    engines: list[mm.Gpu | str] = [mm.Gpu(options.adapter), *([] if options.no_cpu else ["cpu"])]
    print("milliseconds per step")
    print(f"{'flock':12}{'boids':>12}{'gpu':>10}{'cpu':>10}{'cpu/gpu':>9}{'memory':>12}")
    for boids in options.boids:
        for name, model, start in flocks(boids):
            try:
                times, memory = measure(model, start, engines, options.rounds)
            except (mm.ModelError, mm.DeviceError) as error:
                print(f"{name:12}{boids:>12,}  left out: {error}")
                continue
            gpu, *cpu = (median(column) for column in zip(*times, strict=True))
            ratio = median(row[-1] / row[0] for row in times)
            texts = [f"{cpu[0]:>10.3f}", f"{ratio:>9.2f}"] if cpu else [f"{'':19}"]
            print(f"{name:12}{boids:>12,}{gpu:>10.3f}{''.join(texts)}{memory:>9,.0f} MB")
            rows.append(
                {"flock": name, "boids": boids, "gpu_ms": gpu, "cpu_ms": cpu[0] if cpu else None,
                 "memory_mb": memory}
            )  # fmt: skip
    results.write()


if __name__ == "__main__":
    main()

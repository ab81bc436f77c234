"""Measure engine gpu beside engine cpu, on this machine's graphics card.

    python benchmarks/gpu.py [--boids 10000 100000 1000000 10000000] [--adapter NAME] [--rounds 5]
        [--no-cpu] [--json FILE]

Flocks: the standard uniform flock in 3-D with 8, 20 and 75 neighbours and in 2-D with 20, and the
starlings at constant density. Both engines run alternately in the same rounds; times are medians
over the rounds, in milliseconds per step. The state is not read back while a round is timed. Memory
is that of all buffers on the device.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from statistics import median

from growth import grown
from result_file import Results, add_json_option

import murmurate as mm
from murmurate.bench.flocks import uniform
from murmurate.bench.timing import describe_machine
from murmurate.engines.gpu.device import choose_adapter

BOIDS = (10_000, 100_000, 1_000_000, 10_000_000)
WARM_UP = 10  # steps before the first timed step
WORK, MAX_STEPS = 3_000_000, 200  # boid-steps and steps of a round
STANDARD = ((3, 8), (3, 20), (3, 75), (2, 20))  # dimensions, neighbours


def simulations(
    boids: int, engines: list[mm.Gpu | str]
) -> Iterator[tuple[str, list[mm.Simulation]]]:
    """Yield name of a flock and its simulations on both engines."""
    for dims, neighbours in STANDARD:
        model = uniform(boids, neighbours, dims)
        yield f"{dims}-D, {neighbours}", [mm.Simulation(model, engine=e) for e in engines]
    model, start = grown(mm.load("starlings"), boids)
    yield "starlings", [mm.Simulation(model, start=start, engine=e) for e in engines]


def timed(simulation: mm.Simulation, steps: int) -> float:
    """Return milliseconds per step."""
    begin = time.perf_counter()
    simulation.step(steps)
    return 1e3 * (time.perf_counter() - begin) / steps


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boids", type=int, nargs="+", default=BOIDS)
    parser.add_argument("--adapter")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--no-cpu", action="store_true")
    add_json_option(parser)
    options = parser.parse_args()
    results = Results("gpu", options.json)
    rows = results.content["rows"] = []
    adapter = choose_adapter(options.adapter)
    results.content["adapter"] = adapter.label
    print(describe_machine())
    print(adapter.label)
    engines: list[mm.Gpu | str] = [mm.Gpu(options.adapter), *([] if options.no_cpu else ["cpu"])]
    print(f"{'flock':12}{'boids':>12}{'gpu':>10}{'cpu':>10}{'ratio':>8}{'memory':>10}  ms a step")
    for boids in options.boids:
        steps = max(1, min(MAX_STEPS, WORK // boids))
        for name, pair in simulations(boids, engines):
            for simulation in pair:
                simulation.step(WARM_UP)
            times = [[timed(s, steps) for s in pair] for _ in range(options.rounds)]
            gpu, *cpu = (median(column) for column in zip(*times, strict=True))
            memory = pair[0].diagnostics().array_bytes / 1e6
            ratio = median(row[-1] / row[0] for row in times)
            texts = [f"{cpu[0]:>10.3f}", f"{ratio:>8.2f}"] if cpu else [f"{'':18}"]
            print(f"{name:12}{boids:>12,}{gpu:>10.3f}{''.join(texts)}{memory:>7.1f} MB")
            rows.append(
                {"flock": name, "boids": boids, "gpu_ms": gpu, "cpu_ms": cpu[0] if cpu else None,
                 "memory_mb": memory}
            )  # fmt: skip
    results.write()


if __name__ == "__main__":
    main()

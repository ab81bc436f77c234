"""Count what the process of a device does for a step: dispatches, calls, and microseconds.

Each flock makes steps by each path of its program. The request of the engine is encoded again,
without workgroups, so the device has nothing to do. Paths alternate; times are medians of encoding
and submitting 64 steps. It needs wgpu and an adapter.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from statistics import median
from typing import Any

import murmurate as mm
from murmurate.codegen.planner import make_plan
from murmurate.engines.gpu.device import Device, choose_adapter
from murmurate.engines.gpu.device_process import Operations
from murmurate.engines.gpu.gpu_engine import GpuEngine
from murmurate.engines.gpu.program import MAX_STEPS, Program
from murmurate.engines.initial_state import initial_state
from murmurate.engines.options import RunOptions

FLOCKS = (("starlings", 4000), ("vicsek-1995", 1000), ("vicsek-1995", 300), ("couzin-2002", 100))
ROUNDS = 15
CALLS = ("set_pipeline", "set_bind_group", "dispatch_workgroups")


class LocalProcess:
    """A device in this process. It keeps the latest request to run passes."""

    alive = True

    def __init__(self) -> None:
        self.operations = Operations()
        self.request: Any = None

    def post(self, operation: str, *arguments: Any, data: bytes = b"") -> None:
        if operation == "run":
            self.request = arguments
        self.operations.perform(operation, arguments, data)

    def ask(self, operation: str, *arguments: Any, adapter: str) -> tuple[Any, Any]:
        result = self.operations.perform(operation, arguments, b"")
        return (None, bytearray(result)) if isinstance(result, memoryview) else (result, b"")

    def encode(self, device: Any = None) -> float:
        """Encode MAX_STEPS steps of the latest request, and return microseconds per step."""
        steps, count, end = self.request
        own, self.operations._device = self.operations._device, device or self.operations._device
        empty = [[(pipeline, group, (0, 1)) for pipeline, group, _ in step] for step in steps]
        begin = time.perf_counter()
        self.operations.run(empty, count, [(*each[:2], (0, 1)) for each in end])
        seconds = time.perf_counter() - begin
        self.operations._device = own
        self.operations.read("control", 4)
        return 1e6 * seconds / MAX_STEPS


class Calls:
    """A device that only counts calls: its own, and those of the objects that it returns."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()

    def __getattr__(self, name: str) -> Calls:
        self.counts[name] += 1
        return self

    def __call__(self, *arguments: Any, **options: Any) -> Calls:
        return self


def processes(name: str, boids: int) -> dict[str, LocalProcess]:
    """Return processes with the request of MAX_STEPS steps, by path."""
    model = mm.load(name)
    largest = max(model.flocks, key=lambda flock: model.flocks[flock].count)
    model = model.set({f"flocks.{largest}.count": boids})
    state, options = initial_state(model, 1), RunOptions("gpu", "float32", seed=1)
    found = {}
    for path in Program.of(make_plan(model)).paths:
        if path.max_boids is None or boids <= path.max_boids:
            process = LocalProcess()
            device = Device(choose_adapter(None), process)  # type: ignore[arg-type]
            engine = GpuEngine(model, state, options, device, path.name)
            engine.request_steps(MAX_STEPS)
            process.operations._passes = 10**6  # in one submission
            found[path.name] = process
    return found


def host_costs() -> Iterator[tuple[str, float, str]]:
    """Print the costs of each path, and yield them: name, value and unit."""
    print("per step, in the process of the device; the first path is used")
    print(f"{'flock':22}{'path':16}{'dispatches':>11}{'pipelines':>11}{'groups':>8}{'us':>8}")
    for name, boids in FLOCKS:
        paths = processes(name, boids)
        rounds = [[process.encode() for process in paths.values()] for _ in range(ROUNDS)]
        for (path, process), times in zip(paths.items(), zip(*rounds, strict=True), strict=True):
            calls = Calls()
            process.encode(calls)
            pipelines, groups, dispatches = (calls.counts[call] / MAX_STEPS for call in CALLS)
            flock = f"{name}, {boids:,}"
            print(f"{flock:22}{path:16}{dispatches:>11.2f}{pipelines:>11.2f}{groups:>8.2f}"
                  f"{median(times):>8.1f}")  # fmt: skip
            yield f"{flock}, {path}: dispatches", dispatches, "dispatches"
            yield f"{flock}, {path}: host", median(times), "us"

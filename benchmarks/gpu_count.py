"""Count what a step costs on a graphics card, without one: instructions and bytes per boid.

Machine code is that of Mesa's RADV for a NAVI21, which compiles without a card (radv/no_card.c); it
needs Linux, a C compiler and `mesa-vulkan-drivers`. Loops turn as often as in the standard flock,
here with fewer boids of the same density, sorted as on the card. Lanes of a group turn together, so
the lane with the most candidates decides. A lane-slot is an instruction for which a lane works or
waits. Bytes are those of each array that a pass needs, once: candidates are in caches.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from murmurate.bench.flocks import uniform
from murmurate.codegen.planner import make_plan
from murmurate.engines.gpu.program import Program
from murmurate.engines.gpu.wgsl_modules import BINDINGS, READ

LANES = 32  # of a group on cards of NVIDIA and Apple; AMD has 32 or 64
BOIDS = 40_000
ICD = "/usr/share/vulkan/icd.d/radeon_icd.x86_64.json"
LOADER = "/usr/lib/x86_64-linux-gnu/libvulkan.so.1"
CELL_BYTES = 24  # a count is added up, cleared and summed in two passes, and read
BOID_BYTES = {
    "count": 16 + 4 + 8, "scatter": 16 + 4 + 4 + 4, "rank": 32 + 8 + 4 + 32, "stage_0": 32 + 32,
}  # fmt: skip
"""Bytes for each boid of the passes: rows of boids, tickets, starts of cells and members."""


def count() -> Iterator[tuple[str, float, str]]:
    """Print the counts of the standard flocks, and yield them: name, value and unit."""
    print("per boid and step; lane-slots are of groups of", LANES, "lanes")
    print(f"{'flock':10}{'candidates':>12}{'turns':>8}{'search':>10}{'all':>10}{'bytes':>8}")
    for neighbours in (8, 20, 75):
        code = machine_code(neighbours)
        candidates, turns, strips, cells = turns_of(neighbours)
        batches, strip, candidate = loops(code["stage_0"])
        search = candidate * turns + strip * strips + batches
        rest = sum(len(instructions(text)) for name, text in code.items() if name in BOID_BYTES)
        per_cell = len(instructions(code["add_sums"])) + len(instructions(code["scan_blocks"])) / 4
        everything = search + rest - batches - strip - candidate + cells * per_cell
        size = sum(BOID_BYTES.values()) + CELL_BYTES * cells
        for name, value, unit in (
            ("candidates", candidates, "boids"), ("search", search, "lane-slots"),
            ("all passes", everything, "lane-slots"), ("memory", size, "bytes"),
        ):  # fmt: skip
            yield f"3-D, {neighbours} neighbours: {name}", float(value), unit
        print(f"3-D, {neighbours:<5}{candidates:>12.0f}{turns:>8.0f}{search:>10,.0f}"
              f"{everything:>10,.0f}{size:>8.0f}")  # fmt: skip


def machine_code(neighbours: int) -> dict[str, str]:
    """Return the machine code of each pass of a standard flock."""
    folder = Path(__file__).with_name("radv")
    with tempfile.TemporaryDirectory() as place:
        library = Path(place) / "libvulkan.so.1"
        subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-w", "-o", str(library),
                        str(folder / "no_card.c"), "-ldl"], check=True)  # fmt: skip
        library.with_suffix("").symlink_to(library)  # libvulkan.so
        environment = os.environ | {
            "RADV_FORCE_FAMILY": "navi21", "RADV_DEBUG": "shaders,nocache", "VULKAN_LOADER": LOADER,
            "VK_ICD_FILENAMES": ICD, "LD_LIBRARY_PATH": place,
        }  # fmt: skip
        code = f"import gpu_count; gpu_count.compile_passes({neighbours})"
        run = subprocess.run(
            [sys.executable, "-c", code], cwd=folder.parent, env=environment,
            capture_output=True, text=True,
        )  # fmt: skip
    if run.returncode:
        raise SystemExit(f"counting needs RADV and wgpu: {run.stderr.splitlines()[-1]}")
    parts = (part.partition("\n") for part in run.stderr.split("##### ")[1:])
    return {name: text[text.rindex("\nBB0:") :] for name, _, text in parts}


def compile_passes(neighbours: int) -> None:
    """Compile all passes: the driver prints the machine code of each on the error output."""
    import wgpu

    program = Program.of(make_plan(uniform(10_000, neighbours, 3)))
    adapters = wgpu.gpu.enumerate_adapters_sync()
    device = next(a for a in adapters if "RADV" in a.info["device"]).request_device_sync()
    for each in program.passes:
        module = program.modules[each.module]
        kinds = {0: "uniform"} | {
            BINDINGS[name][0]: "read-only-storage" if how == READ else "storage"
            for name, how in module.access.items()
        }
        entries = [
            {"binding": k, "visibility": "COMPUTE", "buffer": {"type": kind}}
            for k, kind in kinds.items()
        ]
        layouts = [device.create_bind_group_layout(entries=entries)]
        print(f"##### {each.entry}", file=sys.stderr, flush=True)
        device.create_compute_pipeline(
            layout=device.create_pipeline_layout(bind_group_layouts=layouts),
            compute={
                "module": device.create_shader_module(code=module.text), "entry_point": each.entry,
            },
        )  # fmt: skip


def instructions(code: str) -> list[str]:
    """Return the lines of machine code that are instructions."""
    return [line for line in code.splitlines() if line.startswith("\t")]


def loops(code: str) -> tuple[int, int, int]:
    """Return the instructions of the loop over batches of strips, without those of the two loops in
    it, of that over strips, and of that over candidates."""
    spans = []  # of lines: a loop is the lines from its head to the last jump back
    lines = code.splitlines()
    heads = {line[:-1]: k for k, line in enumerate(lines) if re.fullmatch(r"BB\d+:", line)}
    for k, line in enumerate(lines):
        if (jump := re.match(r"\ts_c?branch\w* +(BB\d+)", line)) and heads[jump[1]] < k:
            spans.append((heads[jump[1]], k))
    sizes = {span: len(instructions("\n".join(lines[span[0] : span[1] + 1]))) for span in spans}
    outer = max(spans, key=lambda span: sizes[span])
    inner = [span for span in spans if span != outer and outer[0] < span[0] < outer[1]]
    strip, candidate = (sizes[span] for span in sorted(inner))
    return sizes[outer] - strip - candidate, strip, candidate


def turns_of(neighbours: int) -> tuple[float, float, float, float]:
    """Return, for each boid, its candidates, the turns of its group, its strips, and the cells.

    They are for random boids that sense within a radius of 1, by the cells of grid.wgsl.
    """
    random = np.random.default_rng(1)
    density = neighbours * 3 / (4 * np.pi)
    length = (BOIDS / density) ** (1 / 3)
    thin = 2.0 if density > 8.0 else 1.0
    shape = np.floor(length * np.array([thin, 4.0, thin])).astype(int)
    size = length / shape
    x = random.uniform(0.0, length, (BOIDS, 3))
    home = np.minimum((x / size).astype(int), shape - 1)
    number = (home[:, 2] * shape[0] + home[:, 0]) * shape[1] + home[:, 1]
    order = np.argsort(number, kind="stable")
    x, number = x[order], number[order]
    start = np.searchsorted(number, np.arange(shape.prod() + 1))
    low, high = (np.floor((x + reach) / size).astype(int) for reach in (-1.0, 1.0))
    candidates = np.zeros(BOIDS)
    strips = (high - low + 1)[:, [0, 2]].prod(axis=1)
    for dz in range((high - low)[:, 2].max() + 1):
        for dx in range((high - low)[:, 0].max() + 1):
            cell = low + np.array((dx, 0, dz))
            gap = np.maximum(0.0, np.maximum(cell * size - x, x - (cell + 1) * size))
            reach2 = 1.0 - gap[:, 0] ** 2 - gap[:, 2] ** 2
            near = (reach2 >= 0.0) & (cell <= high)[:, [0, 2]].all(axis=1)
            reach = np.sqrt(np.maximum(reach2, 0.0))
            first, last = (np.floor((x[:, 1] + r) / size[1]).astype(int) for r in (-reach, reach))
            row = ((cell[:, 2] % shape[2]) * shape[0] + cell[:, 0] % shape[0]) * shape[1]

            def boids_before(y: np.ndarray, row: np.ndarray = row) -> np.ndarray:
                turn, at = np.divmod(y, shape[1])
                whole = start[row + shape[1]] - start[row]
                return turn * whole + start[row + at] - start[row]

            candidates += near * (boids_before(last + 1) - boids_before(first))
    groups = candidates[: BOIDS // LANES * LANES].reshape(-1, LANES)
    widest = groups.max(axis=1).mean()
    return candidates.mean(), widest, strips.mean(), shape.prod() / BOIDS

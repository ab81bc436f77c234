"""Count what a step costs on a graphics card, without one: instructions and bytes per boid.

Machine code is that of Mesa's RADV for a NAVI21, which compiles without a card (radv/no_card.c); it
needs Linux, a C compiler and `mesa-vulkan-drivers`. Python interprets the same passes with the
standard flock, here with fewer boids of the same density, and counts bytes and turns of loops.
The lanes of a group run a loop together, so the lane with the most candidates decides. A lane-slot
is an instruction for which a lane works or waits. Bytes are those that a pass reads and writes,
each once: candidates are in caches.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from murmurate.bench.flocks import uniform
from murmurate.codegen.planner import make_plan
from murmurate.engines.gpu.device import Adapter, Device, kinds_of_buffers
from murmurate.engines.gpu.gpu_engine import GpuEngine
from murmurate.engines.gpu.program import Path as StepPath
from murmurate.engines.gpu.program import Program
from murmurate.engines.initial_state import initial_state
from murmurate.engines.options import RunOptions

sys.path.append(str(Path(__file__).parents[1] / "tests" / "support"))
from interpreted_wgsl import InterpretedProcess

LANES = 32  # of a group on cards of NVIDIA and Apple; AMD has 32 or 64
BOIDS = 40_000
ICD = "/usr/share/vulkan/icd.d/radeon_icd.x86_64.json"
LOADER = "/usr/lib/x86_64-linux-gnu/libvulkan.so.1"
PATH = "any number"  # of boids
CELLS = 3  # word of the buffer `cells` with their number
CELLS_OF_A_THREAD = 4  # of passes over cells


def count() -> Iterator[tuple[str, float, str]]:
    """Print the counts of the standard flocks, and yield them: name, value and unit."""
    print("per boid and step; lane-slots are of groups of", LANES, "lanes")
    print(f"{'flock':10}{'candidates':>12}{'turns':>8}{'search':>10}{'all':>10}{'bytes':>8}")
    for neighbours in (8, 20, 75):
        code = machine_code(neighbours)
        turns, strips, cells, size = measure_step(neighbours)
        candidates, widest = turns.mean(), turns.reshape(-1, LANES).max(axis=1).mean()
        batches, strip, candidate = loops(code["stage_0"])
        search = candidate * widest + strip * strips + batches
        passes = {each.entry: each for each in path_of(neighbours)[1].passes}
        lengths = {name: len(instructions(text)) for name, text in code.items()}
        of_boids = sum(n for name, n in lengths.items() if "boids" in passes[name].threads)
        of_cells = sum(n for name, n in lengths.items() if "blocks" in passes[name].threads)
        everything = search + of_boids - batches - strip - candidate
        everything += cells * of_cells / CELLS_OF_A_THREAD
        for name, value, unit in (
            ("candidates", candidates, "boids"), ("search", search, "lane-slots"),
            ("all passes", everything, "lane-slots"), ("memory", size, "bytes"),
        ):  # fmt: skip
            yield f"3-D, {neighbours} neighbours: {name}", float(value), unit
        print(f"3-D, {neighbours:<5}{candidates:>12.0f}{widest:>8.0f}{search:>10,.0f}"
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


def path_of(neighbours: int) -> tuple[Program, StepPath]:
    """Return the program of a standard flock, and its path."""
    program = Program.of(make_plan(uniform(BOIDS, neighbours, 3)))
    return program, next(path for path in program.paths if path.name == PATH)


def compile_passes(neighbours: int) -> None:
    """Compile all passes: the driver prints the machine code of each on the error output."""
    import wgpu

    program, path = path_of(neighbours)
    adapters = wgpu.gpu.enumerate_adapters_sync()
    device = next(a for a in adapters if "RADV" in a.info["device"]).request_device_sync()
    for each in path.passes:
        module = program.modules[each.module]
        entries = [
            {"binding": k, "visibility": "COMPUTE", "buffer": {"type": kind}}
            for k, kind in kinds_of_buffers(module).items()
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


def measure_step(neighbours: int) -> tuple[np.ndarray, float, float, float]:
    """Return the turns of each boid's loop over candidates; and for each boid the strips of cells,
    the cells, and the bytes that all passes read and write."""
    model, traffic = uniform(BOIDS, neighbours, 3), Counter[tuple[str, str]]()
    process = InterpretedProcess(traffic)
    device = Device(Adapter("none", "CPU", "Vulkan", 1 << 40, 8), process)  # type: ignore[arg-type]
    state, options = initial_state(model, 1), RunOptions("gpu", "float32", seed=1)
    GpuEngine(model, state, options, device, PATH).step(1)
    (stage,) = (module for module, entry in process.pipelines if entry == "stage_0")
    cells = process.buffers["cells"].view(np.uint32)[CELLS]
    strips = stage.turns["next_spans"].sum() / BOIDS
    return stage.turns["j"][:BOIDS], strips, cells / BOIDS, sum(traffic.values()) / BOIDS

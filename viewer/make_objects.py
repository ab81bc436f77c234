"""Compile what comes with the package: objects of the published flocks' pages, and some kernels.

    python viewer/make_objects.py           write the folders, and compile what they lack
    python viewer/make_objects.py --check   print what they lack; exit with 1 if so

Objects are named by their sources, so old ones do no harm: pages compile what the folders lack. A
slow test notices it. After a change of the text of all kernels, writing the folders takes four
minutes of processor time.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory

import murmurate as mm
from murmurate.codegen.kernel_cache import Kernel
from murmurate.codegen.shipped_objects import SHIPPED, shipped_object, write_objects
from murmurate.engines.wasm.module_compiler import FOLDER, ModuleObject, layout_object
from murmurate.engines.wasm.page_modules import DTYPE, page_layouts
from murmurate.engines.wasm.population_module import population_object
from murmurate.engines.wasm.start_module import start_object
from murmurate.jit import FUNCTIONS
from murmurate.runs.live_page import page_capacity
from murmurate.show.wire_format import encode

PICTURES = mm.View(steps=2, size=(1280, 720), trails=1)
START = "start"
"""Stands for the objects that all pages share, beside the names of models."""


def main() -> int:
    """Write or check the folder, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="only print what the folder lacks")
    if parser.parse_args().check:
        missing = [*missing_objects(), *missing_kernels()]
        print(f"lacks objects of {', '.join(missing)}" if missing else "complete")
        return int(bool(missing))
    with ProcessPoolExecutor(mp_context=get_context("spawn"), max_tasks_per_child=1) as workers:
        parts = list(workers.map(compiled_objects, page_names()))
    objects = {name: data for part in parts for name, data in part.items()}
    write_objects(objects, FOLDER)
    kernels = {
        each.shipped_name: shipped_object(each.shipped_name) or each.lower().to_bytes()
        for each in shipped_kernels()
    }
    write_objects(kernels)
    for kind, files in (("objects", objects), ("kernels", kernels)):
        print(f"{len(files)} {kind}, {sum(map(len, files.values())) / 1e6:.1f} MB")
    return 0


def page_names() -> list[str]:
    """Return START and the names of the published flocks."""
    return [START, *mm.zoo()]


def missing_objects() -> list[str]:
    """Return the names of pages for which the folder lacks an object."""
    return [
        name
        for name in page_names()
        if any(shipped_object(each.name, FOLDER) is None for each in module_objects(name))
    ]


def missing_kernels() -> list[str]:
    """Return the names of kernels that the folder lacks."""
    return [each.name for each in shipped_kernels() if shipped_object(each.shipped_name) is None]


def shipped_kernels() -> list[Kernel]:
    """Return the kernels of the flocks of SHIPPED and of their pictures, without repeats."""
    used: list[Kernel] = []
    for name in SHIPPED:
        simulation = mm.Simulation(mm.load(name)).step(1)
        used += simulation._engine._kernels.used.values()
        with TemporaryDirectory() as folder:
            mm.film(simulation, Path(folder) / "film.mp4", view=PICTURES)
        encode(simulation.frame)
    used += [kernel for function in FUNCTIONS for kernel in function.kernels.values()]
    return list({kernel.shipped_name: kernel for kernel in used}.values())


def compiled_objects(name: str) -> dict[str, bytes]:
    """Return the objects of a model, compiled if need be."""
    return {each.name: each.load() for each in module_objects(name)}


def module_objects(name: str) -> Iterator[ModuleObject]:
    """Yield the objects of a model's page."""
    if name == START:
        yield start_object()
        yield population_object()
        return
    model = mm.load(name)
    layouts = page_layouts(model, page_capacity(model, None))
    yield from (layout_object(each, DTYPE) for each in layouts)


if __name__ == "__main__":
    sys.exit(main())

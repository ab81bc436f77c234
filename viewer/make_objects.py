"""Compile the objects of the published flocks' pages, which come with the package.

    python viewer/make_objects.py           write the folder, and compile what it lacks
    python viewer/make_objects.py --check   print what it lacks; exit with 1 if so

Objects are named by their sources, so old ones do no harm: pages compile what the folder lacks. A
slow test notices it. After a change of the text of all kernels, writing the folder takes four
minutes of processor time.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import murmurate as mm
from murmurate.engines.wasm.module_compiler import ModuleObject, layout_object
from murmurate.engines.wasm.page_modules import DTYPE, page_layouts
from murmurate.engines.wasm.population_module import population_object
from murmurate.engines.wasm.shipped_objects import shipped_object, write_objects
from murmurate.engines.wasm.start_module import start_object
from murmurate.runs.live_page import page_capacity

START = "start"
"""Stands for the objects that all pages share, beside the names of models."""


def main() -> int:
    """Write or check the folder, and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="only print what the folder lacks")
    if parser.parse_args().check:
        missing = missing_objects()
        print(f"lacks objects of {', '.join(missing)}" if missing else "complete")
        return int(bool(missing))
    with ProcessPoolExecutor(mp_context=get_context("spawn"), max_tasks_per_child=1) as workers:
        parts = list(workers.map(compiled_objects, page_names()))
    objects = {name: data for part in parts for name, data in part.items()}
    write_objects(objects)
    print(f"{len(objects)} objects, {sum(map(len, objects.values())) / 1e6:.1f} MB")
    return 0


def page_names() -> list[str]:
    """Return START and the names of the published flocks."""
    return [START, *mm.zoo()]


def missing_objects() -> list[str]:
    """Return the names of pages for which the folder lacks an object."""
    return [
        name
        for name in page_names()
        if any(shipped_object(each.name) is None for each in module_objects(name))
    ]


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

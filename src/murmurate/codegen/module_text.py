"""A plan -> the text of one module with the kernels that fly it.

The text is meant to be read: `murmurate show MODEL --kernel` prints it. Rules stand in it as the
functions they are; the loops around them are templates, a page each: sweeps of boids and their
candidates (candidates/pages), boids that take turns, and the end of a step with several force
evaluations (templates).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import partial

from murmurate.codegen.candidates.nearest import needs_ids
from murmurate.codegen.candidates.searches import SEARCHES, SWEEPS
from murmurate.codegen.kernel_functions_text import functions_module, shared_functions
from murmurate.codegen.kernel_text import KernelText
from murmurate.codegen.layout import Layout
from murmurate.codegen.module_header import header, with_constants
from murmurate.codegen.plan import Plan
from murmurate.codegen.sensing_text import SensingText
from murmurate.codegen.steering_text import SteeringText
from murmurate.codegen.templates import filled
from murmurate.codegen.text_layout import tidy
from murmurate.codegen.unpacking import intrinsics_import, places, unpacked
from murmurate.language import maths
from murmurate.language.library import Library

TUPLES = ("Herd", "Me", "Other", "Random")


def kernel_text(
    plan: Plan,
    dtype: str,
    layout: Layout,
    library: Library | None = None,
    *,
    in_page: bool = False,
) -> str:
    """The whole module. Raises RuleError for a rule function that cannot be compiled.

    library  an empty one, which then holds the functions of the rules
    in_page  whether it is for a page, where one thread flies, and kernels note what each rule wants
             of one boid: `vectors` of `probe`
    """
    library = library or Library(shared_functions())
    text = KernelText(layout, library, dtype, in_page)
    target = "wasm" if in_page else "cpu"
    fill = partial(
        filled, text=text, name=text.name, its=text.its, sensing=SensingText(text),
        steering=SteeringText(text), search={search.page: search for search in SEARCHES},
    )  # fmt: skip
    parts = [fill("steering")]
    for stage in range(plan.stages):
        flocks = text.flocks_of_stage(stage)
        for search in SWEEPS if text.synchronous else ():
            swept = [flock for flock in flocks if search.sweeps(layout, flock)]
            if swept:
                facts = {"stage": stage, "flocks": swept, "needs_ids": needs_ids(swept)}
                parts.append(fill(f"sweep_{search.kernel}", **facts))
    if plan.integrates:
        last = [flock for flock in plan.flocks if flock.last]
        parts.append(fill("settle", flocks=last))
    elif not text.synchronous:
        parts.append(fill("in_turn", needs_ids=needs_ids(plan.flocks)))
    slots = [text.constant(k) for k in range(len(plan.slots))]
    shared = {*shared_functions().values(), *maths.OWN, "next_chunk"}
    own = {*slots, *shared, *TUPLES, *text.fields, *library.texts}
    code = unpacked("".join(parts), _parts(text), own, library.names.issued)
    names = code.names | library.reached
    functions = [library.text(), tidy(code.text)] if library.texts else [tidy(code.text)]
    head = [
        header(_about(layout), dtype, target),
        _imports(names, shared, functions_module(dtype, target)),
        *_definitions(names, slots, text),
    ]
    return with_constants("\n".join(head), "\n\n\n".join(functions))


def _about(layout: Layout) -> str:
    ranges = ", ".join(
        f"{flock.flock} {search.boids_are}"
        for flock in {flock.flock: flock for flock in layout.plan.flocks}.values()
        for search in SWEEPS
        if search.sweeps(layout, flock)
    )
    return f"Kernels of a model: {ranges}"


def _imports(names: Collection[str], shared: Iterable[str], module: str) -> str:
    """What the code takes from other modules.

    shared, module  functions that all kernels share, and where they are
    """
    tuples = ", ".join(name for name in TUPLES if name in names)
    found = ", ".join(sorted(name for name in shared if name in names))
    lines = [f"from murmurate.model.rule_arguments import {tuples}"]
    if found:
        lines.append(f"from {module} import ({found})")
    return intrinsics_import(names) + tidy("\n".join(lines))


def _definitions(names: Collection[str], slots: list[str], text: KernelText) -> list[str]:
    """Constants: places in the table of arguments, slots of numbers, tuples of a part's numbers."""
    lines = ["", "# places in the table of arguments", *places(names)]
    lines += ["", "# places in `numbers`"]
    lines += [f"{name} = {k}" for k, name in enumerate(slots) if name in names]
    lines.append("")
    for name, fields in text.fields.items():
        words = ", ".join(f'"{field}"' for field in fields)
        lines.append(f'{name} = namedtuple("{name}", ({words},))')
    return [tidy("\n".join(lines)), ""]


def _parts(text: KernelText) -> dict[str, str]:
    """Names of parts of arguments, and expressions: rows of the state, sides, ranges of flocks."""
    parts: dict[str, str] = {}
    for k, axis in enumerate(text.axes):
        parts[axis.upper()] = f"state[{k}]"
        parts["UVW"[k]] = f"state[{k + text.dims}]"
    for k in text.periodic_axes:
        parts[f"side{k}"] = f"upper[{k}] - lower[{k}]"
        parts[f"half{k}"] = f"real(0.5) * side{k}"
    for kind, flock in enumerate(text.flocks):
        for k, what in enumerate(("begin", "swept", "first", "size")):
            parts[text.name(what, flock)] = f"flocks[{kind}, {k}]"
    return parts

"""A plan -> the text of one module with the kernels that fly it.

The text is meant to be read: `murmurate show MODEL --kernel` prints it. Rules stand in it as the
functions they are; the loops around them are the templates of templates/, a page each: cells, whole
sweeps, boids that take turns, and the end of a step with several force evaluations.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from murmurate.codegen.argument_text import intrinsics_import, places, unpacked, words_of
from murmurate.codegen.function_library import VECTORED, Library
from murmurate.codegen.kernel_functions_text import functions_module, shared_functions
from murmurate.codegen.kernel_text import KernelText
from murmurate.codegen.layout import Layout, lay_out, nearest_groups
from murmurate.codegen.module_header import header, with_constants
from murmurate.codegen.plan import FlockPlan, Plan, word
from murmurate.codegen.sensing_text import SensingText
from murmurate.codegen.steering_text import SteeringText
from murmurate.codegen.templates import filled
from murmurate.codegen.text_layout import tidy

TUPLES = ("Herd", "Me", "Other", "Random")


def kernel_text(
    plan: Plan,
    dtype: str,
    layout: Layout | None = None,
    library: Library | None = None,
    *,
    in_page: bool = False,
) -> str:
    """The whole module. Raises RuleError for a rule function that cannot be compiled.

    library  an empty one, which then holds the functions of the rules
    in_page  whether it is for a page, where one thread flies, and kernels note what each rule wants
             of one boid: `vectors` of `probe`
    """
    layout = layout or lay_out(plan)
    library = library or Library(shared_functions())
    text = KernelText(layout, library, dtype, in_page)
    fill = partial(filled, text=text, sensing=SensingText(text), steering=SteeringText(text))
    parts = [fill("steering")]
    for stage in range(plan.stages):
        flocks = text.flocks_of_stage(stage)
        whole = [flock for flock in flocks if flock.flock not in layout.gridded]
        cells = [flock for flock in flocks if flock.flock in layout.gridded]
        if whole and text.synchronous:
            parts.append(fill("whole", stage=stage, flocks=whole))
        if cells and text.synchronous:
            parts.append(fill("cells", stage=stage, flocks=cells, needs_ids=_needs_ids(cells)))
    if plan.integrates:
        last = [flock for flock in plan.flocks if flock.last]
        parts.append(fill("settle", flocks=last))
    elif not text.synchronous:
        parts.append(fill("in_turn", needs_ids=_needs_ids(plan.flocks)))
    code = tidy(unpacked("".join(parts), _parts(text)))
    code = f"{library.text()}\n\n\n{code}" if library.texts else code
    head = [header(_about(layout), dtype), _imports(code, dtype), *_names(code, text)]
    return with_constants("\n".join(head), code)


def _needs_ids(flocks: Iterable[FlockPlan]) -> bool:
    """Whether some look for the k nearest, of which ids decide between those equally far."""
    return any(nearest_groups(flock) for flock in flocks)


def _about(layout: Layout) -> str:
    ranges = ", ".join(
        f"{name} {'in cells' if name in layout.gridded else 'swept whole'}"
        for name in layout.plan.counts
    )
    return f"Kernels of a model: {ranges}"


def _imports(code: str, dtype: str) -> str:
    """What the code takes from other modules."""
    words = words_of(code)
    tuples = ", ".join(name for name in TUPLES if name in words)
    shared = sorted(words.intersection({*shared_functions().values(), *VECTORED.values()}))
    lines = [f"from murmurate.model.rule_arguments import {tuples}"]
    if shared:
        lines.append(f"from {functions_module(dtype)} import ({', '.join(shared)})")
    return intrinsics_import(code) + tidy("\n".join(lines))


def _names(code: str, text: KernelText) -> list[str]:
    """Constants: places in the table of arguments, slots of numbers, tuples of a part's numbers."""
    words = words_of(code)
    lines = ["", "# places in the table of arguments", *places(code)]
    lines += ["", "# places in `numbers`"]
    lines += [f"{s.name} = {k}" for k, s in enumerate(text.plan.slots) if s.name in words]
    lines.append("")
    for name, names in text.fields.items():
        fields = ", ".join(f'"{field}"' for field in names)
        lines.append(f'{name} = namedtuple("{name}", ({fields},))')
    return [tidy("\n".join(lines)), ""]


def _parts(text: KernelText) -> list[str]:
    """The lines that name parts of arguments: rows of the state, sides, ranges of flocks."""
    lines: list[str] = []
    for k, axis in enumerate(text.axes):
        lines.append(f"{axis.upper()} = now[{k}]")
        lines.append(f"{'UVW'[k]} = now[{k + text.dims}]")
    for k in text.periodic_axes:
        lines.append(f"side{k} = upper[{k}] - lower[{k}]")
        lines.append(f"half{k} = real(0.5) * side{k}")
    for kind, name in enumerate(text.flocks):
        for k, what in enumerate(("begin", "swept", "first", "size")):
            lines.append(f"{what}_{word(name)} = flocks[{kind}, {k}]")
    return lines

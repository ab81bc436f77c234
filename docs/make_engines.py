"""Write the table of docs/engines.md: which engine simulates what.

    python docs/make_engines.py

Each cell follows from the `problems` that the engine or page finds in small models with the feature
(engine_features.py), before anything is compiled. One test asserts that the page is what this
script writes, another simulates each feature that has a tick. Each other cell has a reason below.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from pathlib import Path

from engine_features import COMMANDS, EDITED, FEATURES, dtype_of, models

import murmurate as mm
from murmurate.codegen.opened_rules import opened_model
from murmurate.engines.base import EngineBase
from murmurate.engines.gpu.page_program import page_program
from murmurate.engines.options import RunOptions
from murmurate.engines.registry import engine_class
from murmurate.engines.wasm.page_modules import DTYPE, check_page, page_layouts
from murmurate.runs.live_page import page_capacity

PAGE = Path(__file__).resolve().parent / "engines.md"
MADE = "<!-- made by docs/make_engines.py: change the words there instead -->"


def of_engine(engine: str, model: mm.Model, feature: str) -> list[str]:
    """Return what an engine cannot simulate in a model."""
    cls, dtype = engine_class(engine), dtype_of(feature)
    if feature == COMMANDS and cls.set_memory is EngineBase.set_memory:
        return ["controls: got some; expected none"]
    own = getattr(cls, "dtype", dtype or "float32")
    if dtype and own != dtype:
        return [f"dtype: got {dtype!r}; expected {own!r}"]
    problems: list[str] = cls.problems(model, RunOptions(engine, own))
    return problems


def of_page(model: mm.Model, feature: str) -> list[str]:
    """Return what a page cannot simulate in a model by WebAssembly."""
    if (dtype := dtype_of(feature)) not in (None, DTYPE):
        return [f"dtype: got {dtype!r}; expected {DTYPE!r}"]
    try:
        check_page(model)
        page_layouts(model, page_capacity(model, None))
        if feature == EDITED:
            opened_model(model, list(model.rules))
    except (mm.ModelError, mm.RuleError) as error:
        return str(error).removeprefix("model.").splitlines()
    return []


def of_webgpu(model: mm.Model, feature: str) -> list[str]:
    """Return what a page cannot simulate in a model by WebGPU."""
    if problems := of_page(model, feature):
        return problems
    edit = list(model.rules) if feature == EDITED else ()
    program = page_program(model, page_capacity(model, None), edit=edit)
    return [program["why"]] if "why" in program else []


COLUMNS: dict[str, Callable[[mm.Model, str], list[str]]] = {
    **{name: partial(of_engine, name) for name in ("reference", "cpu", "slabs", "gpu", "wasm")},
    "page": of_page,
    "page, WebGPU": of_webgpu,
}
"""Column -> function that returns what it cannot simulate in a model."""
REASONS = {
    ("reference", "dtype"): "The reference always computes in float64.",
    ("slabs", "order"): "Workers update their boids at the same time.",
    ("slabs", "integrator"): "An integrator evaluates forces several times in a step, and "
    "workers exchange boids only once.",
    ("slabs", r"rules.\w+.radius|flocks: got none"): "Workers hold slabs of the grid, so each rule "
    "needs a radius or senses the nearest, and a flock must be large enough for a grid.",
    (
        "slabs",
        "herd",
    ): "The centre of a herd and its farthest boid would need another exchange between workers.",
    ("slabs", "sensing"): "Past states stay on the worker that held the boid at that time.",
    ("slabs", "voronoi"): "A triangulation needs all boids in one place.",
    ("gpu", "order"): "Most boids would have to wait for others: see "
    "[sequential updates](gpu.md#sequential-updates).",
    ("gpu", "voronoi"): "The triangulation is computed by SciPy, on the processor.",
    ("gpu", "flocks: got"): "A boid's state has eight bits for the index of its flock.",
    ("gpu", "dtype"): "WGSL has no float64.",
    ("wasm", "voronoi"): "The triangulation is computed by SciPy, in Python.",
    ("page", "one number"): "Durations are drawn in Python: make a replay.",
    ("page", "dtype"): "Pages compute in float32.",
    ("page, WebGPU", "births"): "Births and deaths are simulated on the processor: such pages run "
    "with WebAssembly.",
    ("page, WebGPU", "mesh"): "Browsers take very long to compile kernels with meshes.",
}
"""Column and pattern of a problem -> why."""
HEIRS = {"page": ("wasm",), "page, WebGPU": ("page", "gpu")}
"""Page -> columns whose reasons hold for it too."""
WORDS = """
# Engines

An engine simulates a model. All engines run the same rule functions, and tests compare each with
`reference`. Choose one by `murmurate film MODEL --engine gpu`, or in Python by
`mm.Simulation(model, engine="gpu")`.

| engine | runs on | for |
|---|---|---|
| `cpu`, the default | all cores of this machine | everything |
| `slabs` | [several machines](cluster.md) | flocks of millions |
| `gpu` | [a graphics card](gpu.md) | large flocks, without a compiler |
| `reference` | one core, in plain Python | tests of all others, and of your rules |
| `wasm` | one core, with the WebAssembly of pages | tests of pages |
| [page](live-page.md) | a browser: WebAssembly, or WebGPU | readers without Python |

A model that an engine cannot simulate is refused before anything is compiled. The error names what
the engine does not simulate, and the engines that do:

    rules.alignment.neighbours: got 'voronoi'; expected 'all' for engine 'gpu'. Use engine 'cpu'

## What each engine simulates

A tick means that the engine or page simulates the feature; a number refers to a reason below the
table. `python docs/make_engines.py` asks each engine about small models with the feature and writes
this page; tests simulate each feature that has a tick.

"""


def reason(column: str, problem: str) -> str:
    """Return why an engine or page has a problem."""
    for (own, pattern), text in REASONS.items():
        if own == column and re.search(pattern, problem):
            return text
    for other in HEIRS.get(column, ()):
        if text := reason(other, problem):
            return text
    return ""


def problems(column: str, feature: str) -> list[str]:
    """Return what an engine or a page cannot simulate in each model of a feature.

    Raises ValueError if it simulates some of the models: these are several features.
    """
    answers = [COLUMNS[column](model, feature) for model in models(feature)]
    if any(answers) and not all(answers):
        raise ValueError(f"{column} simulates some models of {feature!r}: {answers}")
    return [text for answer in answers for text in answer]


def page() -> str:
    """Return the text of the page. Raises ValueError for a cell without tick and reason."""
    notes: dict[str, int] = {}
    lines = [f"| | {' | '.join(COLUMNS)} |", f"|---|{':---:|' * len(COLUMNS)}"]
    for heading, features in FEATURES.items():
        lines.append(f"| **{heading}** |{' |' * len(COLUMNS)}")
        for feature in features:
            cells = []
            for column in COLUMNS:
                texts = dict.fromkeys(reason(column, text) for text in problems(column, feature))
                if not all(texts):
                    raise ValueError(f"{column} refuses {feature!r}, without one of REASONS")
                numbers = [str(notes.setdefault(text, len(notes) + 1)) for text in texts]
                cells.append(", ".join(numbers) or "✓")
            lines.append(f"| {feature} | {' | '.join(cells)} |")
    lines += ["", *(f"{number}. {text}" for text, number in notes.items())]
    if unused := set(REASONS.values()) - set(notes):
        raise ValueError(f"reasons without a cell: {unused}")
    return f"{MADE}\n{WORDS}" + "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")

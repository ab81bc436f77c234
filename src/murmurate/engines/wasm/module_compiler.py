"""Compile a model's layout to a WebAssembly module: kernels, and the loop over steps.

The kernels are those of engine 'cpu'. Compiled objects are cached by content.
"""

from __future__ import annotations

import gc
import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType

from murmurate.activity import doing
from murmurate.codegen import intrinsics, kernel_compiler
from murmurate.codegen.cache_folder import cached_file
from murmurate.codegen.candidates.searches import SWEEPS
from murmurate.codegen.code_digest import code_digest
from murmurate.codegen.compile_jobs import compile_in_thread
from murmurate.codegen.kernel_cache import executed, versions
from murmurate.codegen.layout import Layout
from murmurate.codegen.module_text import (
    functions_module,
    header,
    kernel_text,
    shared_functions,
    with_constants,
)
from murmurate.codegen.opened_rules import OPENED, OpenedRules
from murmurate.codegen.shipped_objects import shipped_object
from murmurate.codegen.templates import filled, tidy
from murmurate.codegen.unpacking import intrinsics_import, offset_lines, unpack_arguments
from murmurate.disk import read_bytes
from murmurate.engines.wasm import object_code, plain_math, target
from murmurate.engines.wasm.module_file import link_module, read_object
from murmurate.engines.wasm.module_memory import MemoryLayout
from murmurate.engines.wasm.object_code import dispatchers, shared_dispatchers, wasm_object
from murmurate.engines.wasm.target import decorate_functions, forget, trap
from murmurate.errors import RuleError
from murmurate.language import maths
from murmurate.language.library import Library
from murmurate.language.source import fault

FOLDER = Path(__file__).with_name("objects")
"""Objects that come with the package."""
OUTSIDE_MATHS = tuple(
    name for name, entry in maths.TABLE.items() if entry.own or entry.page == "plain"
)
"""Functions of mathematics that a module with opened rules exports, as 'math.NAME'."""
MAKERS = (target, object_code, plain_math, intrinsics, kernel_compiler)
"""Modules that determine all objects."""
REFUSES = ("voronoi",)
"""Names of model.features.FEATURES that modules do not simulate."""
STEP_FUNCTION = "run_steps"
"""The exported function, which runs steps."""


def build_module(
    layout: Layout, dtype: str, opened: OpenedRules | None = None, part: str = ""
) -> tuple[bytes, MemoryLayout]:
    """Return the module of a layout, and its memory layout.

    opened  rules whose functions are outside of the module, in a table that it exports as
            'functions', with the mathematics that they may call
    part    which of several modules of the model it is, for messages

    Raises RuleError for a rule that does not compile or that calls unsupported mathematics.
    """
    compiled = read_object(layout_object(layout, dtype, opened, part).load())
    memory = MemoryLayout(layout, dtype, compiled.data_end)
    names, n_table = [STEP_FUNCTION], 0
    if opened:
        names += [f"math.{name}" for name in OUTSIDE_MATHS]
        memory.opened, n_table = opened.manifest(compiled.data[OPENED]), opened.n_functions
    words = layout.plan.meshes
    data = {at: words[name].tobytes() for name, at in memory.meshes.items()}
    return link_module(compiled, memory.pages, memory.stack_end, names, n_table, data), memory


# --- texts


def kernels_text(layout: Layout, dtype: str, opened: OpenedRules | None = None) -> str:
    """Return the text of a module's kernels. Raises RuleError.

    These are the kernels of engine 'cpu', which also store the output of each rule for one boid.
    """
    return kernel_text(layout.plan, dtype, layout, in_page=True, opened=opened)


def steps_text(layout: Layout, dtype: str) -> str:
    """Return the text of the loop over steps, which calls kernels and shared functions."""
    stages = range(layout.plan.stages)
    kernels = [f"{search.kernel}_{stage}" for search in SWEEPS for stage in stages]
    external = {*shared_functions().values(), *kernels, "update_in_order", "settle", "trap"}
    external |= {"next_chunk", "take_chunk"}
    code = unpack_arguments(filled("many_steps", flight=_StepParts(layout)), module=external)
    head = [
        header("Whole steps of a model", dtype, "wasm"),
        intrinsics_import(code.names),
        tidy("\n".join(offset_lines(code.names))),
    ]
    return with_constants("\n".join(head), tidy(code.text))


@dataclass(frozen=True)
class _StepParts:
    """The parts of a step of one model, see many_steps.py.j2."""

    layout: Layout
    calls = "calls_by_name"
    shares_updates = False

    @property
    def sequential(self) -> bool:
        return self.layout.plan.model.order != "synchronous"

    @property
    def together(self) -> bool:
        return not self.sequential

    @property
    def integrates(self) -> bool:
        return self.layout.plan.integrates

    @property
    def perceives(self) -> bool:
        return self.layout.plan.perceives

    @property
    def totals(self) -> bool:
        return self.layout.plan.has_totals

    @property
    def cells(self) -> bool:
        return bool(self.layout.gridded)

    @property
    def parts(self) -> tuple[str, ...]:
        return tuple(name for name, is_used in self.layout.step_parts().items() if is_used)

    @property
    def all_pairs(self) -> bool:
        return set(self.layout.plan.counts) != set(self.layout.gridded)

    @property
    def stages(self) -> int:
        return self.layout.plan.stages


# --- compilation


@dataclass(frozen=True)
class ModuleObject:
    """A compiled object, from which a module is linked.

    name     has a digest of its sources: the same on all machines
    title    what is compiled, for messages
    compile  compiles it, in any thread
    """

    name: str
    title: str
    compile: Callable[[], bytes]

    @classmethod
    def of(
        cls, kind: str, title: str, compile: Callable[[], bytes], texts: Iterable[str] = (),
        modules: Iterable[ModuleType] = (),
    ) -> ModuleObject:  # fmt: skip
        """Return the object that is compiled from texts, and from modules of this package."""
        files = [Path(str(module.__file__)) for module in (*MAKERS, *modules)]
        contents = hashlib.sha256(b"".join(map(read_bytes, files)))
        plain = functions_module("float64", "wasm")
        digest = code_digest(texts, contents.hexdigest(), plain)
        return cls(f"murmurate_{kind}_{digest[:24]}.wasm.o", title, compile)

    def load(self, folder: Path = FOLDER) -> bytes:
        """Return the object that comes with the package or is in the cache, or compile it.

        Raises any exception of `compile`.

        folder  of the objects that come with the package
        """
        if (shipped := shipped_object(self.name, folder)) is not None:
            return shipped
        libraries = code_digest((), *versions())[:12]
        return cached_file(f"{libraries}.{self.name}", self._compile_in_thread)

    def _compile_in_thread(self) -> bytes:
        results: list[bytes] = []

        def compile() -> None:
            text = f"Compiling {self.title} to WebAssembly (stored for next time)"
            with doing(text), kernel_compiler.faster_compilation():
                results.append(self.compile())

        compile_in_thread(compile)
        gc.collect()  # LLVM's code is large, and lives as long as the functions of numba
        return results[0]


def layout_object(
    layout: Layout, dtype: str, opened: OpenedRules | None = None, part: str = ""
) -> ModuleObject:
    """Return the object of a layout. Raises RuleError for a rule that does not compile."""
    texts = kernels_text(layout, dtype, opened), steps_text(layout, dtype)
    compile = partial(_compile_layout, layout, *texts, dtype, opened is not None)
    return ModuleObject.of("flight", f"{layout.plan.model.name}{part}", compile, texts)


def _compile_layout(layout: Layout, kernels: str, steps: str, dtype: str, opened: bool) -> bytes:
    try:
        return _compile_texts(layout, kernels, steps, dtype, opened)
    except (OSError, MemoryError, RuleError):
        raise
    except Exception as error:  # numba and LLVM have errors of many classes
        from murmurate.engines.cpu.model_kernels import explain_compile_error

        raise explain_compile_error(layout, kernels, error) from None


def _compile_texts(layout: Layout, kernels: str, steps: str, dtype: str, opened: bool) -> bytes:
    check_mathematics(layout)
    shared = shared_dispatchers(dtype)
    names = {
        **shared,
        **decorate_functions({"trap": trap}),
        **dispatchers(executed("murmurate_wasm_kernels", kernels)),
    }
    flight = executed("murmurate_wasm_flight", steps, names)
    mathematics = {name: shared.get(maths.TABLE[name].own) for name in OUTSIDE_MATHS}
    try:
        run = {STEP_FUNCTION: flight.run_steps}
        return wasm_object(run, *(mathematics, [OPENED]) if opened else ())
    finally:
        forget({*dispatchers(flight).values()}.difference(shared.values()))


def check_mathematics(layout: Layout) -> None:
    """Raise RuleError for a function that calls mathematics which modules do not support."""
    library = Library(shared_functions())
    kernel_text(layout.plan, "float64", layout, library)
    for tree, call in library.mathematics():
        if maths.TABLE[call.word].page is None:
            raise fault(
                tree.function, call.line,
                f"calls math.{call.word}; engine 'wasm' and live pages support only "
                f"{', '.join(sorted(maths.IN_PAGES))}. Write the rule with these, or use engine "
                "'cpu', and a page with a replay (without live)",
            )  # fmt: skip

"""Model kernels: layout and source of a model, its compiled kernels, and errors of the compiler."""

from __future__ import annotations

import ast
import linecache
import logging
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NoReturn

from murmurate.activity import KERNELS, doing
from murmurate.codegen.compile_jobs import CompileProcess, compile_in_thread, compile_logged
from murmurate.codegen.kernel_cache import LOADING, Kernel, kernel_module, shared_module
from murmurate.codegen.layout import Layout, lay_out
from murmurate.codegen.module_text import kernel_text, shared_functions
from murmurate.codegen.planner import make_plan
from murmurate.engines.cpu import thresholds as cpu_thresholds
from murmurate.engines.cpu.thresholds import CpuThresholds
from murmurate.engines.options import cores
from murmurate.language.library import Library
from murmurate.language.scope import SAME_KIND
from murmurate.language.source import fault
from murmurate.language.tree import statements
from murmurate.model.model import Model
from murmurate.model.rule_functions import is_of_user
from murmurate.syntax import syntax_tree

log = logging.getLogger(__name__)


def layout_and_source(
    model: Model, counts: Mapping[str, int], dtype: str, thresholds: CpuThresholds | None = None
) -> tuple[Layout, str]:
    """Return a model's layout and the source of its kernels.

    The function caches the last few results, since sweeps simulate one model with many seeds. If
    boids join and leave, cells are chosen for the largest numbers that the model allows, so that
    the kernels are a function of the model alone.

    dtype  precision of the kernels
    thresholds  sizes from which cells pay. The default is that of processors.
    """
    sizes = model.max_counts if model.changes_numbers else dict(counts)
    layout, source = _cached_layout_and_source(
        model, tuple(sizes.items()), dtype, thresholds or cpu_thresholds.THRESHOLDS
    )
    return (layout.with_counts(counts) if model.changes_numbers else layout), source


@lru_cache(maxsize=32)
def _cached_layout_and_source(
    model: Model, counts: tuple[tuple[str, int], ...], dtype: str, thresholds: CpuThresholds
) -> tuple[Layout, str]:
    plan = make_plan(model, dict(counts))
    layout = lay_out(plan, thresholds)
    return layout, kernel_text(plan, dtype, layout)


def layout_with_numbers(
    layout: Layout, model: Model, thresholds: CpuThresholds | None = None
) -> Layout | None:
    """Return the layout of a model that differs from another only in numbers; else None."""
    return layout.with_numbers(model, thresholds or cpu_thresholds.THRESHOLDS)


class ModelKernels:
    """Kernels of a model, each compiled or loaded from the cache when it is first used.

    source  source of its kernels
    dtype  precision
    parts  parts of a step that the model needs, of layout.STEP_PARTS
    """

    def __init__(self, layout: Layout, source: str, dtype: str, parts: Iterable[str] = ()) -> None:
        self.layout, self.source, self._dtype = layout, source, dtype
        self._parts = tuple(parts)
        with LOADING:  # else simulations that begin together would each compile them
            self._own, self._shared = kernel_module(source), shared_module(dtype)
        self._process: CompileProcess | None = None
        self._used: dict[str, Kernel] = {}
        if log.isEnabledFor(logging.INFO):  # a cache may hold thousands of files
            status = "in the cache" if self.compiled else "to be compiled"
            log.info("kernels of %s: %s", layout.plan.model.name or "the model", status)

    @property
    def compiled(self) -> bool:
        """Return whether the cache has the model's kernels; if not, a first step takes seconds."""
        return self._own.is_compiled

    @property
    def module(self) -> str:
        """Return the name of the module with the model's kernels."""
        return self._own.name

    @property
    def used(self) -> Mapping[str, Kernel]:
        """Return the kernels in use, by name."""
        return self._used

    def kernel(self, name: str) -> Kernel:
        """Return a kernel, ready to be called. Raises RuleError if a rule does not compile."""
        kernel = self._own.kernels.get(name) or self._shared.kernels[name]
        if not kernel.is_compiled:
            self._compile(kernel)
        self._used[name] = kernel
        return kernel

    def _compile(self, kernel: Kernel) -> None:
        """Load a kernel from the cache, or compile it."""

        def compile() -> None:
            if self._process and kernel.name in self._process.names:
                log.info("kernel %s: compiling, in a process of its own", kernel.name)
                with doing(KERNELS):
                    self._process.wait()
            with compile_logged(kernel):
                kernel.compile()

        if (
            self._process
            and kernel.name in self._process.names
            and "run_steps" not in self._process.names
        ):
            self.kernel("run_steps")  # while the other process compiles this one
        if self._process is None and kernel.module is self._own and not kernel.in_cache:
            self._start_process()
        try:
            compile_in_thread(compile)
        except BaseException as error:
            if self._process:
                self._process.stop()
            if not isinstance(error, Exception) or isinstance(error, (OSError, MemoryError)):
                raise
            self._explain(error)

    def _start_process(self) -> None:
        """Start a process that compiles shared kernels while this one compiles the model's.

        It compiles those that this model needs and that are not in the cache, as after an
        installation. Parts of a step take longer than the model's kernels, so this process compiles
        the loop of steps too. If there are no parts, the other process does.
        """
        parts = [f"{name}_alone" for name in self._parts]
        parts = [name for name in parts if not self._shared.kernels[name].in_cache]
        names = parts or [
            name for name in ("run_steps",) if not self._shared.kernels[name].in_cache
        ]
        if names and cores() > 1:
            self._process = CompileProcess(self._dtype, names)

    def _explain(self, error: Exception) -> NoReturn:
        """Raise the error of the rule that does not compile."""
        # the module may have other comments than this source, and so other lines
        text = "".join(linecache.getlines(str(self._own.imported().__file__)))
        raise explain_compile_error(self.layout, text, error) from None


def explain_compile_error(layout: Layout, source: str, error: Exception) -> Exception:
    """Return the RuleError for kernels that did not compile.

    Most errors are found before that, when rule functions are read (language/). The others are the
    compiler's, about the generated source; this function finds the line of the user's file.

    source  source of the kernels
    error  error of the compiler, returned if the kernels have no function of a user
    """
    library = Library(shared_functions())
    kernel_text(layout.plan, "float64", layout, library)
    functions = {name: tree for name, tree in library.trees.items() if is_of_user(tree.function)}
    if not functions:
        return error
    name, line = _locate(str(error), source, library)
    if name not in functions:
        name, line = next(iter(functions)), None
    return fault(
        functions[name].function, line, "does not compile, though it runs as plain Python: "
        f"{SAME_KIND}, and only numbers can be computed with"
    )  # fmt: skip


def _locate(message: str, source: str, library: Library) -> tuple[str, int | None]:
    """Return the function that numba's message is about, and the line in the user's file."""
    match = re.search(r'murmurate_kernel_\w+\.py(?:", line |\s*\()(\d+)', message)
    at = int(match[1]) if match else 0
    for function in syntax_tree(source).body:
        last = function.end_lineno or function.lineno
        if not (isinstance(function, ast.FunctionDef) and function.lineno <= at <= last):
            continue
        if function.name in library.trees:
            count = sum(s.lineno <= at for s in _statements(function))
            own = list(statements(library.trees[function.name].body))
            return function.name, own[min(max(count, 1), len(own)) - 1].line or None
    return "", None


def _statements(function: ast.AST) -> list[ast.stmt]:
    """Return all statements of a function except `pass`, in the order of its source."""
    result: list[ast.stmt] = []
    for node in ast.iter_child_nodes(function):
        if isinstance(node, ast.stmt) and not isinstance(node, ast.Pass):
            result.append(node)
        result += _statements(node)
    return result

"""Model kernels: the compiled kernels of a model, and those that all models share, by name."""

from __future__ import annotations

import ast
import logging
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NoReturn

from murmurate.codegen.compile_jobs import CompileProcess, compile_in_thread, compile_logged
from murmurate.codegen.kernel_cache import Kernel, kernel_module, shared_module
from murmurate.codegen.layout import Layout, Thresholds, lay_out
from murmurate.codegen.module_text import kernel_text, shared_functions
from murmurate.codegen.planner import make_plan
from murmurate.disk import read_text
from murmurate.engines.cpu import thresholds as cpu_thresholds
from murmurate.engines.options import cores
from murmurate.language.library import Library
from murmurate.language.scope import SAME_KIND
from murmurate.language.source import fault, is_own
from murmurate.language.tree import statements
from murmurate.model.model import Model
from murmurate.syntax import syntax_tree


def prepared(model: Model, counts: Mapping[str, int], dtype: str) -> tuple[Layout, str]:
    """Return a model's layout and the text of its kernels. The last few are remembered, since
    sweeps simulate the same model with many seeds.

    counts  flock -> number of boids
    """
    return _prepared(model, tuple(counts.items()), dtype, cpu_thresholds.THRESHOLDS)


@lru_cache(maxsize=32)
def _prepared(
    model: Model, counts: tuple[tuple[str, int], ...], dtype: str, thresholds: Thresholds
) -> tuple[Layout, str]:
    plan = make_plan(model, dict(counts))
    layout = lay_out(plan, thresholds)
    return layout, kernel_text(plan, dtype, layout)


log = logging.getLogger(__name__)


class ModelKernels:
    """Kernels that are compiled when they are first asked for.

    layout, text  of the model, as `prepared` gives them
    parts         the parts of a step that are needed, of layout.STEP_PARTS
    """

    def __init__(self, layout: Layout, text: str, dtype: str, parts: Iterable[str] = ()) -> None:
        self.layout, self.text, self._dtype = layout, text, dtype
        self._parts = tuple(parts)
        self._own = kernel_module(text)
        self._shared = shared_module(dtype)
        self._beside: CompileProcess | None = None
        if log.isEnabledFor(logging.INFO):  # a cache may hold thousands of files
            cached = "in the cache" if self.compiled else "to be compiled"
            log.info("kernels of %s: %s", layout.plan.model.name or "the model", cached)

    @property
    def compiled(self) -> bool:
        """Whether those of the model are in the cache: if not, the first step takes seconds."""
        return self._own.is_compiled

    def kernel(self, name: str) -> Kernel:
        """A kernel of the model, or one that all models share, compiled now if it was not yet.
        Raises RuleError for a rule that does not compile."""
        kernel = self._own.kernels.get(name) or self._shared.kernels[name]
        if not kernel.is_compiled:
            self._compile(kernel)
        return kernel

    def _compile(self, kernel: Kernel) -> None:
        def compile() -> None:
            if self._beside and kernel.name in self._beside.names:
                log.info("kernel %s: compiling, in a process of its own", kernel.name)
                self._beside.wait()
            with compile_logged(kernel):
                kernel.compile()

        if self._beside and kernel.name in self._beside.names and "fly" not in self._beside.names:
            self.kernel("fly")  # while the other process compiles this one
        if self._beside is None and kernel.module is self._own and not kernel.in_cache:
            self._compile_shared_beside()
        try:
            compile_in_thread(compile)
        except BaseException as error:
            if self._beside:
                self._beside.stop()
            if not isinstance(error, Exception) or isinstance(error, (OSError, MemoryError)):
                raise
            self._blame(error)

    def _compile_shared_beside(self) -> None:
        """Have another processor compile shared kernels that this model needs and that are not in
        the cache, as in a new installation, while this one compiles the model's.

        Parts of a step take longer than the model's kernels, so this process compiles the loop of
        steps too; where there are no parts, the other one does.
        """
        parts = [f"{name}_alone" for name in self._parts]
        parts = [name for name in parts if not self._shared.kernels[name].in_cache]
        names = parts or [name for name in ("fly",) if not self._shared.kernels[name].in_cache]
        if names and cores() > 1:
            self._beside = CompileProcess(self._dtype, names)

    def _blame(self, error: Exception) -> NoReturn:
        """Raise the error of the rule that does not compile."""
        # the file may hold other comments than this text, and so other lines
        raise blame(self.layout, read_text(self._own.path), error) from None


def blame(layout: Layout, text: str, error: Exception) -> Exception:
    """Return the RuleError for the kernels with this text, which failed to compile; the error
    itself where no function of a user's is in them."""
    library = Library(shared_functions())
    kernel_text(layout.plan, "float64", layout, library)
    functions = {name: tree for name, tree in library.trees.items() if is_own(tree.function)}
    if not functions:
        return error
    name, line = _culprit(str(error), text, library)
    if name not in functions:
        name, line = next(iter(functions)), None
    return fault(
        functions[name].function, line, "does not compile, though it runs as plain Python: "
        f"{SAME_KIND}, and only numbers can be computed with"
    )  # fmt: skip


def _culprit(message: str, text: str, library: Library) -> tuple[str, int | None]:
    """Return the function of a module's text that numba's message is about, and the line in the
    user's file: that of the same statement of the tree that the text was printed from."""
    found = re.search(r'murmurate_kernel_\w+\.py(?:", line |\s*\()(\d+)', message)
    at = int(found[1]) if found else 0
    for function in syntax_tree(text).body:
        last = function.end_lineno or function.lineno
        if not (isinstance(function, ast.FunctionDef) and function.lineno <= at <= last):
            continue
        if function.name in library.trees:
            count = sum(s.lineno <= at for s in _statements(function))
            own = list(statements(library.trees[function.name].body))
            return function.name, own[min(max(count, 1), len(own)) - 1].line or None
    return "", None


def _statements(function: ast.AST) -> list[ast.stmt]:
    """Return all statements of a function but those that do nothing, in the order of its text."""
    found: list[ast.stmt] = []
    for node in ast.iter_child_nodes(function):
        if isinstance(node, ast.stmt) and not isinstance(node, ast.Pass):
            found.append(node)
        found += _statements(node)
    return found

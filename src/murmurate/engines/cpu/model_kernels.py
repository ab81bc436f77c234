"""Model kernels: the compiled kernels of a model, and those that all models share, by name."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import NoReturn

from murmurate.codegen.compile_log import compile_logged
from murmurate.codegen.compile_process import CompileProcess
from murmurate.codegen.compile_thread import compile_apart
from murmurate.codegen.kernel_cache import Kernel, kernel_module, shared_module
from murmurate.codegen.layout import Layout
from murmurate.disk import read_text
from murmurate.engines.options import cores

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
            compile_apart(compile)
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
        from murmurate.engines.cpu.compile_errors import blame

        # the file may hold other comments than this text, and so other lines
        raise blame(self.layout, read_text(self._own.path), error) from None

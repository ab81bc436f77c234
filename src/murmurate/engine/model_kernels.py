"""Model kernels: the compiled kernels of a model, and those that all models share, by name."""

from __future__ import annotations

import logging

from murmurate.codegen.compile_log import compile_logged
from murmurate.codegen.compile_thread import compile_apart
from murmurate.codegen.kernel_cache import Kernel, kernel_module, shared_module
from murmurate.codegen.layout import Layout
from murmurate.disk import read_text

log = logging.getLogger(__name__)


class ModelKernels:
    """Kernels that are compiled when they are first asked for.

    layout, text  of the model, as `prepared` gives them
    """

    def __init__(self, layout: Layout, text: str, dtype: str) -> None:
        self.layout, self.text = layout, text
        self._own = kernel_module(text)
        self._shared = shared_module(dtype)
        if log.isEnabledFor(
            logging.INFO
        ):  # to look through a cache of thousands of files takes long
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
            with compile_logged(kernel):
                kernel.compile()

        try:
            compile_apart(compile)
        except (OSError, MemoryError):
            raise
        except Exception as error:  # numba and LLVM have errors of many kinds
            from murmurate.engine.compile_errors import blame

            # the file may hold other comments than this text, and so other lines
            text = read_text(self._own.path)
            raise blame(self.layout, text, error) from None

"""numba's `njit`, for functions that draw, search and measure: their compilation is an activity.

numba stores the compiled functions, so only the first use on a machine compiles them.
"""

from __future__ import annotations

import threading
from contextlib import ExitStack
from typing import Any

from numba import njit as njit
from numba.core import event

from murmurate.activity import doing

TEXT = "Compiling functions that draw and measure (stored for next time)"


class _Reporter(event.Listener):
    """Report compilations of the functions of this package, and make them faster."""

    def __init__(self) -> None:
        self._work = threading.local()

    def on_start(self, event: Any) -> None:
        from murmurate.codegen.kernel_compiler import faster_compilation

        contexts = self._contexts()
        contexts.append(ExitStack())
        if str(event.data["dispatcher"].py_func.__module__).startswith("murmurate."):
            contexts[-1].enter_context(doing(TEXT))
            contexts[-1].enter_context(faster_compilation())

    def on_end(self, event: Any) -> None:
        if contexts := self._contexts():
            contexts.pop().close()

    def _contexts(self) -> list[ExitStack]:
        if not hasattr(self._work, "contexts"):
            self._work.contexts = []
        contexts: list[ExitStack] = self._work.contexts
        return contexts


event.register("numba:compile", _Reporter())

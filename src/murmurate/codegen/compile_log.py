"""Log of compiling: which kernel is compiled or loaded from the cache, and how long that takes."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager

from murmurate.codegen.kernel_cache import Kernel

log = logging.getLogger(__name__)


@contextmanager
def compile_logged(kernel: Kernel) -> Iterator[None]:
    """A kernel is compiled, or loaded from the cache, in here."""
    if not kernel.module.is_compiled:
        log.info("kernel %s: compiling", kernel.name)
    begin = time.perf_counter()
    yield
    seconds = time.perf_counter() - begin
    if kernel.cached:
        log.debug("kernel %s: loaded from the cache in %.2f s", kernel.name, seconds)
    else:
        log.info("kernel %s: compiled in %.1f s", kernel.name, seconds)

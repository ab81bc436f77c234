"""Log of compiling: which kernel is compiled or loaded from the cache, and how long that takes."""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from murmurate.codegen.kernel_cache import is_compiled

log = logging.getLogger(__name__)


@contextmanager
def compile_logged(kernel: Any) -> Iterator[None]:
    """A numba kernel is called for the first time in here."""
    name, module = kernel.py_func.__name__, sys.modules.get(kernel.py_func.__module__)
    if module is None or not is_compiled(module):
        log.info("kernel %s: compiling", name)
    begin = time.perf_counter()
    yield
    seconds = time.perf_counter() - begin
    if kernel.stats.cache_hits:
        log.debug("kernel %s: loaded from the cache in %.2f s", name, seconds)
    else:
        log.info("kernel %s: compiled in %.1f s", name, seconds)

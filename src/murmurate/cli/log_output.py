"""The log of a command on stderr, as far as -v asks for it."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

from murmurate.cli.error_output import complain

LEVELS = (logging.WARNING, logging.INFO, logging.DEBUG)  # of no -v, one, two


class _Lines(logging.Handler):
    """Writes to the stderr of the moment, so that a progress bar keeps its own line."""

    def emit(self, record: logging.LogRecord) -> None:
        complain(self.format(record), record.levelname.lower())


@contextmanager
def log_shown(verbose: int) -> Iterator[None]:
    """Python's warnings are written to stderr, a line each, and records of murmurate's logger: from
    warnings on, with one -v what is done as well, with two every detail."""
    logger, handler = logging.getLogger("murmurate"), _Lines()
    before = logger.level
    logger.addHandler(handler)
    logger.setLevel(LEVELS[min(verbose, len(LEVELS) - 1)])
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: complain(message, "warning")
            yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before)

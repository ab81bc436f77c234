"""Writer: lines of Python text with their indentation."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Writer:
    """Collects the lines of a text."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._depth = 0

    def line(self, text: str = "") -> None:
        pad = "    " * self._depth
        self._lines.extend(pad + part if part else "" for part in text.split("\n"))

    def indent(self) -> None:
        self._depth += 1

    def dedent(self) -> None:
        self._depth -= 1

    @contextmanager
    def block(self, head: str) -> Iterator[None]:
        """The lines written meanwhile stand under `head`."""
        self.line(head)
        self.indent()
        yield
        self.dedent()

    def text(self) -> str:
        return "\n".join(self._lines) + "\n"

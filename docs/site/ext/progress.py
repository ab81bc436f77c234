"""Lines that say what the build of the site is doing, and since when."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sphinx.application import Sphinx

START = time.monotonic()
FIRST, LAST = 0, 999  # priorities: before and after all other extensions


def say(text: str) -> None:
    """Print a line with the seconds since the build began."""
    print(f"{time.monotonic() - START:4.0f} s  {text}", flush=True)


def _say_flocks(app: Sphinx) -> None:
    say("making the live page of each flock (compiled flocks are stored for next time)")


def _say_reading(app: Sphinx, env: Any, names: list[str]) -> None:
    notebooks = sum(str(env.doc2path(name)).endswith(".ipynb") for name in names)
    say(f"reading {len(names)} pages; running those of {notebooks} notebooks that have changed")


def _say_writing(app: Sphinx, env: Any) -> None:
    say(f"writing {len(env.all_docs)} pages")


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("builder-inited", _say_flocks, priority=FIRST)
    app.connect("env-before-read-docs", _say_reading, priority=FIRST)
    app.connect("env-updated", _say_writing, priority=LAST)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

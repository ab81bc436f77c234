"""Flocks in a notebook: the live widget, and previews of simulations and recordings."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from murmurate.dtypes import Dtype
from murmurate.engine.options import RunOptions
from murmurate.errors import MurmurateError

if TYPE_CHECKING:
    from murmurate.model.model import Model
    from murmurate.notebook.live_widget import FlockWidget
    from murmurate.runs.playback import Playback


class NotebookError(MurmurateError):
    """The widget cannot be shown."""


def in_notebook() -> bool:
    """Whether this Python is a notebook's kernel: one that can show widgets."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and getattr(shell, "kernel", None) is not None


def widget(
    model: Model | Playback,
    seed: int = 0,
    *,
    engine: str = "cpu",
    dtype: Dtype = "float32",
    threads: int | None = None,
    playing: bool = True,
    height: int = 560,
) -> FlockWidget:
    """The live view of a model, or of a recording that is played, for a cell's output.

    height  of the view, in pixels
    The rest is as for a Simulation. Raises NotebookError where anywidget is not installed.
    """
    try:
        import anywidget  # noqa: F401
    except ImportError:
        raise NotebookError(
            'a live flock in a notebook needs anywidget: pip install "murmurate[notebook]", and '
            "restart the kernel"
        ) from None
    from murmurate.live_view.session import Session
    from murmurate.notebook.live_widget import FlockWidget

    session = Session(model, RunOptions(engine, dtype, threads, seed), playing=playing)
    return FlockWidget(session, height)

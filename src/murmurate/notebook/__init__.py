"""Flocks in a notebook: the live widget, and pages that simulate in a cell."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from murmurate.engines.options import RunOptions, options_with_seed
from murmurate.errors import NotebookError as NotebookError
from murmurate.optional import require

if TYPE_CHECKING:
    from murmurate.notebook.live_widget import FlockWidget
    from murmurate.runs.playback import Playback
    from murmurate.runs.sources import SourceLike


def in_notebook() -> bool:
    """Return whether this Python is the kernel of a notebook, which can display widgets."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and getattr(shell, "kernel", None) is not None


def widget(
    model: SourceLike | Playback,
    seed: int | None = None,
    *,
    options: RunOptions | None = None,
    playing: bool = True,
    height: int = 560,
    charts: Sequence[str] | None = None,
) -> FlockWidget:
    """Return the live view of a model, or of a recording that is played, for a cell's output.

    model  A Model, the name of a published flock or a model file; or a recording or its path
    seed  of a model: overrides the seed of `options`
    options  of a model: engine, precision and threads
    playing  whether the flock moves from the start
    height  height of the view, pixels
    raises NotebookError  anywidget is not installed
    raises ModelError, RuleError  the model cannot be simulated
    """
    require("anywidget", "a live flock in a notebook", NotebookError)
    from murmurate.live_view.session import Session
    from murmurate.notebook.live_widget import FlockWidget
    from murmurate.runs.sources import live_source

    options = options_with_seed(options, seed)
    source = live_source(model, options, charts)
    return FlockWidget(Session(source, options, playing=playing), height)

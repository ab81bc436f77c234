"""Flocks in a notebook: the live widget, and previews of simulations and recordings."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from murmurate.dtypes import Dtype
from murmurate.engines.base import EngineChoice
from murmurate.engines.options import RunOptions, run_options
from murmurate.errors import NotebookError
from murmurate.optional import require

if TYPE_CHECKING:
    from murmurate.notebook.live_widget import FlockWidget
    from murmurate.runs.playback import Playback
    from murmurate.runs.sources import Shown


def in_notebook() -> bool:
    """Whether this Python is a notebook's kernel: one that can show widgets."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and getattr(shell, "kernel", None) is not None


def widget(
    model: Shown | Playback,
    seed: int = 0,
    *,
    engine: EngineChoice = "cpu",
    dtype: Dtype = "float32",
    threads: int | None = None,
    workers: int | None = None,
    address: str | None = None,
    playing: bool = True,
    height: int = 560,
) -> FlockWidget:
    """Return the live view of a model, or of a recording that is played, for a cell's output.

    model   a Model, the name of a published flock or the path of a model file; or a recording, its
            path or its playback. Of a recording, engine, seed, dtype and threads are its own
    playing  whether the flock moves from the start
    height  of the view, in pixels
    The rest is as for a Simulation.

    Raises NotebookError where anywidget is not installed, ModelError and RuleError for what cannot
    be simulated.
    """
    options = run_options(engine, dtype, threads, seed, workers=workers, address=address)
    return widget_of(model, options, playing=playing, height=height)


def widget_of(
    model: Shown | Playback, options: RunOptions, *, playing: bool = True, height: int = 560
) -> FlockWidget:
    """Return the live view with these options; see widget."""
    require("anywidget", "a live flock in a notebook", NotebookError)
    from murmurate.live_view.session import Session
    from murmurate.notebook.live_widget import FlockWidget
    from murmurate.runs.sources import opened_source

    return FlockWidget(Session(opened_source(model, options), options, playing=playing), height)

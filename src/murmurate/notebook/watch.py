"""watch: the live view, in a notebook's cell or else in the browser."""

from __future__ import annotations

import os
import webbrowser
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from murmurate.dtypes import Dtype
from murmurate.engines.base import EngineChoice
from murmurate.engines.options import run_options
from murmurate.errors import MurmurateError
from murmurate.live_view.server import start
from murmurate.model.files import load
from murmurate.model.model import Model
from murmurate.notebook import in_notebook, widget_of
from murmurate.runs.sources import is_recording, opened_source

if TYPE_CHECKING:
    from murmurate.runs.sources import Shown


def watch(
    model: Shown,
    seed: int = 0,
    *,
    block: bool = True,
    open_browser: bool = True,
    playing: bool = True,
    host: str = "127.0.0.1",
    port: int | None = None,
    engine: EngineChoice = "cpu",
    dtype: Dtype = "float32",
    threads: int | None = None,
    workers: int | None = None,
    address: str | None = None,
) -> Any:
    """Shows a flock as it moves: in the browser, until Ctrl-C; in a notebook, as the live widget.

    model         a Model, the name of a published flock, or a model file, which is loaded again
                  whenever it is saved; or a recording or its path, which is played: engine,
                  seed, dtype and threads are its own
    block         False: returns at once, with a LiveView that has `.url` and `.close()`
    open_browser  False: only prints the address
    host, port    this machine only, and the first free port from 8600 on, unless given
    The rest is as for a Simulation.

    Raises ModelError and RuleError for what cannot be simulated, AddressError for the port.
    """
    options = run_options(engine, dtype, threads, seed, workers=workers, address=address)
    file: Path | None = None
    reload: Callable[[], Model] | None = None
    if isinstance(model, str | os.PathLike) and not is_recording(model) and Path(model).is_file():
        file = Path(model)
        reload = lambda: load(file)  # noqa: E731
    shown = opened_source(model, options)
    if block and in_notebook():
        try:
            return widget_of(shown, options, playing=playing)
        except MurmurateError as error:
            print(error)  # the browser can still show it
    live_view = start(
        shown, options, host=host, port=port, playing=playing, file=file, reload=reload
    )
    print(f"{live_view.session.home.name}: {live_view.url}", flush=True)
    if open_browser:
        webbrowser.open(live_view.url)
    if not block:
        return live_view
    try:
        live_view.wait()
    except KeyboardInterrupt:
        pass
    finally:
        live_view.close()
    return None

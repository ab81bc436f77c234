"""watch: the live view in a cell or the browser."""

from __future__ import annotations

import os
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from murmurate.engines.options import RunOptions, options_with_seed
from murmurate.errors import MurmurateError
from murmurate.live_view.server import start
from murmurate.model.files import load
from murmurate.model.model import Model
from murmurate.notebook import in_notebook, widget
from murmurate.runs.sources import chart_changes, is_recording, live_source

if TYPE_CHECKING:
    from murmurate.runs.sources import SourceLike


def watch(
    model: SourceLike,
    seed: int | None = None,
    *,
    block: bool = True,
    open_browser: bool = True,
    playing: bool = True,
    host: str = "127.0.0.1",
    port: int | None = None,
    options: RunOptions | None = None,
    charts: Sequence[str] | None = None,
) -> Any:
    """Show a moving flock: in the browser until Ctrl-C, in a notebook as the live widget.

    Parameters
    ----------
    model : Model, Recording, str or path
        A Model, the name of a published flock, or a model file, which is loaded again when it is
        saved; or a recording or its path, which is played.
    seed : int, optional
        Of a model: overrides the seed of `options`.
    block : bool, default True
        False: return at once, with a LiveView that has `url` and `close()`.
    open_browser : bool, default True
        False: only print the address.
    playing : bool, default True
        Whether the flock moves from the start.
    host : str, default '127.0.0.1'
        Address to listen on; by default only this machine can connect.
    port : int, optional
        The first free port from 8600 by default.
    options : RunOptions, optional
        Of a model: engine, precision and threads.
    charts : sequence of str, optional
        Measures to chart, such as ["milling", "correlation_length"], in place of those of the
        model. Each is one number of a frame; slow ones are computed less often.

    Returns
    -------
    FlockWidget, LiveView or None
        The widget in a notebook; the LiveView if `block` is False.

    Raises
    ------
    ModelError, RuleError
        The model cannot be simulated.
    AddressError
        The port is in use.
    """
    options = options_with_seed(options, seed)
    file: Path | None = None
    reload: Callable[[], Model] | None = None
    if isinstance(model, str | os.PathLike) and not is_recording(model) and Path(model).is_file():
        file = Path(model)
        changes = chart_changes(charts)
        reload = lambda: load(file).set(changes)  # noqa: E731
    source = live_source(model, options, charts)
    if block and in_notebook():
        try:
            return widget(source, options=options, playing=playing)
        except MurmurateError as error:
            print(error)  # the browser still works
    live_view = start(
        source, options, host=host, port=port, playing=playing, file=file, reload=reload
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

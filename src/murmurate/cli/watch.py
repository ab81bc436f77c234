"""murmurate watch: a live flock in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from cyclopts import Group, Parameter

from murmurate.cli.interrupt import exit_now
from murmurate.cli.options import Changes, FlightOptions, load_model, load_shown
from murmurate.cli.picture_options import CameraOptions
from murmurate.cli.terminal import EXIT_OK, CommandError, print_error, print_line

ADDRESS = Group("The address", sort_key=4)
LOOPBACK = ("localhost", "127.0.0.1", "::1")


def watch(
    model: Annotated[
        str,
        Parameter(
            help="A published flock (murmurate models), or a model file ending in .toml; or a "
            "recording, NAME.zarr, which is played. Starlings unless given. A model file, and "
            "files given with --rules, are read again whenever they are saved."
        ),
    ] = "starlings",
    /,
    *,
    paused: Annotated[bool, Parameter(help="Do not fly before 'play' is pressed.")] = False,
    no_open: Annotated[bool, Parameter(help="Print the address; open no browser.")] = False,
    port: Annotated[
        int | None, Parameter(help="The first free one from 8600 on unless given.", group=ADDRESS)
    ] = None,
    host: Annotated[
        str,
        Parameter(
            help="An address of this machine to listen on, to be watched from others; this machine "
            "only unless given.",
            group=ADDRESS,
        ),
    ] = "127.0.0.1",
    camera: CameraOptions | None = None,
    flight: FlightOptions | None = None,
    changes: Changes | None = None,
) -> int:
    """Watch a flock fly in the browser, and change it while it flies. Ctrl-C ends it.

    For instance:

        murmurate watch
        murmurate watch ucl --boids 20000
        murmurate watch mine.toml --set rules.cohesion.weight=0.05
        murmurate watch mine.toml --rules my_rules.py
        murmurate watch flock.zarr
    """
    seen = (camera or CameraOptions()).changes()
    shown, flown = load_shown(model, flight, changes, seen)
    if port is not None and not 0 <= port <= 65535:
        raise CommandError(f"--port {port}: it must be between 0 and 65535")
    from murmurate.errors import AddressError
    from murmurate.live_view.server import start
    from murmurate.model.model import Model
    from murmurate.runs.sources import frame_source

    options = (flight or FlightOptions()).run_options()
    file = Path(model) if Path(model).is_file() else None
    first: Any = flown if isinstance(shown, Model) else frame_source(shown, flown)
    rules = changes.rules if changes and isinstance(shown, Model) else ()
    try:
        live_view = start(
            first, options, host=host, port=port, playing=not paused, file=file, rules=rules,
            reload=lambda: load_model(model, changes, seen),
        )  # fmt: skip
    except AddressError as error:
        raise CommandError(str(error)) from None
    if host not in LOOPBACK:
        print_error(
            f"--host {host}: whoever has the address below can watch and change this flock, and "
            "what is sent is not encrypted; an ssh tunnel is safer",
            kind="warning",
        )
    try:
        print_line(f"{flown.name}: {live_view.url}")
        print_line("Ctrl-C ends it")
        if not no_open:
            import webbrowser

            webbrowser.open(live_view.url)
        live_view.wait()
    except KeyboardInterrupt:
        pass
    finally:
        ended = live_view.close()
    if not ended:  # it is within a long step, which cannot be left: nothing is lost by not waiting
        exit_now(EXIT_OK)
    return EXIT_OK

"""murmurate watch: a live flock in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

from cyclopts import Group, Parameter

from murmurate.cli.interrupt import exit_now
from murmurate.cli.options import Changes, FlightOptions, load_model, load_source, model_name
from murmurate.cli.picture_options import CameraOptions, Charts, chart_setting
from murmurate.cli.terminal import EXIT_INTERRUPTED, EXIT_OK, print_error, print_line
from murmurate.errors import CommandError

ADDRESS = Group("The address", sort_key=4)
LOOPBACK = ("localhost", "127.0.0.1", "::1")


def watch(
    model: Annotated[
        str,
        Parameter(
            help="A published flock (murmurate models), or a model file ending in .toml; or a "
            "recording, NAME.zarr, which is played. Starlings by default. A model file and the "
            "files of --rules are read again when they are saved.",
            converter=model_name,
        ),
    ] = "starlings",
    /,
    *,
    chart: Charts = (),
    paused: Annotated[bool, Parameter(help="Wait until 'play' is pressed.")] = False,
    no_open: Annotated[bool, Parameter(help="Print the address; open no browser.")] = False,
    port: Annotated[
        int | None,
        Parameter(help="The port; the first free one from 8600 by default.", group=ADDRESS),
    ] = None,
    host: Annotated[
        str,
        Parameter(
            help="An address of this machine to listen on, so that other machines can connect; by "
            "default only this one can.",
            group=ADDRESS,
        ),
    ] = "127.0.0.1",
    camera: CameraOptions | None = None,
    flight: FlightOptions | None = None,
    changes: Changes | None = None,
) -> int:
    """Watch a moving flock in the browser, and change it meanwhile.

    For instance:

        murmurate watch
        murmurate watch ucl --boids 20000
        murmurate watch mine.toml --set rules.cohesion.weight=0.05
        murmurate watch mine.toml --rules my_rules.py
        murmurate watch flock.zarr
        murmurate watch starlings --chart milling --chart extent
    """
    seen = (camera or CameraOptions()).changes() | chart_setting(chart)
    source = load_source(model, flight, changes, seen)
    if port is not None and not 0 <= port <= 65535:
        raise CommandError(f"--port {port}: it must be between 0 and 65535")
    from murmurate.errors import AddressError
    from murmurate.live_view.server import start

    options = (flight or FlightOptions()).run_options()
    file = Path(model) if Path(model).is_file() else None
    playable: Any = source.model if source.simulated else source
    rules = changes.rules if changes and source.simulated else ()
    try:
        live_view = start(
            playable, options, host=host, port=port, playing=not paused, file=file, rules=rules,
            reload=lambda: load_model(model, changes, seen),
        )  # fmt: skip
    except AddressError as error:
        raise CommandError(str(error)) from None
    if host not in LOOPBACK:
        print_error(
            f"--host {host}: everyone with the address below can watch and change this flock, "
            "without encryption. An ssh tunnel is safer",
            kind="warning",
        )
    code = EXIT_OK
    try:
        print_line(f"{source.model.name}: {live_view.url}")
        print_line("Ctrl-C ends it")
        if not no_open:
            import webbrowser

            webbrowser.open(live_view.url)
        live_view.wait()
    except KeyboardInterrupt:
        code = EXIT_INTERRUPTED
    finally:
        ended = live_view.close()
    if not ended:  # a long step cannot be interrupted; exit without it
        exit_now(code)
    return code

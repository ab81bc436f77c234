"""murmurate watch: a live flock in the browser."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Group, Parameter

from murmurate.cli.interrupt import exit_now
from murmurate.cli.options import (
    Changes,
    FlightOptions,
    InRecording,
    load_model,
    load_source,
    model_name,
)
from murmurate.cli.picture_options import (
    CameraOptions,
    Charts,
    Language,
    chart_setting,
    language_setting,
)
from murmurate.cli.terminal import EXIT_INTERRUPTED, EXIT_OK, print_error, print_line
from murmurate.errors import CommandError

ADDRESS = Group("The address", sort_key=4)
LOOPBACK = ("localhost", "127.0.0.1", "::1")


@Parameter(name="*", group=ADDRESS)
@dataclass(frozen=True, kw_only=True)
class AddressOptions:
    """Where the live view is, and the programs that may use it.

    Parameters
    ----------
    port
        The port; the first free one from 8600 by default.
    host
        An address of this machine to listen on, so that other machines can connect; by default only
        this one can.
    origin
        Another web page that may connect with the token, such as http://localhost:5173; may be
        given again.
    osc_out
        Send positions, velocities, colours and measures by OSC to HOST:PORT, or to PORT on this
        machine; may be given again.
    osc_in
        Take numbers, commands and predators by OSC on PORT; on HOST:PORT also from other machines,
        without a token.
    osc_rate
        Frames per second by OSC, at most; 60 by default.
    """

    port: int | None = None
    host: str = "127.0.0.1"
    origin: Annotated[tuple[str, ...], Parameter(negative=())] = ()
    osc_out: Annotated[tuple[str, ...], Parameter(negative=())] = ()
    osc_in: str = ""
    osc_rate: float | None = None

    def warnings(self) -> Iterator[str]:
        """Yield the abilities of everyone on the network. Raises AddressError."""
        from murmurate.live_view.osc import parse_address

        if self.host not in LOOPBACK:
            yield (
                f"--host {self.host}: everyone with the address below can watch and change this "
                "flock, without encryption. An ssh tunnel is safer"
            )
        if self.osc_in and parse_address(self.osc_in, "--osc-in")[0] not in LOOPBACK:
            yield (
                f"--osc-in {self.osc_in}: everyone who reaches this port can change this flock, "
                "without a token"
            )


def watch(
    model: Annotated[str, Parameter(converter=model_name)] = "starlings",
    /,
    *,
    chart: Charts = (),
    language: Language = None,
    paused: bool = False,
    no_open: bool = False,
    record: InRecording[Path | None] = None,
    every: InRecording[int | None] = None,
    address: AddressOptions | None = None,
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
        murmurate watch starlings --osc-out 9000 --osc-in 9001
        murmurate watch starlings --record show.zarr

    Parameters
    ----------
    model
        A published flock (murmurate models), or a model file ending in .toml; or a recording,
        NAME.zarr, which is played. Starlings by default. A model file and the files of --rules are
        read again when they are saved.
    paused
        Wait until 'play' is pressed.
    no_open
        Print the address; open no browser.
    record
        Record the flock to NAME.zarr, with all that is changed meanwhile: murmurate resume repeats
        it bit for bit. A recording that exists is kept.
    every
        Steps between recorded frames; 1 by default.
    """
    address = address or AddressOptions()
    seen = (camera or CameraOptions()).changes() | chart_setting(chart)
    seen |= language_setting(language)
    source = load_source(model, flight, changes, seen)
    if address.port is not None and not 0 <= address.port <= 65535:
        raise CommandError(f"--port: got {address.port}; expected 0 to 65535")
    from murmurate.errors import AddressError
    from murmurate.live_view.server import start
    from murmurate.runs.recorder import SeriesRecorder

    options = (flight or FlightOptions()).run_options()
    file = Path(model) if Path(model).is_file() else None
    playable: Any = source.model if source.simulated else source
    rules = changes.rules if changes and source.simulated else ()
    if record and not source.simulated:
        raise CommandError(f"--record {record}: got {model}, a recording; expected a model")
    for option, value, needed, is_given in (
        ("--every", every, "--record", bool(record)),
        ("--osc-rate", address.osc_rate, "--osc-out", bool(address.osc_out)),
    ):
        if value is not None and not is_given:
            raise CommandError(
                f"{option}: got {value} without {needed}; expected both. Add {needed}"
            )
    recorder = SeriesRecorder(record, 1 if every is None else every) if record else None
    try:
        warnings = list(address.warnings())
        live_view = start(
            playable, options, host=address.host, port=address.port, playing=not paused, file=file,
            rules=rules, reload=lambda: load_model(model, changes, seen), origins=address.origin,
            recorder=recorder,
        )  # fmt: skip
        if address.osc_out or address.osc_in:
            try:
                live_view.open_osc(
                    address.osc_out, address.osc_in,
                    rate=60.0 if address.osc_rate is None else address.osc_rate,
                    report=lambda text: print_error(text, kind="warning"),
                )  # fmt: skip
            except AddressError:
                live_view.close()
                raise
    except AddressError as error:
        raise CommandError(str(error)) from None
    for warning in warnings:
        print_error(warning, kind="warning")
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
    for path in recorder.paths if recorder else ():
        print_line(f"recorded {path}")
    if not ended:  # a long step cannot be interrupted; exit without it
        exit_now(code)
    return code

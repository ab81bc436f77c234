"""murmurate page --live: a page in which the flock itself flies."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from murmurate.cli.options import Changes, FlightOptions, load_shown
from murmurate.cli.picture_progress import size_in_words
from murmurate.cli.pictures import stem
from murmurate.cli.terminal import EXIT_OK, CommandError, console


def write_flight_page(
    model: str,
    output: Path | None,
    max_boids: int | None,
    beside: str | None,
    force: bool,
    quiet: bool,
    flight: FlightOptions | None,
    changes: Changes | None,
    view: Mapping[str, tuple[str, Any]],
) -> int:
    """Writes the page, and says what it is.

    beside  another model, which flies beside it, as it is
    view    path in the model -> (the option, its value), of the picture's options
    Raises CommandError for options that only a replay takes, and what to_html raises.
    """
    from murmurate.runs.pages import to_html
    from murmurate.show import check_output

    asked = flight or FlightOptions()
    own = asked.words("threads", "dtype", "engine")
    own += ["--steps"] if "view.steps" in view else []
    if own:
        raise CommandError(
            f"{', '.join(own)}: for flying here, and with --live the page flies, in float32 and as "
            "long as it is looked at. Leave it out"
        )
    shown, flown = load_shown(model, None, changes, view)
    path = check_output(output or Path(f"{stem(model)}.html"), force, "page")
    from murmurate.tracks.track_recording import TrackRecording

    assert not isinstance(shown, TrackRecording)  # which this command does not read
    source = flown if shown is flown else shown
    made = to_html(
        source, path=path, seed=asked.seed, force=force, live=True, max_boids=max_boids,
        beside=beside,
    )  # fmt: skip
    if not quiet:
        what = "a flock that flies" if beside is None else "two flocks that fly"
        console().print(f"{path}: {what}, {size_in_words(made.bytes)}")
    return EXIT_OK

"""Write a flight of drones: take-off, the flock, landing, and the certificate of the file."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from murmurate.errors import ExportOptionsError, FlightError
from murmurate.exports.formats import Options
from murmurate.exports.selection import Selection, to_3d
from murmurate.flights.certificate import certify
from murmurate.flights.formats import read
from murmurate.flights.formats import write as write_file
from murmurate.flights.limits import Certificate, Finding
from murmurate.flights.obstacles import Obstacles
from murmurate.flights.options import FlightOptions, FlightReport
from murmurate.flights.take_off import Flock, plan
from murmurate.show.palette import Palette

Array = np.ndarray
LOWEST = 10.0  # metres above the ground, of the lowest drone
LIGHT_STEP = 0.2  # seconds
ATTEMPTS = 6  # to find a time scale
MARGIN = 1.0005  # of a time scale, for rounding
SHOWN = 3  # violations in an error
UNITS = {"metres_per_unit": "length unit is 1 m", "seconds_per_unit": "time unit is 1 s"}


def write(draft: Path, selection: Selection, options: Options) -> FlightReport:
    """Write the flight, and read it again for its certificate."""
    chosen = options.flight or FlightOptions()
    flock, altitude, notes = _flock(selection, chosen)
    limits, scene = chosen.limits, selection.recording.scene
    try:
        obstacles = Obstacles(
            scene.obstacles, selection.dims, chosen.metres_per_unit or 1.0, altitude
        )
    except FlightError as error:
        if not chosen.unchecked:
            raise
        obstacles = None
        notes.append(f"obstacles are not checked: {error}")
    flight = plan(flock, limits, chosen.tolerance, chosen.take_off, chosen.grid_spacing)
    scale = 1.0 if chosen.time_scale == "auto" else chosen.time_scale
    for _ in range(ATTEMPTS):
        try:
            write_file(
                draft, flight.stretched(scale), suffix=draft.suffix.lower(), layout=options.layout,
                title=scene.title, rate=chosen.rate, origin=chosen.geo_origin,
            )  # fmt: skip
            written = read(draft)
        except FlightError as error:
            raise FlightError(str(error).replace(str(draft), "flight")) from None
        certificate = certify(written, limits, obstacles or None)
        if chosen.time_scale != "auto" or certificate.holds:
            break
        if (factor := slower(certificate)) is None:
            break
        scale *= factor
    if not (certificate.holds or chosen.unchecked):
        raise ExportOptionsError(_refusal(certificate, chosen))
    return FlightReport(certificate, scale, tuple(notes))


def slower(certificate: Certificate) -> float | None:
    """Return the factor of all times with which the limits hold; None if no factor helps."""
    factor = 1.0
    for finding in certificate.violations:
        order = _order(finding)
        if not order or not finding.limit:
            return None
        factor = max(factor, (finding.value / finding.limit) ** (1 / order))
    return factor * MARGIN


def _order(finding: Finding) -> int:
    """Return how many times a quantity is divided by time."""
    words = {"speed": 1, "rate": 1, "acceleration": 2, "jerk": 3}
    return max((n for word, n in words.items() if word in finding.quantity.split()), default=0)


def _refusal(certificate: Certificate, chosen: FlightOptions) -> str:
    """Return the error for a file beyond its limits, with a remedy."""
    worst = sorted(certificate.violations, key=lambda item: (_order(item) > 0, item.time))
    count = len(worst)
    lines = [f"flight: got {count:,} violation{'s' if count > 1 else ''} of its limits:"]
    lines += [f"  {item}" for item in worst[:SHOWN]]
    near = [item for item in worst if not _order(item)]
    if not near and chosen.time_scale != "auto":
        lines.append("  Give --time-scale auto, which stretches all times")
    elif near:
        lines.append(
            "  No time scale helps. Export other steps (--from), or give a larger "
            "--metres-per-unit or --grid-spacing, other limits, or --unchecked"
        )
    return "\n".join(lines)


def _flock(selection: Selection, chosen: FlightOptions) -> tuple[Flock, float, list[str]]:
    """Return the flock in metres and seconds, the altitude of z = 0, and notes on assumptions."""
    if len(selection) < 8:
        raise ExportOptionsError(f"flight: got {len(selection)} frames; expected at least 8")
    notes = [
        f"assumed: 1 {unit} (--{name.replace('_', '-')} says otherwise)"
        for name, unit in UNITS.items()
        if getattr(chosen, name) is None
    ]
    metres, seconds = chosen.metres_per_unit or 1.0, chosen.seconds_per_unit or 1.0
    positions, colours = _frames(selection)
    absent = selection.ids[~np.isfinite(positions).all(axis=(0, 2))]
    if len(absent):
        raise ExportOptionsError(
            f"flight: got boids that are not in every frame ({len(absent):,}, such as boid "
            f"{absent[0]}); expected all in every frame, as a drone needs a path. Choose others "
            "with --ids, --from and --to"
        )
    positions = positions * metres
    altitude = chosen.altitude
    if altitude is None:
        altitude = LOWEST - float(positions[:, :, 2].min())
        notes.append(f"assumed: z = 0 is at {altitude:.6g} m, so that the lowest drone is at "
                     f"{LOWEST:g} m (--altitude says otherwise)")  # fmt: skip
    positions[:, :, 2] += altitude
    times = np.arange(len(selection)) * selection.seconds * seconds
    names = [f"drone_{number + 1:04d}" for number in selection.ids.tolist()]
    every = max(1, round(LIGHT_STEP / (times[1] - times[0])))
    return Flock(names, times, positions, times[::every], colours[::every]), altitude, notes


def _frames(selection: Selection) -> tuple[Array, Array]:
    """Return positions (T, N, 3) in length units, and colours (T, N, 3) as in the film.

    Along periodic axes positions go on beyond the space.
    """
    scene, view = selection.recording.scene, selection.recording.view
    palette = Palette(view, {name: flock.look for name, flock in scene.flocks.items()})
    parts, shades = [], []
    for piece in selection:
        parts.append(to_3d(piece.positions, float))
        for frame in piece.frames:
            shade = np.zeros((len(selection.ids), 3))
            shade[selection.rows(frame)] = palette.rgb(frame)
            shades.append(shade)
    positions = np.concatenate(parts)
    space = selection.space
    for axis, (side, wraps) in enumerate(zip(space.size, space.periodic, strict=True)):
        if wraps and math.isfinite(side):
            positions[:, :, axis] = np.unwrap(positions[:, :, axis], axis=0, period=side)
    return positions, np.array(shades)

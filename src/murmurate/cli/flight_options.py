"""Options of flights of drones and of their limits, for export and check-flight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Group, Parameter

from murmurate.cli.resume import passed_fields
from murmurate.cli.terminal import make_table, printable
from murmurate.errors import CommandError

if TYPE_CHECKING:
    from murmurate.flights import Certificate, FlightOptions, Limits

FLIGHT = Group("A flight of drones: .skyc, .zip, .vviz, .mcap", sort_key=5)
LIMITS = Group("Limits of a flight", sort_key=6)

SIGNED = Parameter(allow_leading_hyphen=True)
Number = Annotated[float | None, SIGNED]


@Parameter(name="*", group=LIMITS)
@dataclass(frozen=True, kw_only=True)
class LimitOptions:
    """Limits of a flight.

    Parameters
    ----------
    min_distance
        Metres between drones. Default: 3.
    max_speed
        Horizontal speed, m/s. Default: 8.
    max_vertical_speed
        Speed up and down, m/s. Default: 3.
    max_acceleration
        m/s2. Default: 4.
    max_jerk
        Along each axis, m/s3. Default: no limit.
    max_altitude
        Metres. Default: 150.
    min_altitude
        Metres. Default: 0.
    max_yaw_rate
        Degrees a second. Default: no limit.
    obstacle_distance
        Metres from obstacles. Default: 3.
    """

    min_distance: Number = None
    max_speed: Number = None
    max_vertical_speed: Number = None
    max_acceleration: Number = None
    max_jerk: Number = None
    max_altitude: Number = None
    min_altitude: Number = None
    max_yaw_rate: Number = None
    obstacle_distance: Number = None

    def limits(self) -> Limits:
        """Return the limits, checked."""
        from murmurate.flights import Limits

        return Limits(**passed_fields(self))


@Parameter(name="*", group=FLIGHT)
@dataclass(frozen=True, kw_only=True)
class Planning:
    """How a flock becomes a flight.

    Parameters
    ----------
    metres_per_unit
        Metres in a length unit. Default: 1.
    seconds_per_unit
        Seconds in a time unit. Default: 1.
    altitude
        Altitude of z = 0, metres. Default: the lowest drone is at 10 m.
    tolerance
        Largest distance of drones from their boids, metres. Default: 0.05.
    no_take_off
        Begin and end in the air.
    grid_spacing
        Metres between drones on the ground. Default: 1.5 times --min-distance.
    rate
        Positions a second, in formats with straight lines.
    geo_origin
        Missions: latitude,longitude of x = y = 0, degrees, or with altitude.
    time_scale
        Factor of all times; auto: the smallest that limits allow. Default: 1.
    unchecked
        Write the file also if it breaks limits.
    """

    metres_per_unit: Number = None
    seconds_per_unit: Number = None
    altitude: Number = None
    tolerance: Number = None
    no_take_off: bool = False
    grid_spacing: Number = None
    rate: Number = None
    geo_origin: Annotated[str | None, SIGNED] = None
    time_scale: Annotated[str | None, SIGNED] = None
    unchecked: bool = False


def flight_options(planning: Planning | None, limits: LimitOptions | None) -> FlightOptions | None:
    """Return the options of a flight, checked; None if none was passed."""
    from murmurate.flights import FlightOptions

    passed = passed_fields(planning or Planning())
    own = passed_fields(limits or LimitOptions())
    if not passed and not own:
        return None
    if passed.pop("no_take_off", False):
        passed["take_off"] = False
    if (scale := passed.get("time_scale", "auto")) != "auto":
        passed["time_scale"] = _numbers("time_scale", scale, 1)[0]
    if "geo_origin" in passed:
        passed["geo_origin"] = _numbers("geo_origin", passed["geo_origin"], 3)
    return FlightOptions(**passed, limits=(limits or LimitOptions()).limits())


def _numbers(name: str, text: str, count: int) -> tuple[float, ...]:
    try:
        numbers = tuple(float(part) for part in text.split(","))
    except ValueError:
        numbers = ()
    if not 0 < len(numbers) <= count:
        example = "auto or a number" if count == 1 else "numbers such as 47.4733,19.0621"
        raise CommandError(f"{name}: got {text!r}; expected {example}")
    return numbers


def certificate_table(certificate: Certificate) -> Any:
    """Return a table of the extreme values: quantity, limit, drones, time and position."""
    table = make_table("quantity", "drones", "at", "value", "limit", "time", numbers=3)
    for item in certificate.findings:
        where = ", ".join(f"{x:.1f}" for x in item.position)
        far = not item.drones
        value = f"> {item.value:.3g}" if far else f"{item.value:.3f}"
        limit = "" if item.limit is None else f"{'>=' if item.at_least else '<='} {item.limit:g}"
        table.add_row(
            item.quantity, printable(", ".join(item.drones)), "" if far else f"({where})",
            f"{value} {item.unit}", limit, "" if far else f"{item.time:.2f} s",
            style="bold red" if item.violated else None,
        )  # fmt: skip
    return table

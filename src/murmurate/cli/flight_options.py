"""Options of flights of drones and of their limits, for export and check-flight."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Group, Parameter

from murmurate.cli.terminal import make_table, printable
from murmurate.errors import CommandError

if TYPE_CHECKING:
    from murmurate.flights import Certificate, FlightOptions, Limits

FLIGHT = Group("A flight of drones: .skyc, .zip, .vviz, .mcap", sort_key=5)
LIMITS = Group("Limits of a flight", sort_key=6)

Number = float | None


def _help(text: str) -> Parameter:
    return Parameter(help=text, allow_leading_hyphen=True)


@Parameter(name="*", group=LIMITS)
@dataclass(frozen=True, kw_only=True)
class LimitOptions:
    """Limits of a flight."""

    min_distance: Annotated[Number, _help("Metres between drones. Default: 3.")] = None
    max_speed: Annotated[Number, _help("Horizontal speed, m/s. Default: 8.")] = None
    max_vertical_speed: Annotated[Number, _help("Speed up and down, m/s. Default: 3.")] = None
    max_acceleration: Annotated[Number, _help("m/s2. Default: 4.")] = None
    max_jerk: Annotated[Number, _help("Along each axis, m/s3. Default: no limit.")] = None
    max_altitude: Annotated[Number, _help("Metres. Default: 150.")] = None
    min_altitude: Annotated[Number, _help("Metres. Default: 0.")] = None
    max_yaw_rate: Annotated[Number, _help("Degrees a second. Default: no limit.")] = None
    obstacle_distance: Annotated[Number, _help("Metres from obstacles. Default: 3.")] = None

    def limits(self) -> Limits:
        """Return the limits, checked."""
        from murmurate.flights import Limits

        return Limits(**_passed(self))


@Parameter(name="*", group=FLIGHT)
@dataclass(frozen=True, kw_only=True)
class Planning:
    """How a flock becomes a flight."""

    metres_per_unit: Annotated[Number, _help("Metres in a length unit. Default: 1.")] = None
    seconds_per_unit: Annotated[Number, _help("Seconds in a time unit. Default: 1.")] = None
    altitude: Annotated[
        Number, _help("Altitude of z = 0, metres. Default: the lowest drone is at 10 m.")
    ] = None
    tolerance: Annotated[
        Number, _help("Largest distance of drones from their boids, metres. Default: 0.05.")
    ] = None
    no_take_off: Annotated[bool, _help("Begin and end in the air.")] = False
    grid_spacing: Annotated[
        Number, _help("Metres between drones on the ground. Default: 1.5 times --min-distance.")
    ] = None
    rate: Annotated[Number, _help("Positions a second, in formats with straight lines.")] = None
    geo_origin: Annotated[
        str | None, _help("Missions: latitude,longitude of x = y = 0, degrees, or with altitude.")
    ] = None
    time_scale: Annotated[
        str | None, _help("Factor of all times; auto: the smallest that limits allow. Default: 1.")
    ] = None
    unchecked: Annotated[bool, _help("Write the file also if it breaks limits.")] = False


def flight_options(planning: Planning | None, limits: LimitOptions | None) -> FlightOptions | None:
    """Return the options of a flight, checked; None if none was passed."""
    from murmurate.flights import FlightOptions

    passed = _passed(planning or Planning())
    own = _passed(limits or LimitOptions())
    if not passed and not own:
        return None
    if passed.pop("no_take_off", False):
        passed["take_off"] = False
    if (scale := passed.get("time_scale", "auto")) != "auto":
        passed["time_scale"] = _numbers("time_scale", scale, 1)[0]
    if "geo_origin" in passed:
        passed["geo_origin"] = _numbers("geo_origin", passed["geo_origin"], 3)
    return FlightOptions(**passed, limits=(limits or LimitOptions()).limits())


def _passed(options: Any) -> dict[str, Any]:
    values = {item.name: getattr(options, item.name) for item in fields(options)}
    return {k: value for k, value in values.items() if value is not None and value is not False}


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
    """Return a table of the extreme values: what, limit, who, when and where."""
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

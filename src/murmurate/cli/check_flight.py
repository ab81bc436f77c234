"""murmurate check-flight: check the file of a flight in continuous time."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from murmurate.cli.flight_options import LimitOptions, certificate_table
from murmurate.cli.terminal import EXIT_FAILED, EXIT_OK, console, print_line
from murmurate.errors import CommandError

SHOWN = 20


def check_flight(
    file: Path,
    /,
    *,
    obstacles: str | None = None,
    metres_per_unit: float | None = None,
    altitude: Annotated[float | None, Parameter(allow_leading_hyphen=True)] = None,
    json: bool = False,
    limits: LimitOptions | None = None,
) -> int:
    """Check the file of a flight of drones: distances, speeds and altitudes.

    It computes bounds of the paths in the file, and names the drones, the time and the position of
    each extreme value. The exit code is 0 if all limits hold, 1 if one does not, and 2 if the file
    cannot be read. It speaks of the file, and does not say that a flight is safe.

    For instance:

        murmurate check-flight show.skyc
        murmurate check-flight show.zip --min-distance 1.5 --max-acceleration 3

    Parameters
    ----------
    file
        A .skyc, .vviz or .mcap file, or a .zip or folder with a .csv, .waypoints or .plan file for
        each drone, or one such file.
    obstacles
        A model whose obstacles drones must not come near.
    metres_per_unit
        Metres in a length unit of that model. Default: 1.
    altitude
        Altitude of its z = 0, metres. Default: 0.
    json
        Print a JSON object.
    """
    from murmurate.flights import check_flight as check
    from murmurate.model.files import load

    limits = limits or LimitOptions()
    if obstacles is None and (metres_per_unit, altitude, limits.obstacle_distance) != (None,) * 3:
        raise CommandError(
            "obstacles: got none; expected --obstacles MODEL with --metres-per-unit, --altitude or "
            "--obstacle-distance"
        )
    certificate = check(
        file, limits.limits(), obstacles=None if obstacles is None else load(obstacles),
        metres_per_unit=1.0 if metres_per_unit is None else metres_per_unit,
        altitude=altitude or 0.0,
    )  # fmt: skip
    code = EXIT_OK if certificate.holds else EXIT_FAILED
    if json:
        import json as format_json
        from dataclasses import asdict

        from murmurate.show.scene import jsonable

        document = jsonable({**asdict(certificate), "holds": certificate.holds})
        print_line(format_json.dumps(document, indent=2))
        return code
    print_line(f"{file}: {certificate.drones:,} drones, {certificate.duration:.1f} s")
    console(uncut=True).print(certificate_table(certificate))
    count = len(certificate.violations)
    if not count:
        print_line("The file keeps these limits.")
    else:
        print_line(f"{count:,} violation{'s' if count > 1 else ''}:")
        for item in certificate.violations[:SHOWN]:
            print_line(f"  {item}")
        if count > SHOWN:
            print_line(f"  and {count - SHOWN:,} more (--json lists all)")
    return code

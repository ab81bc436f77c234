"""Print the results of peers.py as tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Row = dict[str, Any]


def format_time(seconds: float) -> str:
    """Return a time with three digits and a unit: '3.71 ms'."""
    unit, factor = next(
        ((u, f) for u, f in (("s", 1.0), ("ms", 1e3)) if seconds * f >= 1), ("µs", 1e6)
    )
    return f"{seconds * factor:.3g} {unit}"


def spread(side: Row) -> str:
    """Return the median and half the range of all runs in percent of it."""
    percent = 50 * (side["longest"] - side["shortest"]) / side["median"]
    return f"{format_time(side['median'])} ±{percent:.0f}%"


def neighbour_count(side: Row) -> str:
    return (
        f"{side['neighbours']:,.3g}" if side["neighbours"] < 1000 else f"{side['neighbours']:,.0f}"
    )


def format_ratio(ratio: float) -> str:
    """Return a ratio with two digits: '1,900', '4.3'."""
    if ratio < 10:
        return f"{ratio:.1f}"
    digits = len(f"{ratio:.0f}") - 2
    return f"{round(ratio, -digits):,.0f}"


def ratio(row: Row) -> float:
    return float(row["theirs"]["median"] / row["ours"]["median"])


def table(rows: list[Row]) -> Iterator[str]:
    yield "| package | flock | boids | its time | neighbours | murmurate | neighbours | ratio |"
    yield "|---|---|---:|---:|---:|---:|---:|---:|"
    for row in rows:
        theirs, ours = row["theirs"], row["ours"]
        near = [
            neighbour_count(side) if row["unit"] != "picture" else "" for side in (theirs, ours)
        ]
        yield (
            f"| {row['peer']} | {row['flock']} | {row['boids']:,} | {spread(theirs)} | {near[0]} "
            f"| {spread(ours)} | {near[1]} | {format_ratio(ratio(row))} |"
        )


def short_table(rows: list[Row]) -> Iterator[str]:
    """Yield the rows of a table with the largest flock of each peer that is timed by the step."""
    largest = {row["peer"]: row for row in rows if row["unit"] == "step"}
    yield "| package | flock | boids | its time | murmurate | ratio |"
    yield "|---|---|---:|---:|---:|---:|"
    for peer, row in largest.items():
        theirs, ours = (format_time(row[side]["median"]) for side in ("theirs", "ours"))
        cells = [peer, row["flock"], f"{row['boids']:,}", theirs, ours, format_ratio(ratio(row))]
        yield f"| {' | '.join(cells)} |"


def interactions(rows: list[Row], peer: str) -> Iterator[str]:
    """Yield neighbour interactions per second, the unit of molecular dynamics."""
    for row in rows:
        if row["peer"].startswith(peer):
            theirs, ours = (
                row["boids"] * side["neighbours"] / side["median"] / 1e6
                for side in (row["theirs"], row["ours"])
            )
            yield (
                f"- {row['boids']:,}: {theirs:,.0f} million neighbour interactions per second in "
                f"{peer}, {ours:,.0f} million in murmurate."
            )


def differences(rows: list[Row]) -> Iterator[str]:
    """Yield how each peer differs, once each."""
    rows_that_differ = {(row["peer"], row["differs"]) for row in rows if row["differs"]}
    for peer, what in sorted(rows_that_differ):
        yield f"- {peer}: {what}."

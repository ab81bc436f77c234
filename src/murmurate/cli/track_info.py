"""What `murmurate info` prints of tracks of animals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

from murmurate.cli.terminal import say
from murmurate.cli.track_options import say_notes
from murmurate.tracks import Tracks
from murmurate.tracks.tracks import describe_tracks

MOST_NAMES = 8


def print_tracks(tracks: Tracks, as_json: bool) -> None:
    """All that is known of them, as lines or as JSON."""
    found = describe_tracks(tracks)
    if as_json:
        say(json.dumps(found, indent=2))
        return
    for name, text in _lines(found).items():
        if text:
            say(f"{name:<9} {text}")
    say_notes(tracks)


def plot_tracks(
    tracks: Tracks, path: Path, style: Literal["light", "dark"] | None, force: bool
) -> None:
    """Draws them; says where."""
    from murmurate.plots.tracks import save_tracks_plot

    say(save_tracks_plot(tracks, path, style=style or "light", force=force))


def _lines(found: dict[str, Any]) -> dict[str, str]:
    names, unit = found["names"], found["unit"] or "units of the file"
    listed = ", ".join(names[:MOST_NAMES]) + (", ..." if len(names) > MOST_NAMES else "")
    rate = found["frames_per_second"]
    time = "no frames a second: time counts frames (--fps)"
    if rate is not None:
        time = f"{rate:.6g} a second, {found['seconds']:.6g} s"
    last = found["first_frame"] + max(found["frames"] - 1, 0) * found["every"]
    every = f", one in {found['every']}" if found["every"] > 1 else ""
    lines = {
        "read as": found["read_as"],
        "tracks": f"{found['tracks']:,}: {listed}",
        "frames": f"{found['frames']:,}, {found['first_frame']:.10g} to {last:.10g}{every}; {time}",
    }
    if found["lower"] is not None:
        low, high = (", ".join(f"{x:.5g}" for x in found[end]) for end in ("lower", "upper"))
        down = "; y grows downwards, as in pictures (--y-down turns it)" if found["y_down"] else ""
        lines["places"] = f"({low}) to ({high}), {unit}{down}"
    if len(found["flocks"]) > 1:
        flocks = (f"{name} {count:,}" for name, count in found["flocks"].items())
        lines["flocks"] = ", ".join(flocks)
    for name, value in found["attrs"].items():
        if isinstance(value, dict):
            value = "; ".join(f"{column}: {what}" for column, what in value.items())
        if name != "assumed":  # the notes below
            lines[name] = str(value)
    if found["median_step"] is not None:
        lines["steps"] = f"{found['median_step']:.4g} from frame to frame, the median"
    gaps = f"{100 * found['missing']:.3g} % of places"
    if gap := found["longest_gap"]:
        gaps += (
            f", in {found['gaps']:,} {'gap' if found['gaps'] == 1 else 'gaps'} between places; the "
            f"longest is of {gap['animal']}, {gap['frames']:,} "
            f"{'frame' if gap['frames'] == 1 else 'frames'} from frame {gap['first_frame']:.10g}"
        )
    lines["missing"] = gaps
    return lines

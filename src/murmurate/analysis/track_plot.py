"""The picture of tracks: where the animals went, and when each of them was seen."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.analysis.output import target
from murmurate.measures.limits import MeasureError
from murmurate.optional import optional
from murmurate.show.plot_style import INKS, SIZES, Colours, Inks, plot_look, save_plot
from murmurate.tracks import Tracks
from murmurate.tracks.tracks import find_gaps

MOST_GAPS = 2000  # that are drawn
MOST_NAMES = 36  # that are written beside their rows
MOST_POINTS = 400_000  # of all tracks; of more, every second, third, ... frame is drawn
COLUMNS = 1200  # of the picture of who is seen when


def draw_tracks(
    tracks: Tracks, path: str | os.PathLike[str], *, style: Colours = "light", force: bool = False
) -> Path:
    """Draws tracks; returns the picture's path: .png, .svg or .pdf.

    On the left the tracks, each in its colour, with dots where they begin and dotted lines across
    gaps; of 3-D ones x and y. On the right a row an animal, coloured while it is seen. Raises
    OutputRefused for a file that is there, unless forced; MeasureError where matplotlib is missing,
    or no animal is seen.
    """
    with optional("plots", MeasureError, "plot"):
        from matplotlib import colormaps
    path = target(path, (".png", ".svg", ".pdf"), force)
    seen = np.isfinite(tracks.positions).all(axis=2)
    if not seen.any():
        raise MeasureError("there is nothing to draw: no animal is seen in any frame")
    inks, count = INKS[style], seen.shape[1]
    colours = colormaps["viridis"](np.linspace(*inks.viridis, count))
    title = f"{Path(tracks.path).name}, {tracks.source}: {count:,} tracks, {len(seen):,} frames"
    with plot_look(SIZES["screen"], inks):
        figure = _drawn(tracks, seen, colours, inks, title)
        save_plot(figure, path, title)
    return path


def _drawn(tracks: Tracks, seen: np.ndarray, colours: np.ndarray, inks: Inks, title: str) -> Any:
    from matplotlib.figure import Figure

    ground, ink, faint = inks.ground, inks.ink, inks.grid
    figure = Figure(figsize=(11, 5.6), layout="constrained")
    places, times = figure.subplots(1, 2, width_ratios=(1.25, 1))
    for axes in (places, times):
        axes.tick_params(labelsize=8, length=3)
        for side in ("top", "right", "bottom", "left"):
            axes.spines[side].set(color=faint, visible=True)
    _draw_places(places, tracks, colours, ink)
    _draw_times(times, tracks, seen, colours, ground)
    unit = f" ({tracks.unit})" if tracks.unit else ""
    places.set_xlabel(f"x{unit}")
    places.set_ylabel(f"y{unit}")
    times.set_xlabel("time (s)" if tracks.timed else "frame")
    figure.suptitle(title, x=0.01, ha="left", fontsize=11, weight="bold")
    return figure


def _draw_places(axes: Any, tracks: Tracks, colours: np.ndarray, ink: str) -> None:
    from matplotlib.collections import LineCollection

    positions = tracks.positions[:, :, :2]
    frames, count, _ = positions.shape
    every = max(1, frames * count // MOST_POINTS)
    thin = max(0.35, min(1.3, 14 / np.sqrt(count)))
    around = crossings(tracks, every)
    for k in range(count):
        way = np.insert(positions[::every, k], np.flatnonzero(around[:, k]) + 1, np.nan, axis=0)
        axes.plot(*way.T, color=colours[k], linewidth=thin, alpha=0.85,
                  solid_capstyle="round")  # fmt: skip
    gaps = find_gaps(tracks)[:MOST_GAPS]
    ends = [(k, positions[first - 1, k], positions[first + length, k]) for k, first, length in gaps]
    ends = [(k, a, b) for k, a, b in ends if not crosses(tracks, b - a)]
    axes.add_collection(LineCollection(
        [(a, b) for _, a, b in ends], colors=[colours[k] for k, _, _ in ends],
        linewidths=thin, linestyles=(0, (1, 1.6)),
    ))  # fmt: skip
    known = np.isfinite(positions).all(axis=2)
    first = [(int(known[:, k].argmax()), k) for k in range(count) if known[:, k].any()]
    starts = np.array([positions[frame, k] for frame, k in first])
    axes.scatter(*starts.T, s=max(3.0, 60 / np.sqrt(count)), color=[colours[k] for _, k in first],
                 edgecolors=ink, linewidths=0.5, zorder=3)  # fmt: skip
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.04)
    if tracks.y_down:
        axes.invert_yaxis()
    axes.set_title("where they went, from the dots on", loc="left", fontsize=9, color=ink)


def crosses(tracks: Tracks, steps: np.ndarray) -> np.ndarray:
    """Whether (..., 2) steps go across the edge of a periodic axis, where no line is drawn."""
    sides = np.where(tracks.space.periodic, tracks.space.size, np.inf)[:2]
    with np.errstate(invalid="ignore"):
        found: np.ndarray = (np.abs(steps) > sides / 2).any(axis=-1)
    return found


def crossings(tracks: Tracks, every: int) -> np.ndarray:
    """(F - 1, N) the same, of the steps from each frame that is drawn to the next."""
    return crosses(tracks, np.diff(tracks.positions[::every, :, :2], axis=0))


def _draw_times(
    axes: Any, tracks: Tracks, seen: np.ndarray, colours: np.ndarray, ground: str
) -> None:
    """A row an animal: coloured by how much of a column's frames it is seen in."""
    from matplotlib.colors import to_rgb

    frames, count = seen.shape
    edges = np.linspace(0, frames, min(frames, COLUMNS) + 1).astype(int)
    share = np.add.reduceat(seen, edges[:-1], axis=0) / np.diff(edges)[:, None]
    back = np.array(to_rgb(ground))
    picture = back + share.T[:, :, None] * (colours[:, None, :3] - back)
    rows = picture
    if count <= MOST_NAMES:  # with the ground between rows
        rows = np.repeat(picture, 6, axis=0)
        rows[0::6] = rows[5::6] = back
    end = frames / tracks.rate
    axes.imshow(rows, extent=(0, end, count - 0.5, -0.5), aspect="auto", interpolation="none")
    names = list(tracks.names or ())
    if count <= MOST_NAMES:
        axes.set_yticks(range(count), [name[:18] for name in names], fontsize=7)
    else:
        axes.set_ylabel("track")
    ink = axes.xaxis.label.get_color()
    axes.set_title(f"when each is seen; {100 * tracks.missing:.2g} % of places are missing",
                   loc="left", fontsize=9, color=ink)  # fmt: skip

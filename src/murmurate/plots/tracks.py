"""Plot tracks of animals: their paths, and when each of them is seen."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.errors import MeasureError
from murmurate.plots.style import INKS, Colours, Inks, SizeName, begin_plot, check_look, make_axes
from murmurate.tracks import Tracks
from murmurate.tracks.tracks import find_gaps

MAX_GAPS = 2000  # of tracks
MAX_ROW_NAMES = 36  # animals whose names are written beside their rows
MAX_POINTS = 400_000  # of all tracks; for more, only every n-th frame is drawn
MAX_COLUMNS = 1200  # of the picture of when animals were seen


def plot_tracks(
    tracks: Tracks, ax: Sequence[Any] | None = None, *, style: Colours = "light"
) -> np.ndarray:
    """Plot tracks in two panels.

    The left panel has the tracks in different colours, with dots at their starts and dotted lines
    across gaps; for 3-D tracks x and y. The right panel has a row per animal, coloured while it is
    seen.

    tracks  tracks with at least one animal that is seen
    ax  axes of matplotlib. The default is a new figure.
    style  colours
    returns  (2,)
    raises MeasureError  if matplotlib is missing, or no animal is seen
    """
    check_look(style, "screen", MeasureError)
    _check_seen(tracks)
    panels = make_axes(style, "screen", (1, 2))[0] if ax is None else np.array(ax)
    _draw_panels(panels, tracks, INKS[style])
    return panels  # type: ignore[no-any-return]


def save_tracks_plot(
    tracks: Tracks, path: str | os.PathLike[str], *, style: Colours = "light",
    size: SizeName = "screen", force: bool = False,
) -> Path:  # fmt: skip
    """Plot tracks to a file, and return its path. See `plot_tracks`.

    path  .png, .svg or .pdf
    style  colours
    size  format. The last two are as wide as a paper's column or page, and have no title.
    force  true to replace an existing file
    raises OutputError  for an existing file, unless forced, and for another ending
    raises MeasureError  if matplotlib is missing, or no animal is seen
    """
    plot = begin_plot(path, style, size, MeasureError, force)
    _check_seen(tracks)
    count, frames = tracks.positions.shape[1], len(tracks.positions)
    title = f"{Path(tracks.path).name}, {tracks.source}: {count:,} tracks, {frames:,} frames"
    across = min(plot.look.across, 2)
    with plot.figure(title, plot.look.inches(*((11, 5.6) if across == 2 else (6, 9)))) as figure:
        ratios = {("width" if across == 2 else "height") + "_ratios": (1.25, 1)}
        panels = figure.subplots(3 - across, across, gridspec_kw=ratios)
        _draw_panels(panels, tracks, plot.inks)
        if plot.look.titled:
            figure.suptitle(title, x=0.01, ha="left", weight="bold")
    return plot.path


def _check_seen(tracks: Tracks) -> None:
    if not np.isfinite(tracks.positions).all(axis=2).any():
        raise MeasureError("tracks: no animal is seen in any frame; expected at least one")


def _draw_panels(panels: Any, tracks: Tracks, inks: Inks) -> None:
    """Draw the paths and the times of tracks."""
    from matplotlib import colormaps

    seen = np.isfinite(tracks.positions).all(axis=2)
    colours = colormaps["viridis"](np.linspace(*inks.viridis, seen.shape[1]))
    paths, times = panels
    for axes in (paths, times):
        axes.tick_params(length=3)
        for side in ("top", "right", "bottom", "left"):
            axes.spines[side].set(color=inks.grid, visible=True)
    _draw_paths(paths, tracks, colours, inks.ink)
    _draw_times(times, tracks, seen, colours, inks.ground)
    unit = f" ({tracks.unit})" if tracks.unit else ""
    paths.set_xlabel(f"x{unit}")
    paths.set_ylabel(f"y{unit}")
    times.set_xlabel("time (s)" if tracks.timed else "frame")


def _draw_paths(axes: Any, tracks: Tracks, colours: np.ndarray, ink: str) -> None:
    from matplotlib.collections import LineCollection

    positions = tracks.positions[:, :, :2]
    frames, count, _ = positions.shape
    every = max(1, frames * count // MAX_POINTS)
    width = max(0.35, min(1.3, 14 / np.sqrt(count)))
    crossing = drawn_crossings(tracks, every)
    for k in range(count):
        breaks = np.flatnonzero(crossing[:, k]) + 1
        path = np.insert(positions[::every, k], breaks, np.nan, axis=0)
        axes.plot(*path.T, color=colours[k], linewidth=width, alpha=0.85,
                  solid_capstyle="round")  # fmt: skip
    gaps = find_gaps(tracks)[:MAX_GAPS]
    ends = [(k, positions[first - 1, k], positions[first + length, k]) for k, first, length in gaps]
    ends = [(k, a, b) for k, a, b in ends if not crosses_edge(tracks, b - a)]
    axes.add_collection(LineCollection(
        [(a, b) for _, a, b in ends], colors=[colours[k] for k, _, _ in ends],
        linewidths=width, linestyles=(0, (1, 1.6)),
    ))  # fmt: skip
    seen = np.isfinite(positions).all(axis=2)
    first = [(int(seen[:, k].argmax()), k) for k in range(count) if seen[:, k].any()]
    starts = np.array([positions[frame, k] for frame, k in first])
    axes.scatter(*starts.T, s=max(3.0, 60 / np.sqrt(count)), color=[colours[k] for _, k in first],
                 edgecolors=ink, linewidths=0.5, zorder=3)  # fmt: skip
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.04)
    if tracks.y_down:
        axes.invert_yaxis()
    axes.set_title("paths, starting at the dots", loc="left", fontsize="medium", color=ink)


def crosses_edge(tracks: Tracks, steps: np.ndarray) -> np.ndarray:
    """Return True for (..., 2) steps across the edge of a periodic axis, where no line is drawn."""
    sides = np.where(tracks.space.periodic, tracks.space.size, np.inf)[:2]
    with np.errstate(invalid="ignore"):
        crossing: np.ndarray = (np.abs(steps) > sides / 2).any(axis=-1)
    return crossing


def drawn_crossings(tracks: Tracks, every: int) -> np.ndarray:
    """Return (F - 1, N) bool: the step to the next frame that is drawn crosses an edge."""
    return crosses_edge(tracks, np.diff(tracks.positions[::every, :, :2], axis=0))


def _draw_times(
    axes: Any, tracks: Tracks, seen: np.ndarray, colours: np.ndarray, ground: str
) -> None:
    """Draw a row per animal, coloured by the fraction of a column's frames in which it is seen."""
    from matplotlib.colors import to_rgb

    frames, count = seen.shape
    edges = np.linspace(0, frames, min(frames, MAX_COLUMNS) + 1).astype(int)
    share = np.add.reduceat(seen, edges[:-1], axis=0) / np.diff(edges)[:, None]
    background = np.array(to_rgb(ground))
    picture = background + share.T[:, :, None] * (colours[:, None, :3] - background)
    rows = picture
    if count <= MAX_ROW_NAMES:  # with background between rows
        rows = np.repeat(picture, 6, axis=0)
        rows[0::6] = rows[5::6] = background
    end = frames / tracks.rate
    axes.imshow(rows, extent=(0, end, count - 0.5, -0.5), aspect="auto", interpolation="none")
    names = list(tracks.names or ())
    if count <= MAX_ROW_NAMES:
        axes.set_yticks(range(count), [name[:18] for name in names], fontsize="x-small")
    else:
        axes.set_ylabel("track")
    ink = axes.xaxis.label.get_color()
    axes.set_title(f"when each is seen; {100 * tracks.missing:.2g} % of positions are missing",
                   loc="left", fontsize="medium", color=ink)  # fmt: skip

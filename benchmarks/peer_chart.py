"""The chart of peers.py: time a step against boids, both logarithmic, as SVG text.

The picture has its own background, and both its colours for light pages and those for dark ones:
matplotlib writes the light ones, which are then made names that a style sheet in the file defines.
"""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable
from typing import Any

Row = dict[str, Any]

COLOURS = {  # name -> on light, on dark pages
    "paper": ("#fcfcfa", "#14171c"),
    "ink": ("#24292f", "#d8dee6"),
    "soft": ("#767d86", "#98a2ae"),
    "grid": ("#e6e7e4", "#2a3038"),
    "ours": ("#d1495b", "#ff7a86"),
    "a": ("#2e6f9e", "#6cb6ea"),
    "b": ("#3d8b57", "#74cf94"),
    "c": ("#8a5fb0", "#c39ae8"),
    "d": ("#b06a12", "#eab05a"),
    "e": ("#16858a", "#5fcfd2"),
    "f": ("#71792b", "#c3cb72"),
    "g": ("#5b6470", "#aab4c0"),
    "h": ("#9c4a86", "#e394cd"),
    "i": ("#3f51a8", "#93a4f2"),
}
LIGHT = {name: light for name, (light, _) in COLOURS.items()}
DASHED = (0, (4, 2))
LINES = "abcdefghi"
MARKERS = "osD^v<>ph"
SECONDS = {1e-6: "1 µs", 1e-5: "10 µs", 1e-4: "100 µs", 1e-3: "1 ms", 1e-2: "10 ms", 1e-1: "100 ms",
           1.0: "1 s", 10.0: "10 s", 100.0: "100 s"}  # fmt: skip
BOIDS = {1e2: "100", 1e3: "1,000", 1e4: "10,000", 1e5: "100,000", 1e6: "a million"}


def digest(rows: list[Row]) -> str:
    """Says of which results a chart was made."""
    return hashlib.sha256(json.dumps(rows, sort_keys=True).encode()).hexdigest()[:16]


def chart(rows: list[Row]) -> str:
    """The chart as SVG."""
    steps = [row for row in rows if row["unit"] == "step"]
    return svg(rows, (7.2, 7.2), lambda figure: _draw(figure.subplots(), steps))


def svg(rows: list[Row], size: tuple[float, float], draw: Callable[[Any], None]) -> str:
    """Return a figure as SVG, of its rows, its size in inches, and what draws it."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    settings = {
        "svg.hashsalt": "murmurate", "font.size": 13, "text.color": LIGHT["ink"],
        "axes.labelcolor": LIGHT["soft"], "xtick.color": LIGHT["soft"],
        "ytick.color": LIGHT["soft"],
    }  # fmt: skip
    with plt.rc_context(settings):
        figure = plt.figure(figsize=size, facecolor=LIGHT["paper"])
        try:
            draw(figure)
            figure.tight_layout()
            text = io.StringIO()
            figure.savefig(text, format="svg", metadata={"Date": None})
        finally:
            plt.close(figure)
    return _themed(text.getvalue(), digest(rows))


def ticks(low: float, high: float, names: dict[float, str]) -> tuple[list[float], list[str]]:
    """Return the ticks within limits, and their names."""
    named = {value: name for value, name in names.items() if low <= value <= high}
    return list(named), list(named.values())


def plain(axes: Any, title: str) -> None:
    """Remove frame and small ticks of axes, and draw their grid and title."""
    axes.set_title(title, loc="left", fontsize=16, pad=14)
    axes.set_facecolor(LIGHT["paper"])
    axes.minorticks_off()
    axes.grid(color=LIGHT["grid"], linewidth=1)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)


def _draw(axes: Any, rows: list[Row]) -> None:
    peers: dict[str, list[Row]] = {}
    for row in sorted(rows, key=lambda row: row["boids"]):
        peers.setdefault(row["peer"], []).append(row)
    highest = sorted(peers, key=lambda peer: -peers[peer][-1]["theirs"]["median"])
    for number, peer in enumerate(highest):
        own = peers[peer]
        boids = [row["boids"] for row in own]
        look = {"marker": MARKERS[number], "markersize": 8, "markeredgecolor": LIGHT["paper"]}
        theirs, ours = ([row[side]["median"] for row in own] for side in ("theirs", "ours"))
        axes.plot(boids, theirs, color=LIGHT[LINES[number]], linewidth=2.2, label=peer, **look)
        axes.plot(boids, ours, color=LIGHT["ours"], linestyle=DASHED, linewidth=1.4, **look)
    axes.plot([], [], color=LIGHT["ours"], marker="o", markeredgecolor=LIGHT["paper"],
              linestyle=DASHED, label="the same in murmurate")  # fmt: skip
    axes.set(xscale="log", yscale="log")
    axes.set_xlabel("boids")
    axes.set_yticks(*ticks(*axes.get_ylim(), SECONDS))
    axes.set_xticks(*ticks(*axes.get_xlim(), BOIDS))
    plain(axes, "Time of a step on one core")
    axes.legend(loc="upper center", bbox_to_anchor=(0.45, -0.13), ncols=2, frameon=False,
                labelspacing=0.7, columnspacing=2.5)  # fmt: skip


def _themed(svg: str, made_of: str) -> str:
    """The chart with a style sheet: its colours by name, for light and for dark pages."""
    for name, (light, _) in COLOURS.items():
        svg = svg.replace(light, f"var(--{name})")
    light, dark = (
        "".join(f"--{name}:{both[theme]};" for name, both in COLOURS.items()) for theme in (0, 1)
    )
    style = f"svg{{{light}}}@media(prefers-color-scheme:dark){{svg{{{dark}}}}}"
    head, mark, rest = svg.partition("<defs>")
    lines = f"{head}<!-- made of {made_of} -->\n <style>{style}</style>\n {mark}{rest}".splitlines()
    return "\n".join(line.rstrip() for line in lines) + "\n"

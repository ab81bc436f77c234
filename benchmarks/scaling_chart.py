"""The figures of scaling.py: many machines, and a slow network. In the style of peer_chart.py."""

from __future__ import annotations

from typing import Any

from peer_chart import DASHED, LIGHT, SECONDS, Row, plain, svg, ticks

BOIDS = {10**7: "ten million", 10**8: "a hundred million", 10**9: "a thousand million"}
MACHINES = {1.0: "1", 10.0: "10", 100.0: "100", 1000.0: "1,000"}
TOLERANCE = 0.15


def many_machines(rows: list[Row]) -> str:
    """Return the figure of steps on many machines, beside measured runs, as SVG."""

    def draw(figure: Any) -> None:
        left, right = figure.subplots(1, 2)
        _draw_runs(left, [row for row in rows if row["kind"] == "run"])
        _draw_machines(right, rows)

    return svg(rows, (12.6, 6.0), draw)


def _draw_runs(axes: Any, rows: list[Row]) -> None:
    measured = sorted(row["measured"] for row in rows)
    ends = [measured[0] / 1.6, measured[-1] * 1.6]
    low, high = ([end * (1.0 + sign * TOLERANCE) for end in ends] for sign in (-1, 1))
    axes.fill_between(ends, low, high, color=LIGHT["grid"], linewidth=0)
    axes.plot(ends, ends, color=LIGHT["soft"], linewidth=1)
    for colour, marker, workers in (("a", "o", 1), ("b", "s", 2), ("ours", "D", 4)):
        own = [row for row in rows if row["workers"] == workers]
        axes.plot(
            [row["measured"] for row in own], [row["predicted"] for row in own], marker,
            color=LIGHT[colour], markersize=10, markeredgecolor=LIGHT["paper"],
            label=f"{workers} worker{'s' if workers > 1 else ''}",
        )  # fmt: skip
    axes.set(xscale="log", yscale="log", xlim=ends, ylim=ends)
    axes.set_xticks(*ticks(*ends, SECONDS))
    axes.set_yticks(*ticks(*ends, SECONDS))
    axes.set_xlabel("a step, measured")
    axes.set_ylabel("simulated")
    plain(axes, f"On one machine, with a band of {TOLERANCE:.0%}")
    axes.legend(loc="upper left", frameon=False, labelspacing=0.7)


def _draw_machines(axes: Any, rows: list[Row]) -> None:
    for colour, (boids, name) in zip(("b", "a", "ours"), BOIDS.items(), strict=True):
        own = [row for row in rows if row["kind"] == "strong" and row["boids"] == boids]
        machines, seconds = ([row[key] for row in own] for key in ("workers", "step"))
        axes.plot(machines, seconds, "o-", color=LIGHT[colour], linewidth=2.2, markersize=6,
                  markeredgecolor=LIGHT["paper"], label=f"{name} boids")  # fmt: skip
        ideal = [seconds[0] / count for count in machines]
        axes.plot(machines, ideal, color=LIGHT[colour], linestyle=DASHED, linewidth=1.2)
    axes.plot([], [], color=LIGHT["soft"], linestyle=DASHED, label="if machines cost nothing")
    low, high = (
        min(row["step"] for row in rows if row["kind"] == "strong") / 3,
        max(row["step"] for row in rows if row["kind"] == "strong") * 1.5,
    )
    axes.set(xscale="log", yscale="log", ylim=(low, high))
    axes.set_xticks(*ticks(*axes.get_xlim(), MACHINES))
    axes.set_yticks(*ticks(low, high, SECONDS))
    axes.set_xlabel("machines")
    plain(axes, "A step on many machines, simulated")
    axes.legend(loc="upper right", frameon=False, labelspacing=0.6, fontsize=12)


def slow_network(rows: list[Row]) -> str:
    """Return the figure of steps with a slow network, measured and simulated, as SVG."""
    delays = [row for row in rows if row["kind"] == "delay"]

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for colour, loss in (("a", 0.0), ("ours", 0.01)):
            own = [row for row in delays if row["loss"] == loss]
            delay = [1e3 * row["delay"] for row in own]
            name = f"{loss:.0%} of packets lost" if loss else "no packet lost"
            axes.plot(delay, [1e3 * row["measured"] for row in own], "o", markersize=10,
                      color=LIGHT[colour], markeredgecolor=LIGHT["paper"], label=name)  # fmt: skip
            axes.plot(delay, [1e3 * row["predicted"] for row in own], color=LIGHT[colour],
                      linewidth=2.2, label="the same, simulated")  # fmt: skip
        axes.set(xlim=(-1, None), ylim=(0, None))
        axes.set_xlabel("delay of a packet, ms")
        axes.set_ylabel("a step, ms")
        plain(axes, "Two machines with a slow network")
        axes.legend(loc="upper left", frameon=False, labelspacing=0.7)

    return svg(delays, (7.2, 5.4), draw)

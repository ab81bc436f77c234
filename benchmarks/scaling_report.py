"""What scaling.py and slabs.py wrote, as tables and sentences in Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from peer_report import format_time
from slab_costs import costs_of

Content = dict[str, Any]
SHOWN = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1000)
NAMES = {10**7: "10 million", 10**8: "100 million", 10**9: "1,000 million"}


def of_kind(scaling: Content, kind: str) -> list[dict[str, Any]]:
    """Return the rows of a kind."""
    return [row for row in scaling["rows"] if row["kind"] == kind]


def one_machine(slabs: Content) -> Iterator[str]:
    """Return seconds of a step on one core, without messages, and bytes of a worker's arrays."""
    yield "| boids | a step on one core | per boid | memory per boid |"
    yield "|---:|---:|---:|---:|"
    for row in slabs["rows"]:
        if row.get("workers") == 1 and "work_of" in row:
            boids, seconds = row["work_of"], row["busy"]
            size = row["memory"] / boids
            yield (
                f"| {boids:,} | {format_time(seconds)} | {1e9 * seconds / boids:.0f} ns "
                f"| {size:.0f} bytes |"
            )


def memory(scaling: Content) -> Iterator[str]:
    """Return bytes per boid: of arrays of engine 'cpu', of a frame, and of messages."""
    rows = of_kind(scaling, "memory")
    last = rows[-1]
    cpu = ", ".join(f"{row['cpu']:.0f} with {row['boids']:,} boids" for row in rows)
    yield f"- Arrays of engine `cpu`, bytes per boid: {cpu}."
    yield (
        f"- A frame in your process has {last['frame']:.0f} bytes per boid, a boid that moves to "
        f"another worker {last['moved']}, a boid of a halo {last['halo']}."
    )


def runs(scaling: Content) -> Iterator[str]:
    """Return measured and simulated steps."""
    yield "| boids | workers | a step | simulated | ratio |"
    yield "|---:|---:|---:|---:|---:|"
    for row in of_kind(scaling, "run"):
        times = f"{format_time(row['measured'])} | {format_time(row['predicted'])}"
        ratio = row["predicted"] / row["measured"]
        yield f"| {row['boids']:,} | {row['workers']} | {times} | {ratio:.2f} |"


def constants(slabs: Content) -> Iterator[str]:
    """Return what calls cost."""
    costs = costs_of(slabs["rows"])
    messages = costs.send + costs.receive
    yield "| | |"
    yield "|---|---:|"
    for name, seconds in (
        ("the driver submits a call", costs.submit),
        ("a worker receives and answers it, besides its work", costs.serve),
        ("two more threads of driver and worker, together", 2.0 * messages),
        ("a result with boids: written or read", costs.pack),
        ("a result above 100 kB: stored and fetched", costs.stored),
        ("each further MB of it", 1e6 * costs.stored_byte),
    ):
        yield f"| {name} | {format_time(seconds)} |"
    yield f"| work while all cores work, relative to work alone | {costs.crowd:.2f} |"


def start(slabs: Content) -> Iterator[str]:
    """Return how long workers take to start."""
    ready = {
        name.split(", ")[1]: format_time(result["value"])
        for name, result in slabs["results"].items()
        if name.startswith("20,000 boids") and name.endswith(", ready")
    }
    workers = ", ".join(name.split()[0] for name in ready)
    yield (
        f"On one machine, {workers} workers began the third step {', '.join(ready.values())} after "
        "the call of `mm.Simulation`."
    )


def many_machines(scaling: Content) -> Iterator[str]:
    """Return steps on many machines, with their efficiency."""
    strong = {(row["boids"], row["workers"]): row["step"] for row in of_kind(scaling, "strong")}
    weak = {
        row["workers"]: row["step"]
        for row in of_kind(scaling, "weak")
        if row["boids"] == row["workers"] * 10**7
    }
    heads = [f"{name} boids" for name in NAMES.values()]
    yield f"| machines | {' | '.join(heads)} | 10 million boids each |"
    yield f"|---:|{'---:|' * 4}"
    for machines in SHOWN:
        cells = []
        for boids in NAMES:
            seconds = strong[boids, machines]
            share = strong[boids, 1] / seconds / machines
            cells.append(f"{format_time(seconds)} ({share:.0%})")
        seconds = weak.get(machines)
        cells.append("" if seconds is None else f"{format_time(seconds)} ({weak[1] / seconds:.0%})")
        yield f"| {machines:,} | {' | '.join(cells)} |"


def limits(slabs: Content, scaling: Content) -> Iterator[str]:
    """Return sentences with numbers of what ends the growth."""
    strong = of_kind(scaling, "strong")
    best, half = [], []
    for boids, name in NAMES.items():
        own = [row for row in strong if row["boids"] == boids]
        row = min(own, key=lambda row: row["step"])
        times = (format_time(row[key]) for key in ("step", "driver", "worker"))
        best.append("{} boids on {}: {}, of which the driver works {} and a worker {}".format(
            name, row["workers"], *times
        ))  # fmt: skip
        used = [row["workers"] for row in own if own[0]["step"] >= row["step"] * row["workers"] / 2]
        half.append(f"{max(used)} with {name} boids")
    yield f"- **Half of the machines' speed is used** by up to {', '.join(half)}."
    yield f"- **A step is shortest** with {'; '.join(best)}."
    last = next(row for row in strong if row["boids"] == 10**9 and row["workers"] == 512)
    yield (
        f"- **The driver** works {format_time(last['driver'] / last['workers'])} for each worker "
        f"in a step. With 512 workers that is {format_time(last['driver'])}, while a worker works "
        f"{format_time(last['worker'])} and the network carries its halos for "
        f"{format_time(last['network'])}."
    )
    first = {row["workers"]: row["step"] for row in of_kind(scaling, "first")}
    yield (
        f"- **The first step** of 1,000 million boids takes {format_time(first[64])} on 64 "
        f"machines, {format_time(first[1000])} on 1,000."
    )
    yield _recording(slabs)


def _recording(slabs: Content) -> str:
    results = slabs["results"]
    name = next(name for name in results if name.endswith(", a recorded frame"))
    boids = int(name.split(" boids")[0].replace(",", ""))
    frame, process, size = (
        results[name + end]["value"] / boids for end in ("", " in this process", " on disk")
    )
    return (
        f"- **A recorded frame** takes {1e9 * frame:.0f} ns per boid with two workers. The driver "
        f"works {1e9 * process:.0f} ns of it, and writes {size:.0f} bytes. With 1,000 million "
        f"boids the driver alone would take {format_time(1e9 * process)} for {size:.0f} GB."
    )

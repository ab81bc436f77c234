"""Puts the results of benchmarks into README.md and pages of docs, and draws their charts.

    python docs/make_benchmarks.py

Tables stand between <!-- NAME: made by docs/make_benchmarks.py --> and <!-- end of NAME -->. Their
numbers are those of the files in benchmarks/results/, which the scripts of the same names in
benchmarks/ write with --json. A test asserts that the pages are as this makes them.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.append(str(ROOT / "benchmarks"))
import peer_report as report  # noqa: E402
import result_file  # noqa: E402
import scaling_chart  # noqa: E402
import scaling_report as scaling  # noqa: E402
from peer_chart import chart  # noqa: E402

RESULTS = ROOT / "benchmarks" / "results"
NAMES = ("benchmarks", "live-page", "cluster", "scaling", "gpu", "interactions")
PAGES = (ROOT / "README.md", *(HERE / f"{name}.md" for name in NAMES))
CHART = HERE / "benchmarks.svg"
BEGIN = r"<!-- (?P<name>[\w-]+): made by docs/make_benchmarks\.py -->\n"
END = r"<!-- end of (?P=name) -->"
BLOCK = re.compile(f"({BEGIN}).*?({END})", re.DOTALL)


def read(name: str) -> dict[str, Any]:
    """Return a benchmark's committed results."""
    return result_file.read(RESULTS / f"{name}.jsonl")


def blocks() -> dict[str, str]:
    """What stands between the marks of each name."""
    peers, language, growth, sweep, zoo = map(read, ("peers", "language", "growth", "sweep", "zoo"))
    rows = peers["rows"]
    gpu_zoo, slow = read("gpu_zoo"), read("chromebook")
    films, live, slabbed, threads = map(read, ("film", "live_page", "slabs", "threads"))
    scaled, first, learned = read("scaling"), read("first_minute"), read("learned_functions")
    tables = {
        "films": film_table(films["results"]),
        "films-machine": [machine(films)],
        "first-minute": first_minute_table(first["results"]),
        "first-watch": [first_watch(first["results"])],
        "first-minute-machine": [machine(first)],
        "learned": learned_table(learned["results"]),
        "learned-machine": [machine(learned)],
        "chromebook": chromebook_table(slow["results"]),
        "chromebook-machine": [machine(slow)],
        "live-page": live_page_table(live["results"]),
        "live-page-machine": [machine(live)],
        "peers": report.table(rows),
        "peers-short": report.short_table(rows),
        "peers-differ": report.differences(rows),
        "peers-interactions": report.interactions(rows, "LAMMPS"),
        "peers-machine": [machine(peers)],
        "language": language_table(language["rows"]),
        "language-machine": [machine(language)],
        "cpp": cpp_table(sweep["rows"]),
        "cpp-machine": [machine(sweep)],
        "zoo": zoo_table(zoo["rows"]),
        "zoo-machine": [machine(zoo)],
        "gpu-zoo": gpu_zoo_table(gpu_zoo["rows"]),
        "gpu-zoo-machine": [f"{gpu_zoo['adapter']}; {machine(gpu_zoo)}"],
        "growth": growth_table(growth["rows"]),
        "growth-machine": [machine(growth)],
        "threads": thread_table(threads["rows"]),
        "threads-machine": [machine(threads)],
        "slabs": slab_table(slabbed["results"]),
        "slabs-recording": slab_recording(slabbed["results"]),
        "slabs-machine": [machine(slabbed)],
        "scaling-one": scaling.one_machine(slabbed),
        "scaling-memory": scaling.memory(scaled),
        "scaling-constants": scaling.constants(slabbed),
        "scaling-start": scaling.start(slabbed),
        "scaling-runs": scaling.runs(scaled),
        "scaling-many": scaling.many_machines(scaled),
        "scaling-limits": scaling.limits(slabbed, scaled),
        "scaling-machine": [machine(slabbed)],
    }
    return {name: "\n".join(lines) + "\n" for name, lines in tables.items()}


def machine(results: dict[str, Any]) -> str:
    """Where and when results were measured."""
    where, versions = results["machine"], results["versions"]
    return (
        f"murmurate {versions['murmurate']} on {where['processor']}, {where['cores']} cores, "
        f"Python {versions['python']}, numba {versions['numba']}; {results['date'][:10]}."
    )


def language_table(rows: list[dict[str, Any]]) -> Iterator[str]:
    yield "| part | what is added | boids | plain | with it | times |"
    yield "|---|---|---:|---:|---:|---:|"
    for row in rows:
        plain, added = report.format_time(row["plain"]), report.format_time(row["with"])
        times = f"{row['times']:.2f}" if row["times"] < 10 else f"{row['times']:.0f}"
        cells = [row["part"], row["name"], f"{row['boids']:,}", plain, added, times]
        yield f"| {' | '.join(cells)} |"


def cpp_table(rows: list[dict[str, Any]]) -> Iterator[str]:
    """Million boid-steps a second, here and in the best layout in C++."""
    yield "| flock | threads | murmurate | C++ | its layout | ratio |"
    yield "|---|---:|---:|---:|---|---:|"
    for row in rows:
        rates = dict(row["million_boid_steps_per_second"])
        ours = rates.pop("murmurate")
        layout = max(rates, key=lambda name: float(rates[name]))
        cells = [row["case"], str(row["threads"]), f"{ours:.2f}", f"{rates[layout]:.2f}", layout]
        yield f"| {' | '.join(cells)} | {row['times_best']:.2f} |"


def zoo_table(rows: list[dict[str, Any]]) -> Iterator[str]:
    """One row a flock, the slowest first."""
    yield "| flock | boids | a step | million boid-steps a second |"
    yield "|---|---:|---:|---:|"
    for row in sorted(rows, key=lambda row: float(row["rate"])):
        cells = [
            row["name"],
            f"{row['boids']:,}",
            report.format_time(row["seconds"]),
            f"{row['rate']:.2f}",
        ]
        yield f"| {' | '.join(cells)} |"


def gpu_zoo_table(rows: list[dict[str, Any]]) -> Iterator[str]:
    """One row a flock, that of the largest gain first."""
    yield "| flock | before | now | before / now |"
    yield "|---|---:|---:|---:|"
    for row in sorted(rows, key=lambda row: -float(row["ratio"])):
        times = (report.format_time(row[name] / 1e3) for name in ("before_ms", "now_ms"))
        yield f"| {row['name']} | {' | '.join(times)} | {row['ratio']:.2f} |"


def slab_table(results: dict[str, Any]) -> Iterator[str]:
    yield "| boids | workers | a step | beside the work | handed over |"
    yield "|---:|---:|---:|---:|---:|"
    flights = [name.removesuffix(", step") for name in results if name.endswith(", step")]
    for flight in flights:
        boids, workers = flight.removesuffix(" workers").split(" boids, ")
        step, work, handed = (
            results[f"{flight}, {what}"]["value"]
            for what in ("step", "beside the work", "handed over")
        )
        times = f"{report.format_time(step)} | {report.format_time(work)}"
        yield f"| {boids} | {workers} | {times} | {handed / 1e6:.2f} MB |"


def slab_recording(results: dict[str, Any]) -> Iterator[str]:
    """What a recorded frame takes, and the memory of the process that calls the workers."""
    name = next(name for name in results if name.endswith(", a recorded frame"))
    boids, workers = name.removesuffix(" workers, a recorded frame").split(" boids, ")
    memory = results["memory of the driver"]["value"]
    yield (
        f"A recorded frame of {boids} boids takes {workers} workers {results[name]['value']:.1f} s "
        f"more than its step. The process that calls the workers held {memory:.2f} GB at most."
    )


def growth_table(rows: list[dict[str, Any]]) -> Iterator[str]:
    """One row a flock, those that grow fastest last."""
    sizes = max((row["boids"] for row in rows), key=len)
    yield f"| flock | order | boids sense | {' | '.join(f'{n:,}' for n in sizes)} | exponent |"
    yield f"|---|---|---|{'---:|' * (len(sizes) + 1)}"
    for row in sorted(rows, key=lambda row: row["exponent"]):
        times = [report.format_time(seconds) for seconds in row["seconds"]]
        times += [""] * (len(sizes) - len(times))
        cells = [row["name"], row["order"], row["senses"], *times, f"{row['exponent']:.2f}"]
        yield f"| {' | '.join(cells)} |"


def thread_table(rows: list[dict[str, Any]]) -> Iterator[str]:
    threads = rows[0]["threads"]
    yield f"| flock | order | boids | one thread | {threads} threads | gain |"
    yield "|---|---|---:|---:|---:|---:|"
    for row in rows:
        times = [
            report.format_time(row["alone"]),
            report.format_time(row["shared"]),
            f"{row['gain']:.2f}",
        ]
        yield f"| {row['name']} | {row['order']} | {row['boids']:,} | {' | '.join(times)} |"


def learned_table(results: dict[str, Any]) -> Iterator[str]:
    """One row a model, by its error at errors of 5%: error (coverage) at each level, and ratio."""
    value = {name: float(row["value"]) for name, row in results.items()}
    cases = [re.fullmatch(r"(.+), errors of (\d+)%: error", name) for name in value]
    models = dict.fromkeys(case[1] for case in cases if case)
    levels = sorted({int(case[2]) for case in cases if case})
    yield f"| model | {' | '.join(f'{level}%' for level in levels)} | to a force map's error |"
    yield f"|---|{'---|' * len(levels)}---|"
    for model in sorted(models, key=lambda name: value[f"{name}, errors of 5%: error"]):
        of = [f"{model}, errors of {level}%" for level in levels]
        cells = [f"{100 * value[f'{o}: error']:.2g}% ({value[f'{o}: coverage']:.0%})" for o in of]
        ratios = ", ".join(f"{value[f'{o}: ratio']:.2f}" for o in of)
        yield f"| {' | '.join([model, *cells, ratios])} |"


def film_table(rows: dict[str, Any]) -> Iterator[str]:
    """Pictures a second, from model to file."""
    rate = {name: float(row["value"]) for name, row in rows.items()}
    yield "| film | pictures a second | matplotlib's FuncAnimation | ratio | Blender's Workbench |"
    yield "|---|---:|---:|---:|---:|"
    for name, boids in (("sort-sol", "405"), ("starlings", "4,001")):
        if ours := rate.get(f"{name}, murmurate"):
            theirs, drawn = rate[f"{name}, FuncAnimation"], rate.get(f"{name}, Blender")
            cells = [f"{ours:.0f}", f"{theirs:.0f}", f"{ours / theirs:.1f}"]
            cells.append("" if drawn is None else f"{drawn:.2g}")
            yield f"| `{name}`, {boids} boids | {' | '.join(cells)} |"
    yield f"| the standard flock, 100,000 boids | {rate['100,000 boids, filmed']:.0f} | | | |"


def first_minute_table(rows: dict[str, Any]) -> Iterator[str]:
    """Seconds by the clock of the parts of a first film, and of a second one."""
    value = {name: float(row["value"]) for name, row in rows.items()}
    ending = ", first film, clock"
    yield "| part of `murmurate film starlings` | first film, s | later films, s |"
    yield "|---|---:|---:|"
    for name in [name.removesuffix(ending) for name in value if name.endswith(ending)]:
        later = value.get(f"{name}, second film, clock", 0.0)
        yield f"| {name} | {value[name + ending]:.1f} | {later:.1f} |"


def first_watch(rows: dict[str, Any]) -> str:
    first, later = (rows[f"watch, {name}, clock"]["value"] for name in ("first", "second"))
    return (
        f"A client has the first frame of `murmurate watch starlings` {first:.1f} s after the "
        f"first command on a machine, and {later:.1f} s after later ones."
    )


def chromebook_table(rows: dict[str, Any]) -> Iterator[str]:
    """One row a page, in the order of the benchmark."""
    value = {name: float(row["value"]) for name, row in rows.items()}
    yield "| page, task | kB | first picture, s | pictures a second |"
    yield "|---|---:|---:|---:|"
    for page in [name.removesuffix(", kB") for name in value if name.endswith(", kB")]:
        size, first, rate = (
            value[f"{page}, {what}"] for what in ("kB", "first picture, s", "pictures/s")
        )
        yield f"| {page} | {size:.0f} | {first:.1f} | {rate:.0f} |"


def live_page_table(rows: dict[str, Any]) -> Iterator[str]:
    """What flies, its time a step in a page and beside it, and the pages' sizes and starts."""
    value = {name: float(row["value"]) for name, row in rows.items()}
    yield "| | a step in the page | one native thread | a cell list in plain JavaScript |"
    yield "|---|---:|---:|---:|"
    for name in [name.removesuffix(", native") for name in value if name.endswith(", native")]:
        sides = [value.get(f"{name}, {side}") for side in ("page", "native", "JavaScript")]
        cells = ["" if side is None else report.format_time(side / 1000) for side in sides]
        yield f"| {name} | {' | '.join(cells)} |"
    yield ""
    yield "| page of | first motion after | steps a second, drawn beside | pictures a second | kB |"
    yield "|---|---:|---:|---:|---:|"
    for name in [n.removesuffix(", kB") for n in value if n.endswith(", kB")]:
        opens, steps, pictures, size = (
            value[f"{name}, {what}"] for what in ("opens", "steps/s", "frames/s", "kB")
        )
        cells = [f"{opens:.2f} s", f"{steps:.0f}", f"{pictures:.0f}", f"{size:.0f}"]
        yield f"| {name.removeprefix('page of ')} | {' | '.join(cells)} |"


def charts() -> dict[Path, str]:
    """Return the figures: file -> SVG."""
    rows = read("scaling")["rows"]
    return {
        CHART: chart(read("peers")["rows"]),
        HERE / "scaling.svg": scaling_chart.many_machines(rows),
        HERE / "slow-network.svg": scaling_chart.slow_network(rows),
    }


def filled(text: str, tables: dict[str, str]) -> str:
    """A page with its blocks as they should be. Raises KeyError for a name that nobody makes."""
    return BLOCK.sub(lambda block: block[1] + tables[block["name"]] + block[3], text)


def main() -> None:
    tables = blocks()
    for page in PAGES:
        text = filled(page.read_text(encoding="utf-8"), tables)
        page.write_text(text, encoding="utf-8", newline="\n")
        print(f"wrote {page}")
    for path, text in charts().items():
        path.write_text(text, encoding="utf-8", newline="\n")
        print(f"wrote {path}")


if __name__ == "__main__":
    main()

"""murmurate doctor --bench: how fast this machine simulates the standard flocks."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Group, Parameter

from murmurate.cli.engine_flags import OwnOptions, chosen, own_words
from murmurate.cli.options import EngineName
from murmurate.cli.resume import passed_options
from murmurate.cli.terminal import console, print_line

if TYPE_CHECKING:
    from rich.console import Console

    from murmurate.bench.timing import Timing

BENCH = Group("Speed of the standard flocks", sort_key=1)


@Parameter(name="*", group=BENCH)
@dataclass(frozen=True, kw_only=True)
class BenchOptions:
    """Speeds of the standard flocks, in place of the self-test."""

    bench: Annotated[
        bool,
        Parameter(
            help="Time the standard flocks instead: boid-steps a second, medians of five. Takes "
            "about a minute; the first time some more, to compile."
        ),
    ] = False
    only: Annotated[
        tuple[str, ...],
        Parameter(help="Time only this standard flock; may be given several times."),
    ] = ()
    threads: Annotated[
        int | None, Parameter(help="Number of threads; 1 and all cores unless given.")
    ] = None
    engine: EngineName | None = None
    own: OwnOptions = field(default_factory=OwnOptions)
    json: Annotated[bool, Parameter(help="Print the results as JSON.")] = False

    @property
    def passed(self) -> list[str]:
        """The options that were passed, as on the command line."""
        values = passed_options(
            only=self.only, threads=self.threads, engine=self.engine, json=self.json
        )
        return [*(f"--{name}" for name in values), *own_words(self.own)]


def run_bench(options: BenchOptions) -> None:
    """Time the standard flocks, and print the speeds."""
    from murmurate.bench.flocks import select_flocks
    from murmurate.bench.timing import (
        default_thread_counts,
        describe_machine,
        machine_info,
        time_flock,
    )

    flocks, choice = select_flocks(options.only), chosen(options.engine or "cpu", options.own)
    counts = default_thread_counts() if options.threads is None else (options.threads,)
    status, results = console(errors=True), []
    for flock in flocks:
        status.print(f"{flock.name}: {flock.description} ...", style="dim")
        results += [time_flock(flock, count, choice) for count in counts]
    if options.json:
        _print_json(machine_info(), results)
    else:
        console().print(describe_machine(), style="dim", soft_wrap=True)
        _print_table(console(), results, counts)


def _print_table(out: Console, results: list[Timing], counts: tuple[int, ...]) -> None:
    from rich.text import Text

    from murmurate.cli.terminal import make_table

    heads = [f"{count} thread{'s' if count > 1 else ''}" for count in counts]
    table = make_table("flock", "what it is", *heads, numbers=len(counts))
    table.columns[0].no_wrap = True
    table.title, table.title_justify, table.title_style = (
        "million boid-steps/s",
        "right",
        "dim",
    )
    for name in dict.fromkeys(result.flock for result in results):
        own = [result for result in results if result.flock == name]
        speeds = [f"{result.boid_steps_per_second / 1e6:.2f}" for result in own]
        table.add_row(Text(name, "cyan"), own[0].description, *speeds)
    out.print(table)


def _print_json(machine: dict[str, Any], results: list[Timing]) -> None:
    import json
    from dataclasses import asdict

    flocks: dict[str, Any] = {}
    for result in results:
        record = asdict(result)
        name, threads = record.pop("flock"), str(record.pop("threads"))
        new = {"what": record["description"], "boids": record["boids"], "boid_steps_per_second": {}}
        entry = flocks.setdefault(name, new)
        entry["boid_steps_per_second"][threads] = record["boid_steps_per_second"]
    print_line(json.dumps({"machine": machine, "flocks": flocks}, indent=2))

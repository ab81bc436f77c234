"""murmurate doctor: list installed and missing parts, test them, or time standard flocks."""

from __future__ import annotations

import os
import platform
import sys
import textwrap
import warnings
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cyclopts import Group, Parameter

from murmurate.cli.engine_flags import OwnOptions, chosen, own_words
from murmurate.cli.options import EngineName
from murmurate.cli.resume import passed_words
from murmurate.cli.terminal import EXIT_FAILED, EXIT_OK, console, print_line
from murmurate.disk import file_sizes
from murmurate.errors import CommandError
from murmurate.version import __version__

if TYPE_CHECKING:
    from rich.console import Console

    from murmurate.bench.timing import Timing

WIDTH, MARGIN = 80, 12
SETTINGS = ("MURMURATE_", "NUMBA_", "OMP_", "BROWSER")  # prefixes of environment variables


def doctor(
    *,
    no_test: bool = False,
    timing: BenchOptions | None = None,
) -> int:
    """List what is installed and missing, and test it; or measure the speed of flocks.

    The self-test takes about ten seconds, and longer if nothing was compiled before. It ends with
    the speed, compared with the expected one. The exit code is 1 if a test fails. It is also 1,
    without a test, if a library is missing or broken.
    The output is made for bug reports; your home folder appears as ~.

    For instance:

        murmurate doctor
        murmurate doctor --bench --only standard --json

    Parameters
    ----------
    no_test
        Only list what is installed; compile and simulate nothing.
    """
    timing = timing or BenchOptions()
    if timing.bench:
        run_bench(timing)
        return EXIT_OK
    if timing.passed:
        raise CommandError(
            f"{', '.join(timing.passed)}: got it without --bench; expected both. Add --bench"
        )
    _print_program()
    usable = _print_libraries()
    _print_extras()
    if not usable:
        return EXIT_FAILED
    _print_machine()
    if no_test:
        return EXIT_OK
    if not _print_checks():
        return EXIT_FAILED
    _print_speeds()
    return EXIT_OK


def _print_entry(name: str, text: str) -> None:
    """Print a name in the margin, and a text that is wrapped beside it."""
    lines = textwrap.wrap(text, WIDTH - MARGIN, break_long_words=False, break_on_hyphens=False)
    for number, line in enumerate(lines or [""]):
        print_line(f"{name if number == 0 else '':{MARGIN}}{line}".rstrip())


def abbreviate_home(path: object) -> str:
    """Return a path with ~ for the home folder."""
    text, home = str(path), str(Path.home())
    return f"~{text[len(home) :]}" if text == home or text.startswith(home + os.sep) else text


def _print_program() -> None:
    from murmurate.doctor.installed import checkout_folder, package_folder

    checkout = checkout_folder()
    source = "from a checkout in" if checkout else "in"
    folder = abbreviate_home(checkout or package_folder())
    _print_entry("murmurate", f"{__version__}, {source} {folder}")
    _print_entry("Python", f"{platform.python_version()}, {abbreviate_home(sys.executable)}")
    _print_entry("system", platform.platform(terse=True))


def _print_machine() -> None:
    from murmurate.bench.timing import count_lanes, processor_name
    from murmurate.codegen.cache_folder import cache_folder
    from murmurate.engines.options import cores

    n_cores, usable = os.cpu_count() or 1, cores()
    limit = "" if usable == n_cores else f", {usable} of them for this process"
    _print_entry("processor", f"{processor_name()}")
    _print_entry("cores", f"{n_cores}{limit}; {count_lanes()} lanes of float32 each")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        folder = cache_folder()
    sizes, cache = file_sizes(folder), abbreviate_home(folder)
    for warning in caught:
        _print_entry("cache", abbreviate_home(warning.message))
    _print_entry("cache", f"{cache}: {len(sizes):,} files, {sum(sizes) / 1e6:,.0f} MB")
    _print_entry(
        "browser", _browser_name() or "none is known: watch and tour print addresses to open"
    )
    for name in sorted(os.environ):
        if name.startswith(SETTINGS):
            _print_entry("setting", f"{name}={abbreviate_home(os.environ[name])}")


def _browser_name() -> str:
    """Return the name of the browser that opens pages, or ''."""
    import webbrowser

    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return ""
    return str(getattr(browser, "name", "") or type(browser).__name__)


def _print_libraries() -> bool:
    """Print the required libraries. Return True if all are installed and can be imported."""
    from murmurate.doctor.installed import (
        LIBRARIES,
        find_broken,
        find_missing,
        install_command,
        installed_version,
    )

    missing, broken = find_missing(LIBRARIES), find_broken()
    versions = {name: installed_version(name) for name in ("llvmlite", *LIBRARIES)}
    listed = [f"{name}=={version}" for name, version in versions.items() if version]
    _print_entry("libraries", ", ".join(listed))
    for name, error in broken.items():
        if name not in missing:
            _print_entry("BROKEN", f"{name}: {error}")
    if missing:
        _print_entry("MISSING", ", ".join(missing))
    if missing or broken:
        _print_entry("", f"to mend it: {install_command([])}")
    return not missing and not broken


def _print_extras() -> None:
    from murmurate.doctor.installed import find_missing, install_command
    from murmurate.optional import INSTALLABLE

    incomplete = []
    for number, extra in enumerate(INSTALLABLE):
        missing = find_missing(extra.libraries)
        incomplete += [extra.name] if missing else []
        state = f"missing {', '.join(missing)}" if missing else "installed"
        _print_entry("" if number else "extras", f"{extra.name:10}{extra.features}: {state}")
    if incomplete:
        _print_entry("", f"to get what is missing: {install_command(incomplete)}")


def _print_checks() -> bool:
    """Run the self-test. Return True if all checks passed."""
    from murmurate.doctor.self_test import run_checks

    passed = True
    for check in run_checks():
        _print_entry(check.name, check.report if check.passed else f"FAILED: {check.report}")
        passed &= check.passed
    return passed


def _print_speeds() -> None:
    from murmurate.doctor.self_test import describe_source, measure_speeds

    much_slower = False
    for measured in measure_speeds():
        threads = "1 thread" if measured.threads == 1 else f"{measured.threads} threads"
        rate = f"{measured.speed / 1e6:.1f} million boid-steps a second"
        text = f"{measured.description}, {threads}: {rate}"
        if measured.comparison:
            than = "" if measured.comparison == "as expected" else " than expected"
            low, high = measured.expected.lowest / 1e6, measured.expected.highest / 1e6
            text += f", {measured.comparison}{than} ({low:.1f} to {high:.1f})"
        much_slower |= measured.comparison == "much slower"
        _print_entry("speed", text)
    _print_entry("", f"expected: {describe_source()}; other processors differ")
    if much_slower:
        _print_entry("", "much slower: do other programs run, or does the machine save power?")


# --- speed of the standard flocks


BENCH = Group("Speed of the standard flocks", sort_key=1)


@Parameter(name="*", group=BENCH)
@dataclass(frozen=True, kw_only=True)
class BenchOptions:
    """Speeds of the standard flocks, in place of the self-test.

    Parameters
    ----------
    bench
        Time the standard flocks instead: boid-steps a second, medians of five. Takes about a
        minute; the first time some more, to compile.
    only
        Time only this standard flock; may be given several times.
    threads
        Number of threads; 1 and all cores unless given.
    json
        Print the results as JSON.
    """

    bench: bool = False
    only: tuple[str, ...] = ()
    threads: int | None = None
    engine: EngineName | None = None
    own: OwnOptions = field(default_factory=OwnOptions)
    json: bool = False

    @property
    def passed(self) -> list[str]:
        """The options that were passed, as on the command line."""
        words = [word for word in passed_words(self) if word != "--bench"]
        return words + own_words(self.own)


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

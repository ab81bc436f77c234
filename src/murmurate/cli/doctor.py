"""murmurate doctor: what is installed and what is missing, the machine, and a self-test."""

from __future__ import annotations

import os
import platform
import sys
import textwrap
import warnings
from contextlib import suppress
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from murmurate.cli.terminal import EXIT_FAILED, EXIT_OK, print_line
from murmurate.version import __version__

WIDTH, MARGIN = 80, 12
SETTINGS = ("MURMURATE_", "NUMBA_", "OMP_", "BROWSER")  # how variables begin that matter here


def doctor(
    *,
    no_test: Annotated[
        bool, Parameter(help="Only say what is installed; compile and fly nothing.")
    ] = False,
) -> int:
    """Say what is installed, what is missing and how to get it, and test that it works.

    The self-test takes some ten seconds, and longer where nothing was compiled before. It ends with
    the speed beside what is expected. The exit code is 1 if a test failed, or if a library is
    missing or broken; then there is no test.
    All of it is to be pasted into a bug report; your home folder is written as ~.
    """
    _say_program()
    usable = _say_libraries()
    _say_extras()
    if not usable:
        return EXIT_FAILED
    _say_machine()
    if no_test:
        return EXIT_OK
    if not _say_checks():
        return EXIT_FAILED
    _say_speeds()
    return EXIT_OK


def _line(name: str, text: str) -> None:
    """A name in the margin, and its text, wrapped beside it."""
    said = textwrap.wrap(text, WIDTH - MARGIN, break_long_words=False, break_on_hyphens=False)
    for number, line in enumerate(said or [""]):
        print_line(f"{name if number == 0 else '':{MARGIN}}{line}".rstrip())


def _without_home(path: object) -> str:
    text, home = str(path), str(Path.home())
    return f"~{text[len(home) :]}" if text == home or text.startswith(home + os.sep) else text


def _say_program() -> None:
    from murmurate.doctor.installed import checkout, package_folder

    where = checkout()
    place = "from a checkout in" if where else "in"
    _line("murmurate", f"{__version__}, {place} {_without_home(where or package_folder())}")
    _line("Python", f"{platform.python_version()}, {_without_home(sys.executable)}")
    _line("system", platform.platform(terse=True))


def _say_machine() -> None:
    from murmurate.bench.machine import lanes, processor
    from murmurate.codegen.cache_folder import cache_folder
    from murmurate.engines.options import cores

    there, mine = os.cpu_count() or 1, cores()
    own = "" if mine == there else f", {mine} of them for this process"
    _line("processor", f"{processor()}")
    _line("cores", f"{there}{own}; {lanes()} lanes of float32 each")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        folder = cache_folder()
    kernels, size = _content(folder)
    for warning in said:
        _line("cache", _without_home(warning.message))
    _line("cache", f"{_without_home(folder)}: {kernels:,} files, {size / 1e6:,.0f} MB")
    _line("browser", _browser() or "none is known: watch and tour print addresses to open")
    for name in sorted(os.environ):
        if name.startswith(SETTINGS):
            _line("setting", f"{name}={_without_home(os.environ[name])}")


def _content(folder: Path) -> tuple[int, int]:
    """(files below a folder, their bytes)."""
    files = [Path(root, name) for root, _, names in os.walk(folder) for name in names]
    size = 0
    for file in files:
        with suppress(OSError):  # another process has removed it by now
            size += file.stat().st_size
    return len(files), size


def _browser() -> str:
    """What opens pages; '' where nothing does."""
    import webbrowser

    try:
        found = webbrowser.get()
    except webbrowser.Error:
        return ""
    return str(getattr(found, "name", "") or type(found).__name__)


def _say_libraries() -> bool:
    """Says what murmurate needs; whether all of it is there and can be used."""
    from murmurate.doctor.installed import LIBRARIES, broken, command_for, missing, version

    absent, useless = missing(LIBRARIES), broken()
    there = [f"{name}=={version(name)}" for name in ("llvmlite", *LIBRARIES) if version(name)]
    _line("libraries", ", ".join(there))
    for name, said in useless.items():
        if name not in absent:
            _line("BROKEN", f"{name}: {said}")
    if absent:
        _line("MISSING", ", ".join(absent))
    if absent or useless:
        _line("", f"to mend it: {command_for([])}")
    return not absent and not useless


def _say_extras() -> None:
    from murmurate.doctor.installed import EXTRAS, command_for, missing

    lacking = []
    for number, extra in enumerate(EXTRAS):
        absent = missing(extra.libraries)
        lacking += [extra.name] if absent else []
        state = f"missing {', '.join(absent)}" if absent else "installed"
        _line("" if number else "extras", f"{extra.name:10}{extra.gives}: {state}")
    if lacking:
        _line("", f"to get what is missing: {command_for(lacking)}")


def _say_checks() -> bool:
    """Runs the self-test; whether all passed."""
    from murmurate.doctor.self_test import checks

    good = True
    for check in checks():
        _line(check.what, check.said if check.passed else f"FAILED: {check.said}")
        good &= check.passed
    return good


def _say_speeds() -> None:
    from murmurate.doctor.expected_speed import source
    from murmurate.doctor.self_test import speeds

    slow = False
    for timed in speeds():
        threads = "1 thread" if timed.threads == 1 else f"{timed.threads} threads"
        said = f"{timed.what}, {threads}: {timed.speed / 1e6:.1f} million boid-steps a second"
        if timed.beside:
            than = "" if timed.beside == "as expected" else " than expected"
            known = f"{timed.lowest / 1e6:.1f} to {timed.highest / 1e6:.1f}"
            said += f", {timed.beside}{than} ({known})"
        slow |= timed.beside == "much slower"
        _line("speed", said)
    _line("", f"expected: {source()}; other processors differ")
    if slow:
        _line("", "much slower: do other programs run, or does the machine save power?")

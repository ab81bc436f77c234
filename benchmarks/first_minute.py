"""Where the first minute goes: from a command in a new installation to its film or live flock.

    python benchmarks/first_minute.py [--model starlings] [--json FILE]

Two processes write the same film, the first with empty caches of kernels. Seconds are of processor
time, and by the clock. 'rest' is simulation, drawing and encoding. Two more open a live
flock, until a client has its first frame.

A second table has the dependencies of the base installation: megabytes of each with the packages
that only it requires, as they are installed here, and milliseconds of its import.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from child_process import output
from live_client import Line
from result_file import Results, add_json_option

from murmurate.bench.timing import describe_machine

FILM = """
import json, sys, time
from contextlib import contextmanager

parts, begin = {}, (0.0, time.perf_counter())  # processor time counts from the process's start


def end(name):
    global begin
    now = time.process_time(), time.perf_counter()
    part = parts.setdefault(name, [0.0, 0.0])
    part[:] = [part[k] + now[k] - begin[k] for k in range(2)]
    begin = now


import murmurate.jit
import murmurate.runs.film
import murmurate.runs.simulation
import murmurate.show.film
from murmurate import activity, cli

end("imports")


@contextmanager
def listener(work):
    end("rest")
    yield
    end(work.text.partition(" (")[0] if work.text.startswith("Compiling") else "rest")


with activity.listening(listener):
    try:
        cli.main(sys.argv[1:])
    except SystemExit as stop:
        assert not stop.code, stop.code
end("rest")
print(json.dumps(parts))
"""
IMPORT = """
import sys, time
begin = time.process_time()
__import__(sys.argv[1])
print(1000 * (time.process_time() - begin))
"""
MODULES = {"pillow": "PIL", "scipy": "scipy.spatial", "starlette": "starlette.applications"}
Parts = dict[str, tuple[float, float]]


def film(model: str, cache: Path) -> Parts:
    """Return processor seconds and seconds by the clock of each part of a film."""
    caches = {"MURMURATE_CACHE": str(cache), "NUMBA_CACHE_DIR": str(cache / "numba")}
    command = ["film", model, "-o", cache / "film.mp4", "--force", "--quiet"]
    printed = output([sys.executable, "-c", FILM, *command], env={**os.environ, **caches})
    parts: Parts = json.loads(printed.splitlines()[-1])
    return {**parts, "all": tuple(map(sum, zip(*parts.values(), strict=True)))}


def watch(model: str, cache: Path) -> float:
    """Return the seconds from the command to the first frame of a live flock."""
    caches = {"MURMURATE_CACHE": str(cache), "NUMBA_CACHE_DIR": str(cache / "numba")}
    command = [sys.executable, "-m", "murmurate", "watch", model, "--no-open"]
    begin = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, **caches}
    ) as server:
        assert server.stdout is not None
        address = next(filter(None, (re.search(r"http://\S+", line) for line in server.stdout)))
        Line(address[0]).frame()
        seconds = time.perf_counter() - begin
        server.terminate()
    return seconds


def plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def required(package: str) -> list[str]:
    """Return the packages that a package requires here, without extras."""
    from packaging.requirements import Requirement

    texts = importlib.metadata.requires(package) or []
    requirements = [Requirement(text) for text in texts]
    return [
        plain(each.name)
        for each in requirements
        if each.marker is None or each.marker.evaluate({"extra": ""})
    ]


def with_required(packages: list[str]) -> set[str]:
    """Return packages with all that they require."""
    complete: set[str] = set()
    while packages:
        package, *packages = packages
        if package not in complete:
            complete.add(package)
            packages += required(package)
    return complete


def megabytes(packages: set[str]) -> float:
    files = [
        Path(str(file.locate()))
        for package in packages
        for file in importlib.metadata.files(package) or []
    ]
    return sum(file.stat().st_size for file in files if file.exists()) / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--model", default="starlings")
    add_json_option(parser)
    options = parser.parse_args()
    results = Results("first_minute", options.json)
    print(describe_machine())
    with tempfile.TemporaryDirectory() as cache:
        first, second = (film(options.model, Path(cache)) for _ in range(2))
    print("| part | first film: processor, s | clock, s | second film: processor, s | clock, s |")
    print("|---|---:|---:|---:|---:|")
    for name in first:
        times = [*first[name], *second.get(name, (0.0, 0.0))]
        print(f"| {name} | {' | '.join(f'{seconds:.1f}' for seconds in times)} |")
        for film_name, parts in (("first film", first), ("second film", second)):
            for kind, seconds in zip(("processor", "clock"), parts.get(name, ()), strict=False):
                results.add(f"{name}, {film_name}, {kind}", seconds, "s", "lower")
    with tempfile.TemporaryDirectory() as cache:
        for name in ("first", "second"):
            seconds = watch(options.model, Path(cache))
            print(f"{name} `murmurate watch {options.model}`: first frame after {seconds:.1f} s")
            results.add(f"watch, {name}, clock", seconds, "s", "lower")
    base = required("murmurate")
    everything = with_required(base)
    print("\n| dependency | MB with what only it requires | import, ms |\n|---|---:|---:|")
    for package in base:
        alone = everything - with_required([each for each in base if each != package])
        module = MODULES.get(package, package.replace("-", "_"))
        imported = float(output([sys.executable, "-c", IMPORT, module]))
        print(f"| {package} | {megabytes(alone):.1f} | {imported:.0f} |")
        results.add(f"{package}, size", megabytes(alone), "MB", "lower")
    print(f"| all, {len(everything)} packages | {megabytes(everything):.0f} | |")
    results.write()


if __name__ == "__main__":
    main()

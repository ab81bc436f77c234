"""Run pytest several times beside busy processes, and print how each run ended.

    python tests/under_load.py [--busy 6] [--runs 3] [--nice 0] [ARGUMENTS OF PYTEST ...]

    --busy  how many processes compute without a pause meanwhile
    --runs  how many times pytest runs
    --nice  by how much the busy processes yield to others (on Windows not at all)

What follows is handed to pytest: `python tests/under_load.py --runs 10` runs the whole default
suite ten times, `... -- -n 2 tests/live_view` some of it. Exit code 1 where any run failed.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUSY = """
import os, sys
if hasattr(os, "nice"):
    os.nice(int(sys.argv[1]))
parent = os.getppid()
while os.getppid() == parent:  # it ends with the process that started it
    for _ in range(1_000_000):
        pass
"""


def main() -> int:
    asked = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    asked.add_argument("--busy", type=int, default=6)
    asked.add_argument("--runs", type=int, default=3)
    asked.add_argument("--nice", type=int, default=0)
    asked.add_argument("pytest", nargs=argparse.REMAINDER)
    given = asked.parse_args()
    words = [word for word in given.pytest if word != "--"]
    command = [sys.executable, "-c", BUSY, str(given.nice)]
    busy = [subprocess.Popen(command) for _ in range(given.busy)]
    failed = 0
    try:
        for run in range(1, given.runs + 1):
            failed += not passes(run, words)
    finally:
        for process in busy:
            process.kill()
            process.wait()
    print(f"{given.runs - failed} of {given.runs} runs passed beside {given.busy} busy processes")
    return 1 if failed else 0


def passes(run: int, words: list[str]) -> bool:
    """Run pytest once, print how it ended, and what failed, and return whether all passed."""
    begin = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words], cwd=ROOT, env=dict(os.environ),
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    lines = done.stdout.splitlines()
    last = next((line for line in reversed(lines) if line.strip()), "nothing was printed")
    print(f"run {run}: exit code {done.returncode}, {time.monotonic() - begin:.0f} s: {last}")
    if done.returncode:
        print(done.stdout, flush=True)
    sys.stdout.flush()
    return done.returncode == 0


if __name__ == "__main__":
    sys.exit(main())

"""Runs cases of the fuzzer, one after another, and prints those that go wrong; exit code 1 if any.

    python tests/fuzz/run_cases.py KIND... [--seed 0] [--first 0] [--cases 100]

The case of a seed and a number is always the same: --first N --cases 1 runs it alone. A kind may
have a number of cases of its own, as in models=5.
"""

from __future__ import annotations

import argparse
import faulthandler
import importlib
import os
import shutil
import sys
import tempfile
import traceback
import warnings
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from guard import Guard

REPOSITORY = Path(__file__).resolve().parents[2]
for place in ("tests/support", "examples"):  # what tests share, and files of tracks
    sys.path.append(str(REPOSITORY / place))

from processes import CHILD_LIMIT  # noqa: E402

KINDS = {
    "commands": "command_lines",
    "models": "model_files",
    "folders": "damaged_folders",
    "tracks": "damaged_tracks",
    "messages": "live_messages",
    "headers": "lying_headers",
    "names": "kernel_names",
    "solids": "solid_scenes",
    "states": "fed_back_states",
}
MEMORY = 6 * 2**30  # bytes of addresses


def main() -> int:
    asked = argparse.ArgumentParser()
    asked.add_argument("kinds", nargs="+")
    asked.add_argument("--seed", default="0")
    asked.add_argument("--first", type=int, default=0)
    asked.add_argument("--cases", type=int, default=100)
    given = asked.parse_args()
    kinds = {kind: int(own or given.cases) for kind, _, own in map(parted, given.kinds)}
    if unknown := kinds.keys() - KINDS:
        asked.error(f"got {', '.join(unknown)}; expected some of {', '.join(KINDS)}")
    with tempfile.TemporaryDirectory(prefix="fuzz-") as name:
        home = Path(name).resolve()
        limited(home)
        from guard import audited

        alone()
        guards: list[Guard] = []
        audited(guards)
        failed = [
            run(home, guards, kind, given.seed, given.first, cases) for kind, cases in kinds.items()
        ]
    return 1 if any(failed) else 0


def parted(word: str) -> tuple[str, str, str]:
    return word.partition("=")


def run(home: Path, guards: list[Guard], kind: str, seed: str, first: int, cases: int) -> int:
    """Runs cases of a kind in folders below `home`; returns how many go wrong."""
    from guard import Fault, Guard

    from murmurate.codegen.cache_folder import cache_folder

    module = importlib.import_module(KINDS[kind])
    valid, folder = home / f"valid-{kind}", home / "case"
    valid.mkdir()
    with open(os.devnull, "w") as nowhere:
        shown, sys.stdout = sys.stdout, nowhere
        module.prepare(valid)
        sys.stdout = shown
    wrong = 0
    for number in range(first, first + cases):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        os.chdir(folder)
        faulthandler.dump_traceback_later(CHILD_LIMIT, exit=True)
        guard = Guard(folder, [home / "home", home / "drafts", cache_folder("kernels")])
        guards.append(guard)
        print(f"{kind} {number}", file=sys.stderr, flush=True)
        try:
            module.case(Random(f"{seed}:{kind}:{number}"), valid, guard)
            said = ""
        except Fault as fault:
            said = str(fault)
        except Exception:
            said = traceback.format_exc()
        guards.clear()
        if said:
            wrong += 1
            print(
                f"--- {kind}, seed {seed}, case {number}", *guard.done, said, sep="\n", flush=True
            )
    faulthandler.cancel_dump_traceback_later()
    os.chdir(home)
    return wrong


def limited(home: Path) -> None:
    """Memory has a limit, warnings are errors but for doubts about models, and what belongs to the
    user is out of reach."""
    from murmurate.model.warnings import ModelWarning

    faulthandler.enable()
    warnings.simplefilter("error")
    warnings.simplefilter("ignore", ModelWarning)  # random models may look wrong, and fly
    if sys.platform == "linux":
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    for name, part in (("HOME", "home"), ("XDG_CACHE_HOME", "home"), ("MPLCONFIGDIR", "home"),
                       ("TMPDIR", "drafts")):  # fmt: skip
        (home / part).mkdir(exist_ok=True)
        os.environ[name] = str(home / part)
    tempfile.tempdir = None


def alone() -> None:
    """Commands start no browser, no other process, and do not wait for Ctrl-C."""
    import webbrowser

    from murmurate.live_view.server import LiveView
    from murmurate.sweeps import workers

    webbrowser.open = lambda *_, **__: False  # type: ignore[assignment]
    LiveView.wait = lambda self: None  # type: ignore[method-assign]
    workers.Processes.outcomes = (  # type: ignore[method-assign]
        lambda self, tasks: map(workers.attempt, map(workers.for_another_process, tasks))
    )


if __name__ == "__main__":
    sys.exit(main())

"""Tests an installed murmurate from its command line and from Python, in an empty folder:

    python .ci/smoke.py VERSION

VERSION is the version that must be installed. Nothing of a clone is imported. The release workflow
runs this in a fresh environment on every system and with every Python.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

SMALL = ("--size", "160x90", "--quiet")
COMMANDS = {
    ("models",): "",
    ("film", "ucl", "--seconds", "0.5", *SMALL): "ucl.mp4",
    ("still", "ucl", "--at", "20", *SMALL): "ucl.png",
    ("page", "ucl", "--live", "--quiet"): "ucl.html",
    ("new", "ucl", "mine.toml"): "mine.toml",
    ("run", "mine.toml", "--steps", "20", "--quiet"): "",
    ("doctor", "--no-test"): "",
}
"""Words of a command -> the file that it writes."""
CODE = """
import murmurate as mm
sim = mm.Simulation(mm.load("ucl"), seed=1).step(10)
assert 0 <= mm.polarization(sim.frame["boids"]) <= 1
assert "site-packages" in mm.__file__, mm.__file__
"""


def main() -> int:
    (version,) = sys.argv[1:]
    program = [sys.executable, "-P", "-m", "murmurate"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        environment["MURMURATE_CACHE"] = str(folder / "kernels")

        def run(*words: str) -> str:
            print("$", *words, flush=True)
            done = subprocess.run(
                words, cwd=folder, env=environment, capture_output=True, text=True
            )
            if done.returncode:
                raise SystemExit(f"exit code {done.returncode}\n{done.stdout}{done.stderr}")
            return done.stdout

        installed = run(*program, "--version").strip()
        if installed not in (version, f"murmurate {version}"):
            raise SystemExit(f"murmurate --version: got {installed}; expected {version}")
        for words, file in COMMANDS.items():
            run(*program, *words)
            if file and not (folder / file).stat().st_size:
                raise SystemExit(f"{file}: got an empty file; expected the output of {words[0]}")
        run(sys.executable, "-P", "-c", CODE)
    print("murmurate", version, "works")
    return 0


if __name__ == "__main__":
    sys.exit(main())

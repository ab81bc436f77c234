"""Makes the documentation site, one folder that is opened from disk or put on any web server:

    pip install -e ".[docs]"
    python docs/make_site.py              # build/site/index.html
    python docs/make_site.py -o FOLDER
    python docs/make_site.py --force      # even if nothing has changed
    python docs/make_site.py --quick      # run no lesson, and make few live pages

Warnings are errors. If no file of the documentation and the program has changed since the site was
made, nothing is done. Otherwise all pages are read again, since any page may show what the program
says; live pages, compiled kernels and notebooks that were run are kept until they change. On Linux
the largest memory that all its processes had together is printed.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator
from importlib.metadata import distributions
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SOURCES = ("docs", "examples", "src", "benchmarks/README.md", "benchmarks/results/README.md")
SOURCES += ("README.md", "ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md", "pyproject.toml")
WRITTEN = ("docs/lessons/clear-view.*", "*.ipynb_checkpoints/*")  # while notebooks run
DIGEST = "made-from.txt"
"""A file of the site: the digest of what it was made from."""


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "build" / "site")
    parser.add_argument("--force", action="store_true", help="make it even if nothing has changed")
    parser.add_argument(
        "--quick", action="store_true",
        help="run no lesson, and make live pages of few flocks",
    )  # fmt: skip
    options = parser.parse_args()
    output = options.output.resolve()
    try:
        from sphinx.cmd.build import main as build
    except ModuleNotFoundError as error:
        print(
            f'the site: module {error.name} is not installed. Install it: pip install -e ".[docs]"',
            file=sys.stderr,
        )
        return 2
    made_from = output / DIGEST
    digest = digest_of(*SOURCES) + (" quick" if options.quick else "")
    if not options.force and made_from.exists() and made_from.read_text() == digest:
        print(f"{output / 'index.html'} is up to date (--force makes it again)")
        return 0
    made_from.unlink(missing_ok=True)
    memory = PeakMemory()
    with tempfile.TemporaryDirectory() as read, memory:
        words = ["-b", "html", "-W", "--keep-going", "-q", "-j", "auto", "-d", read]
        words += ["-t", "quick"] if options.quick else []
        code: int = build([*words, "-c", str(HERE / "site"), str(ROOT), str(output)])
    if code == 0:
        made_from.write_text(digest)
        print(f"wrote {output / 'index.html'}")
    if memory.peak:
        print(f"The largest memory was {memory.peak / 1e9:.2f} GB.")
    return code


class PeakMemory:
    """The largest memory of this process and all that it starts, while it is entered."""

    def __init__(self) -> None:
        self.peak = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._measure, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _measure(self) -> None:
        while not self._over.wait(0.5):
            self.peak = max(self.peak, sum(map(_memory, _family(os.getpid()))))


def _family(process: int) -> Iterator[int]:
    """Yield a process and all that it has started; only this one where there is no /proc."""
    yield process
    for tasks in Path(f"/proc/{process}/task").glob("*/children"):
        for child in _read(tasks).split():
            yield from _family(int(child))


def _memory(process: int) -> int:
    """Return the bytes of a process; shared ones are divided among those that share them."""
    for line in _read(Path(f"/proc/{process}/smaps_rollup")).splitlines():
        if line.startswith("Pss:"):
            return 1024 * int(line.split()[1])
    return 0


def _read(path: Path) -> str:
    """Return the text of a file; none if its process has ended."""
    try:
        return path.read_text()
    except OSError:
        return ""


def digest_of(*names: str) -> str:
    """Return a digest of files, of all files in folders, and of the installed versions.

    names  paths in the repository
    """
    digest = hashlib.sha256()
    for path in _files(names):
        digest.update(f"{path.relative_to(ROOT).as_posix()}\0".encode())
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    versions = sorted(f"{each.name} {each.version}" for each in distributions())
    digest.update("\n".join(versions).encode())
    return digest.hexdigest()


def _files(names: Iterable[str]) -> Iterator[Path]:
    """Yield the files, in a fixed order."""
    for name in names:
        path = ROOT / name
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            written = "__pycache__" in file.parts or any(map(file.match, WRITTEN))
            if file.is_file() and not written:
                yield file


if __name__ == "__main__":
    sys.exit(main())

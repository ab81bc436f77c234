"""Files that take long to make, stored in build/pages until the program or the documentation that
they are made from changes."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from make_site import digest_of

ROOT = Path(__file__).resolve().parents[3]
STORE = ROOT / "build" / "pages"


def stored(name: str, make: Callable[..., bytes], *arguments: object) -> bytes:
    """Return the content of a file; call `make` unless the present program has made it before.

    It is called in a process of its own: compilers keep 100 to 800 MB for each live page.
    """
    path = _folder() / name
    if not path.exists():
        with ProcessPoolExecutor(1, get_context("spawn")) as process:
            data = process.submit(make, *arguments).result()
        draft = path.with_suffix(".draft")
        draft.write_bytes(data)
        draft.replace(path)
    return path.read_bytes()


@cache
def _folder() -> Path:
    """Return the folder of the present program; those of others are removed."""
    folder = STORE / digest_of("src", "docs/symptoms", "pyproject.toml")[:24]
    for other in STORE.glob("*"):
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)
    folder.mkdir(parents=True, exist_ok=True)
    return folder

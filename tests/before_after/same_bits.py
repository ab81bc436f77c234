"""Whether two checkouts leave the same bits: both simulate models, each in processes of its own.

    python tests/before_after/same_bits.py OLD NEW [--only NAME ...] [--engines cpu slabs wasm]
        [--dtypes float32 float64] [--threads 1 3] [--steps 64] [--folder FOLDER]

Models are the published flocks, and the structures of tests/, in cells. It prints each run whose
states differ, and the largest difference; it exits with 1 if there is any. States are kept in
FOLDER, if one is given, and are not computed again: one checkout can be compared with many. A
checkout that has changed needs a new folder.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

import numpy as np
from checkouts import ran_in


def main() -> int:
    asked = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    asked.add_argument("old", help="a checkout")
    asked.add_argument("new", help="another")
    asked.add_argument("--only", nargs="*", default=[], help="models whose name holds one of these")
    asked.add_argument("--engines", nargs="*", default=["cpu", "slabs", "wasm"])
    asked.add_argument("--dtypes", nargs="*", default=["float32", "float64"])
    asked.add_argument("--threads", nargs="*", type=int, default=[1, 3])
    asked.add_argument("--steps", type=int, default=64)
    asked.add_argument("--folder", help="where states are kept")
    given = asked.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(given.folder or temporary).resolve()
        plan = {
            key: getattr(given, key) for key in ("only", "engines", "dtypes", "threads", "steps")
        }
        names: dict[str, set[str]] = {}
        for checkout in (given.old, given.new):
            its = folder / _folder_of(checkout)
            its.mkdir(parents=True, exist_ok=True)
            names[checkout] = set(
                ran_in(checkout, "states.py", str(its), json.dumps(plan)).split("\n")
            )
        runs = sorted((names[given.old] | names[given.new]) - {""})
        wrong = 0
        for name in runs:
            files = [folder / _folder_of(c) / f"{name}.npz" for c in (given.old, given.new)]
            found = difference(*files)
            wrong += bool(found)
            if found:
                print(f"{name}: {found}", flush=True)
    print(f"{wrong} of {len(runs)} runs differ")
    return 1 if wrong or not runs else 0


def _folder_of(checkout: str) -> str:
    return str(Path(checkout).resolve()).strip("/").replace("/", "-")


def difference(one: Path, other: Path) -> str:
    """Return how the states in two files differ; nothing where they are the same bit for bit."""
    if not one.exists() or not other.exists():
        return f"only in {'the old' if one.exists() else 'the new'} checkout"
    first, second = np.load(one), np.load(other)
    if set(first.files) != set(second.files):
        return f"arrays {sorted(first.files)} and {sorted(second.files)}"
    wrong = []
    for name in sorted(first.files):
        a, b = first[name], second[name]
        if a.dtype != b.dtype or a.shape != b.shape:
            wrong.append(f"{name} {a.dtype} {a.shape} and {b.dtype} {b.shape}")
        elif a.tobytes() != b.tobytes():
            far = np.abs(a.astype(float) - b.astype(float)).max()
            wrong.append(f"{name} by up to {far:.3g}")
    return ", ".join(wrong)


if __name__ == "__main__":
    sys.exit(main())

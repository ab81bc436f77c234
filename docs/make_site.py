"""Makes the documentation site, one folder that is opened from disk or put on any web server:

    pip install -e ".[docs]"
    python docs/make_site.py              # build/site/index.html
    python docs/make_site.py -o FOLDER

Warnings are errors. All pages are read again each time, in less than a minute; compiled kernels and
notebooks that were run are kept until they change.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "build" / "site")
    output = parser.parse_args().output.resolve()
    try:
        from sphinx.cmd.build import main as build
    except ModuleNotFoundError as error:
        print(
            f'the site: module {error.name} is not installed. Install it: pip install -e ".[docs]"',
            file=sys.stderr,
        )
        return 2
    with tempfile.TemporaryDirectory() as read:
        words = ["-b", "html", "-W", "--keep-going", "-q", "-j", "auto", "-d", read]
        code: int = build([*words, "-c", str(HERE / "site"), str(ROOT), str(output)])
    if code == 0:
        print(f"wrote {output / 'index.html'}")
    return code


if __name__ == "__main__":
    sys.exit(main())

"""Makes the documentation site, one folder that is opened from disk or put on any web server:

    pip install -e ".[docs]"
    python docs/make_site.py              # build/site/index.html
    python docs/make_site.py -o FOLDER

Warnings are errors. What is built already is built again where it has changed.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, default=ROOT / "build" / "site")
    output = parser.parse_args().output.resolve()
    try:
        from sphinx.cmd.build import main as build
    except ModuleNotFoundError:
        print('Sphinx is not installed: pip install -e ".[docs]"', file=sys.stderr)
        return 2
    kept = output.parent / f"{output.name}-doctrees"
    words = ["-b", "html", "-W", "--keep-going", "-q", "-j", "auto", "-d", str(kept)]
    code: int = build([*words, "-c", str(HERE / "site"), str(ROOT), str(output)])
    if code == 0:
        print(f"wrote {output / 'index.html'}")
    return code


if __name__ == "__main__":
    sys.exit(main())

"""Sets the version of the next release in every file that has it:

    python .ci/set_version.py 0.5.0

`src/murmurate/version.py` is the source. CITATION.cff and the recipe for conda repeat it, because
others read these files without running Python. The changelog's entry "Unreleased" gets the version,
and so do new names in the list of public names.
"""

from __future__ import annotations

import datetime
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
RELEASED = f'date-released: "{datetime.date.today()}"\n'
PLACES = {
    "src/murmurate/version.py": (r'^__version__ = ".*"$', '__version__ = "{}"'),
    "CITATION.cff": (r"^version: .*\n(date-released: .*\n)?", "version: {}\n" + RELEASED),
    "recipe/recipe.yaml": (r'^  version: ".*"$', '  version: "{}"'),
    "CHANGELOG.md": (r"^## Unreleased$", "## {}"),
    "docs/public-names.txt": (r" next$", " {}"),
}
"""File -> the line with the version, and its new text: one line, but in the list of public names
one for each that is new since the last release."""


def main() -> int:
    (version,) = sys.argv[1:]
    if not re.fullmatch(r"\d+\.\d+\.\d+", version):
        raise SystemExit(f"{version}: got another form; expected a version such as 0.5.0")
    changed = {}
    for name, (pattern, line) in PLACES.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        changed[name], count = re.subn(pattern, line.format(version), text, flags=re.MULTILINE)
        if count != 1 and not name.endswith(".txt"):
            raise SystemExit(f"{name}: got {count} lines such as {pattern}; expected one")
    for name, text in changed.items():
        (ROOT / name).write_text(text, encoding="utf-8", newline="\n")
    print(f"version {version}: {', '.join(changed)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

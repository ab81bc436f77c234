"""The code blocks of a page, and the marker that says how a block is tested.

A marker is an HTML comment on the line before a block, so that readers do not see it:

    <!-- test: file mine.toml -->      keep the block as this file for the blocks that follow
    <!-- test: raises ModelError -->   the block (Python or TOML) must raise this
    <!-- test: exit 2 -->              the last command must end with this exit code
    <!-- test: output -->              the block is what the block before it printed or raised;
                                       '...' in it stands for anything
    <!-- test: example -->             not code: a picture of what something looks like
    <!-- test: notebook -->            run in a notebook's kernel only
    <!-- test: skip -->                not run; in README.md and CONTRIBUTING.md only
    <!-- test: adds src/a.py -->       the block is a new file of a copy of the repository
    <!-- test: changes src/b.py -->    the block is a diff of a file of that copy
    <!-- test: checkout -->            the commands run in that copy, with its package
    <!-- test:                         run these commands instead, one for each command of the
    murmurate film ucl --steps 10      block; each must be the same command, with at least the
    -->                                same options, made shorter by more of them

Without one, commands and Python are run, and TOML is read as a model or as a part of one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PAGES += sorted((ROOT / "docs" / "measures").glob("*.md"))
PAGES += sorted((ROOT / "docs" / "coming-from").glob("*.md"))
PAGES += sorted((ROOT / "docs" / "lessons").glob("*.md"))

BLOCK = re.compile(
    r"^(?:<!-- test:(?P<marker>.*?)-->\n)?```(?P<language>[^\n]*)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)


@dataclass(frozen=True)
class Block:
    """A code block: its language, its text, and what its marker says."""

    page: Path
    line: int
    language: str
    text: str
    marker: str

    @property
    def where(self) -> str:
        return f"{self.page.relative_to(ROOT)}, line {self.line}"

    def argument(self, word: str) -> str:
        """What follows a word of the marker: 'mine.toml' of 'file mine.toml'."""
        first, _, rest = self.marker.partition(" ")
        return rest.strip() if first == word else ""

    @property
    def replacement(self) -> list[str]:
        """The commands to run instead."""
        lines = [line.strip() for line in self.marker.splitlines() if line.strip()]
        return lines if lines and lines[0].startswith("murmurate") else []


def blocks(page: Path) -> list[Block]:
    """The code blocks of a page, in order."""
    text = page.read_text(encoding="utf-8")
    found = []
    for match in BLOCK.finditer(text):
        line = text.count("\n", 0, match.start("language")) + 1
        marker = (match["marker"] or "").strip()
        found.append(Block(page, line, match["language"].strip(), match["text"], marker))
    return found


def commands(text: str) -> list[str]:
    """The commands of a block: without prompts, comments and what they print."""
    lines = text.splitlines()
    if any(line.startswith("$ ") for line in lines):
        lines = [line[2:] for line in lines if line.startswith("$ ")]
    lines = [re.sub(r"\s+#.*", "", line).strip() for line in lines]
    return [line for line in lines if line and not line.startswith("#")]

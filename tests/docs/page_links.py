"""Where the links of a text lead: to files of the repository, and to headings in them."""

from __future__ import annotations

import re
import sys
from functools import cache
from pathlib import Path

from page_blocks import ROOT

sys.path.insert(0, str(ROOT / "docs"))

import make_reference

REFERENCE = ROOT / "docs" / "reference.md"
"""The site builds this page: links lead to headings of its full text."""


def assert_links_lead_somewhere(text: str, page: Path) -> None:
    """Every link of a page's text that is not to the web is to a file or heading that is there."""
    for target in re.findall(r"\]\(([^)]+)\)", text):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, heading = target.partition("#")
        path = (page.parent / file) if file else page
        assert path.exists(), target
        if heading and path.suffix == ".md":
            assert heading in headings(path), target


def headings(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```$", "", _text_of(page.resolve()), flags=re.M | re.S)
    found: set[str] = set()
    for title in re.findall(r"^#+ (.+)$", text, re.MULTILINE):
        anchor = re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-")
        number, name = 1, anchor
        while name in found:
            name, number = f"{anchor}-{number}", number + 1
        found.add(name)
    return found


@cache
def _text_of(page: Path) -> str:
    return make_reference.page() if page == REFERENCE else page.read_text(encoding="utf-8")

"""Every code block of README.md, CONTRIBUTING.md and of the pages in docs runs."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from page_blocks import PAGES, ROOT, blocks
from page_links import assert_links_lead_somewhere
from page_runner import Runner

from cases import cases

IN_A_KERNEL = ("README", "notebook")
"""Pages that test_docs_in_a_kernel.py runs."""
FEWER = {
    "interactions": {
        "range(600)": "range(200)", "range(150)": "range(60)", "range(500)": "range(200)",
    },
}  # fmt: skip
"""Pages that would take long, and smaller numbers."""
RUN = [page for page in PAGES if blocks(page) and page.stem not in IN_A_KERNEL]


@pytest.mark.slow
@pytest.mark.parametrize("page", RUN, ids=[page.stem for page in RUN])
def test_the_blocks_of_a_page_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    runner, fewer = Runner(tmp_path), FEWER.get(page.stem, {})
    for number in fewer:
        assert number in page.read_text(encoding="utf-8")
    for block in blocks(page):
        text = block.text
        for number, smaller in fewer.items():
            text = text.replace(number, smaller)
        try:
            runner.run(replace(block, text=text))
        except Exception as error:
            error.add_note(f"in {block.where}")
            raise


@cases("page", PAGES)
def test_every_fence_is_understood(page):
    """A block that blocks() does not find would never be tested."""
    fences = re.findall(r"^ *```", page.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(fences) == 2 * len(blocks(page))


def test_only_pages_about_installing_skip():
    skipping = {
        block.page.name for page in PAGES for block in blocks(page) if block.marker == "skip"
    }
    assert skipping <= {"README.md", "CONTRIBUTING.md"}


def test_every_page_is_linked_from_the_index():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    docs = ROOT / "docs"
    pages = {page.name for page in docs.glob("*.md")} - {"index.md"}
    pages |= {f"coming-from/{page.name}" for page in (docs / "coming-from").glob("*.md")}
    assert pages == {p for p in re.findall(r"\]\(((?:coming-from/)?[\w-]+\.md)\)", index)}


@cases("page", PAGES)
def test_links_lead_somewhere(page):
    """Links to other files of the repository, and to headings."""
    assert_links_lead_somewhere(page.read_text(encoding="utf-8"), page)

"""docs/public-names.txt is what docs/make_public_names.py finds in this checkout."""

from __future__ import annotations

import re
import sys

import pytest
from page_blocks import ROOT

sys.path.insert(0, str(ROOT / "docs"))

from make_public_names import LIST, text_of_list, version_of_new_names

pytestmark = pytest.mark.slow
REMEDY = "run python docs/make_public_names.py, and read what it added or removed"


def test_the_list_of_public_names_is_that_of_the_code() -> None:
    listed = LIST.read_text("utf-8")
    assert text_of_list(listed).splitlines() == listed.splitlines(), REMEDY


def test_names_keep_the_version_that_first_promised_them() -> None:
    listed = LIST.read_text("utf-8")
    old = re.sub(r"^(command +film +)\S+$", r"\g<1>1.0.1", listed, flags=re.MULTILINE)
    assert old != listed and text_of_list(old).splitlines() == old.splitlines(), REMEDY
    fewer = "".join(line for line in old.splitlines(True) if not line.startswith("command"))
    of_command = re.compile(r"^(command .*) \S+$", re.MULTILINE)
    assert text_of_list(fewer) == of_command.sub(rf"\1 {version_of_new_names()}", listed)


@pytest.mark.parametrize(("version", "new"), [("0.4.0", "1.0.0"), ("1.0.0", "next")])
def test_what_is_new_after_a_release_belongs_to_the_next(version: str, new: str) -> None:
    assert version_of_new_names(version) == new

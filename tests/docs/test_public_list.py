"""docs/public-names.txt is what docs/make_public_names.py finds in this checkout."""

from __future__ import annotations

import re
import sys

import pytest
from page_blocks import ROOT

sys.path.insert(0, str(ROOT / "docs"))

from make_public_names import LIST, text_of_list

pytestmark = pytest.mark.slow
REMEDY = "run python docs/make_public_names.py, and read what it added or removed"


def test_the_list_of_public_names_is_that_of_the_code() -> None:
    listed = LIST.read_text("utf-8")
    assert text_of_list(listed).splitlines() == listed.splitlines(), REMEDY


def test_names_keep_the_version_that_first_promised_them() -> None:
    listed = LIST.read_text("utf-8")
    old = re.sub(r"^(command +film +)\S+$", r"\g<1>1.0.1", listed, flags=re.MULTILINE)
    assert old != listed and text_of_list(old) == old
    fewer = "".join(line for line in old.splitlines(True) if not line.startswith("command"))
    assert text_of_list(fewer).splitlines() == listed.splitlines()

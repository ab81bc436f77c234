"""The viewer's types are written from those in Python, and scenes have them."""

from __future__ import annotations

import json
import runpy

import pytest
from conftest_live import MESSAGE

import murmurate as mm
from cases import cases
from murmurate.live_view import Session
from murmurate.live_view.messages import encode
from node_packages import VIEWER, node_package

CONTRACTS = runpy.run_path(str(VIEWER / "contracts.py"))
WRITTEN = CONTRACTS["TARGET"].read_text(encoding="utf-8")


def test_the_viewers_types_are_those_in_python():
    digest = CONTRACTS["digest"](CONTRACTS["contract_schema"]())
    assert f"Schema {digest}." in WRITTEN, "npm run contracts in viewer/"


@pytest.mark.slow
def test_the_viewers_types_are_what_the_script_writes():
    package = node_package("json-schema-to-typescript")
    assert CONTRACTS["declarations"](CONTRACTS["contract_schema"](), package) == WRITTEN


@cases("name", ["parker-perch", "reynolds-1987", "river", "swarmalators"])
def test_scenes_have_the_types(name):
    scene = Session(mm.load(name)).scene()
    MESSAGE.validate_python((json.loads(encode(scene)),))

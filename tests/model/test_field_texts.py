"""Descriptions of fields: the texts below them in the source, read on request."""

from __future__ import annotations

import linecache
import subprocess
import sys
from pathlib import Path

import pytest

import murmurate as mm
from murmurate.model.registry import RULES

TEXT = '''
import murmurate as mm

class DescribedDrift(mm.Rule):
    """Drifts."""

    push: mm.Scalar = mm.quantity(0.1)
    """How much
    it drifts."""
    limit: mm.Scalar = 3.0
    weight: mm.Scalar = 2.0
    """Its own weight."""

    def alone(self, me):
        return self.push, 0.0, 0.0
'''


def described(cls: type[mm.Rule]) -> dict[str, str]:
    properties = cls.model_json_schema()["properties"]
    return {
        name: properties[name].get("description", "")
        for name in ("push", "limit", "weight", "stage")
    }


def test_descriptions_of_a_users_rule(tmp_path: Path) -> None:
    """Inherited fields have the texts of the base class, and redeclared ones those of the rule."""
    file = tmp_path / "drift.py"
    file.write_text(TEXT)
    mm.load_rules(file)
    drift = RULES["described-drift"]
    base = mm.Rule.model_json_schema()["properties"]["stage"]["description"]
    expected = {"push": "How much\nit drifts.", "limit": "", "weight": "Its own weight."}
    assert described(drift) == expected | {"stage": base} and base.startswith("Rules of a later")


def test_a_changed_file_gives_no_description(tmp_path: Path) -> None:
    file = tmp_path / "drift.py"
    file.write_text(TEXT)
    mm.load_rules(file)
    drift = RULES["described-drift"]
    for text in ("", '"""', TEXT.replace("class DescribedDrift", "class Other")):
        file.write_text(text)
        linecache.checkcache(str(file))
        assert described(drift)["push"] == ""


@pytest.mark.slow
def test_a_class_without_a_file_has_a_schema() -> None:
    subprocess.run(
        [sys.executable, "-c", f"{TEXT}\nDescribedDrift.model_json_schema()"], check=True
    )

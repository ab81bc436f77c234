"""The texts below the fields of rules: what sliders say of them, read from the file when asked."""

from __future__ import annotations

import linecache
import subprocess
import sys
from pathlib import Path

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
    found = cls.model_json_schema()["properties"]
    return {
        name: found[name].get("description", "") for name in ("push", "limit", "weight", "stage")
    }


def test_of_a_rule_of_ones_own(tmp_path: Path) -> None:
    """Those of fields that it has from its base are the base's; what it says again is its own."""
    file = tmp_path / "drift.py"
    file.write_text(TEXT)
    mm.load_rules(file)
    drift = RULES["described-drift"]
    base = mm.Rule.model_json_schema()["properties"]["stage"]["description"]
    wanted = {"push": "How much\nit drifts.", "limit": "", "weight": "Its own weight."}
    assert described(drift) == wanted | {"stage": base} and base.startswith("Rules of a later")


def test_of_a_file_that_is_another_by_now(tmp_path: Path) -> None:
    file = tmp_path / "drift.py"
    file.write_text(TEXT)
    mm.load_rules(file)
    drift = RULES["described-drift"]
    for text in ("", '"""', TEXT.replace("class DescribedDrift", "class Other")):
        file.write_text(text)
        linecache.checkcache(str(file))
        assert described(drift)["push"] == ""


def test_in_an_interpreter_without_files() -> None:
    subprocess.run(
        [sys.executable, "-c", f"{TEXT}\nDescribedDrift.model_json_schema()"], check=True
    )

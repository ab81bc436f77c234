"""The Python of README.md, CONTRIBUTING.md and docs has no type errors with `mypy --strict`, nor
has a user's program. One run of mypy reads all."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from page_blocks import PAGES, ROOT, Block, blocks

UNCHECKED = ("skip", "example")
"""Markers of blocks that are not programs."""
STRICT = """\
strict_equality = true
disallow_any_generics = true
disallow_subclassing_any = true
disallow_untyped_decorators = true
warn_unused_ignores = true
warn_return_any = true
implicit_reexport = false
extra_checks = true
"""
"""What `mypy --strict` asks of a module, but what follows."""
UNTYPED = ("disallow_untyped_defs", "disallow_incomplete_defs", "disallow_untyped_calls",
           "check_untyped_defs")  # fmt: skip
"""Methods of rules are compiled. They have no annotations: their arguments are numbers and vectors
of the rule language."""
OTHERS = """
[[tool.mypy.overrides]]
module = ["ase.*", "pygltflib.*"]
ignore_missing_imports = true
follow_imports = "skip"
"""
"""The types of other packages are not tested here."""
USER = '''
"""A program of a user's."""

import murmurate as mm
from murmurate import Simulation, load


class Drift(mm.Rule):
    """A rule of one's own."""

    push: mm.Scalar = mm.quantity(0.1, unit="speed/time")

    def alone(self, me: object) -> tuple[float, float, float]:
        return 0.1, 0.0, 0.0


model: mm.Model = load("ucl").set({"flocks.boids.count": 20})
simulation: Simulation = mm.Simulation(model, seed=1)
frame: mm.Frame = simulation.step(3).frame
order: float = mm.polarization(frame["boids"])
curve: mm.measures.Curve = mm.measures.pair_correlation(frame["boids"])
table: mm.MeasureTable = mm.measure(model, ["polarization"], mm.RunSpec(steps=20))
recording: mm.Recording = mm.open("flock.zarr")
text: str = mm.to_toml(model)
'''


def is_program(block: Block) -> bool:
    """Return whether a block is Python that runs with the blocks before it."""
    new_file = block.argument("adds") or block.argument("changes")
    return block.language == "python" and block.marker not in UNCHECKED and not new_file


def program_of(page: Path) -> str:
    """Return the Python of a page as one program. Its lines have the numbers of the page."""
    text = ""
    for block in filter(is_program, blocks(page)):
        text += "\n" * (block.line - text.count("\n")) + block.text
    return text


def config_of(programs: dict[str, str]) -> str:
    """Return the settings of the package, so that mypy reads its types as `mypy` has stored them,
    and strict ones of programs."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8") + OTHERS
    users = {name for name in programs if name.startswith("user")}
    for names in (users, programs.keys() - users):
        modules = sorted(name.removesuffix(".py") for name in names)
        typed = "".join(f"{option} = {str(names == users).lower()}\n" for option in UNTYPED)
        text += f"\n[[tool.mypy.overrides]]\nmodule = {modules}\n{STRICT}{typed}"
    return text


def check_types(folder: Path, programs: dict[str, str]) -> str:
    """Return what mypy reports about programs, whose names it prints without the folder."""
    (folder / "mypy.toml").write_text(config_of(programs), encoding="utf-8")
    for name, text in programs.items():
        (folder / name).write_text(text, encoding="utf-8")
    words = [sys.executable, "-m", "mypy", f"--config-file={folder / 'mypy.toml'}"]
    words += ["--no-error-summary", "--warn-redundant-casts"]
    done = subprocess.run(
        [*words, *(str(folder / name) for name in programs)], cwd=ROOT,
        env={**os.environ, "MYPYPATH": "src"}, capture_output=True, text=True,
    )  # fmt: skip
    return re.sub(rf"^.*{re.escape(folder.name)}/", "", done.stdout, flags=re.M) + done.stderr


def test_programs_of_pages_have_no_type_errors(tmp_path: Path) -> None:
    programs = {}
    for page in PAGES:
        name = "_".join(page.with_suffix("").parts[-2:]).replace("-", "_")
        if text := program_of(page):
            programs[f"page_{name}.py"] = text
    assert len(programs) > 90
    programs["user.py"] = USER
    programs["user_wrong.py"] = USER + "mm.Simulation(model, sed=1)\n"
    programs["page_wrong.py"] = "import murmurate as mm\n\nmm.film(3.5)\n"
    report = check_types(tmp_path, programs).splitlines()
    wrong = ("page_wrong.py:3:", f"user_wrong.py:{USER.count(chr(10)) + 1}:")
    assert all(line.startswith(wrong) for line in report), "\n".join(report)
    assert any(line.startswith(wrong[0]) for line in report)
    assert any('Unexpected keyword argument "sed"' in line for line in report)

"""The text of kernels is one that a person can read, and calls nothing by position."""

from __future__ import annotations

import ast
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest

import murmurate as mm
from murmurate.codegen import code_digest
from murmurate.codegen.arguments import ARGUMENTS, BY_NAME, OFFSETS, WORDS
from murmurate.codegen.layout import lay_out
from murmurate.codegen.module_text import functions_module, functions_text, kernel_text
from murmurate.codegen.planner import make_plan
from murmurate.codegen.templates import EMPTY, block, tidy
from murmurate.engines.cpu.thresholds import CpuThresholds, cpu_layout
from processes import ran_well


def texts(name: str) -> list[str]:
    """Return the kernels of a model, in all pairs and in cells."""
    plan = make_plan(mm.load(name))
    sizes = (CpuThresholds(10**9, 10**9, 10**9), CpuThresholds(0, 0, covered=1.0))
    return [kernel_text(plan, "float32", lay_out(plan, size)) for size in sizes]


READ_QUICKLY = ("starlings", "parker", "vasarhelyi-2018", "vicsek-1995", "sort-sol")


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=() if name in READ_QUICKLY else pytest.mark.slow)
        for name in sorted(mm.zoo())
    ],
)
def test_kernels_of_the_zoo_can_be_read(name: str) -> None:
    for text in texts(name):
        tree = ast.parse(text)
        assert max(map(len, text.splitlines())) <= 99
        kernels = [
            node
            for node in tree.body
            if isinstance(node, ast.FunctionDef)
            and any(ast.unparse(how) in ("kernel", "wide_kernel") for how in node.decorator_list)
        ]
        assert kernels
        for kernel in kernels:
            assert [argument.arg for argument in kernel.args.args] == ["table"]
            assert ast.unparse(kernel).count("# ") == 0  # comments are not code
        # numbers of the model have names
        assert not re.search(r"\bnumbers\[\d", text)
        assert re.search(r"\bnumbers\[[A-Z]", text)
        # every name that stands for a place is defined once, and used
        for line in re.findall(r"(?m)^([A-Z][A-Z0-9_]*) = \d+$", text):
            assert len(re.findall(rf"(?m)^{line} = ", text)) == 1
            assert len(re.findall(rf"\b{line}\b", text)) > 1
        assert EMPTY not in text


def test_kernels_have_comments_and_say_what_arguments_are() -> None:
    for text in texts("starlings"):
        for kernel in re.split(r"(?m)^@", text):
            if re.match(r"(?:wide_)?kernel\b", kernel):
                assert len(re.findall(r"(?m)^ +# ", kernel)) >= 3
        comments = " ".join(re.sub(r"\n *# ", " ", text).split())
        for name in re.findall(r"(?m)^    (\w+) = array\d\(", text):
            assert BY_NAME[name].about in comments


def test_cells_pay_earlier_for_the_k_nearest() -> None:
    model = mm.load("starlings")
    for boids, gridded in ((100, ()), (400, ("boids",))):
        plan = make_plan(model.set({"flocks.boids.count": boids}))
        assert cpu_layout(plan).gridded == gridded
    for boids, gridded in ((140, ()), (400, ("boids",))):
        plan = make_plan(mm.load("ucl").set({"flocks.boids.count": boids}))
        assert cpu_layout(plan).gridded == gridded


def test_cells_that_cover_most_of_the_space_leave_out_nobody() -> None:
    """Few cells a side: sooner in 3-D, and where boids take turns; not where a face is open, nor
    for the k nearest, whose cells follow the density."""
    model = mm.load("agentpy-3d").set({"flocks.boids.count": 5000})
    for changes, gridded in (
        ({}, True),
        ({"rules.cohesion.radius": 15.0}, False),
        ({"rules.cohesion.radius": 15.0, "order": "synchronous"}, True),
        ({"rules.cohesion.radius": 16.0, "order": "synchronous"}, False),
        ({"rules.cohesion.radius": 15.0, "space.boundary": ["open", "held", "held"]}, True),
        ({"rules.cohesion.radius": 15.0, "rules.cohesion.nearest": 7}, True),
    ):
        assert bool(cpu_layout(make_plan(model.set(changes))).gridded) == gridded, changes


def test_words_of_the_table_do_not_overlap() -> None:
    inputs = [
        word
        for argument in ARGUMENTS
        for word in range(OFFSETS[argument.name], OFFSETS[argument.name] + argument.words)
    ]
    assert sorted(inputs) == list(range(WORDS))
    assert len({argument.name for argument in ARGUMENTS}) == len(ARGUMENTS)


def test_long_lines_break_within_brackets() -> None:
    line = "    x = one(" + ", ".join(f"argument_{k}" for k in range(20)) + ")  # the first of them"
    broken = tidy(line)
    assert max(map(len, broken.splitlines())) <= 99
    assert ast.dump(ast.parse("if x:\n" + broken)) == ast.dump(ast.parse(f"if x:\n{line}"))
    assert broken.startswith("    # the first of them\n")


def test_blocks_stand_at_their_indentation_and_empty_ones_leave_no_line() -> None:
    filled, empty = block("a = 1\n\nb = 2\n"), block("")
    assert tidy(f"if x:\n    {filled}\n    {empty}\nc = 3\n") == (
        "if x:\n    a = 1\n    b = 2\nc = 3\n"
    )


@pytest.mark.slow
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_shared_functions_have_one_name_in_every_process(dtype: str) -> None:
    """Else they would be compiled for each process; the name says what is in them."""
    code = (
        "from murmurate.codegen.module_text import functions_module; "
        f"print(functions_module({dtype!r}))"
    )
    for seed in ("1", "2"):
        output = ran_well(sys.executable, "-c", code, env={**os.environ, "PYTHONHASHSEED": seed})
        assert output.strip() == functions_module(dtype)
    ast.parse(functions_text(dtype))


@pytest.mark.parametrize(
    ("module", "name", "value"),
    [("obstacle_shapes", "SKIN", 2e-5), ("module_text", "INLINED", set())],
)
def test_the_name_of_shared_functions_changes_with_what_they_do(
    module: str, name: str, value: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And with how they are compiled."""
    from murmurate.codegen import module_text

    original = module_text._functions_text
    before = original("float32", "cpu")
    module_text._functions_code.cache_clear()
    monkeypatch.setattr(f"murmurate.codegen.{module}.{name}", value)
    try:
        assert original("float32", "cpu") != before
    finally:
        module_text._functions_code.cache_clear()


def test_kept_text_of_shared_functions_is_made_again_after_a_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever source file of the packages that it is made from changes, appears or disappears."""
    for folder in code_digest.SOURCES:
        (tmp_path / folder / "templates").mkdir(parents=True)
        (tmp_path / folder / "one.py").write_text("a = 1\n")
        (tmp_path / folder / "templates" / "page.py.j2").write_text("{{ a }}\n")
    (tmp_path / "errors.py").write_text("")
    monkeypatch.setattr(code_digest, "PACKAGE", tmp_path)
    digest = code_digest.package_digest.__wrapped__
    seen = {digest()}
    for file in sorted(tmp_path.rglob("*.*")):
        file.write_text(file.read_text() + "# changed\n")
        seen.add(digest())
    (tmp_path / "model" / "two.py").write_text("")
    seen.add(digest())
    (tmp_path / "rules" / "one.py").unlink()
    seen.add(digest())
    assert len(seen) == 1 + (2 * len(code_digest.SOURCES) + 1) + 2


@pytest.mark.slow
def test_texts_of_kernels_are_made_from_those_packages_alone() -> None:
    """Else a change elsewhere would not be noticed."""
    code = "import murmurate.codegen.module_text, sys; print(*sys.modules)"
    modules = set(ran_well(sys.executable, "-c", code).split())
    packages = {name.split(".")[1] for name in modules if name.startswith("murmurate.")}
    home = Path(code_digest.__file__).parents[1]
    assert {name for name in packages if (home / name).is_dir()} <= set(code_digest.SOURCES)

"""What kernels take from the table of arguments, and what their modules import, follows from the
names that their code reads; and digests of code do not depend on prose."""

from __future__ import annotations

import ast
import dataclasses
import re
from pathlib import Path
from typing import Any

import pytest

import murmurate as mm
from murmurate.codegen import arguments, code_digest, intrinsics, kernel_cache, unpacking
from murmurate.codegen.arguments import ARGUMENTS
from murmurate.codegen.layout import lay_out
from murmurate.codegen.module_text import functions_module, functions_text, kernel_text
from murmurate.codegen.phases import PHASES
from murmurate.codegen.planner import make_plan
from murmurate.codegen.unpacking import Reads, unpack_arguments
from murmurate.engines.cpu.thresholds import CpuThresholds
from murmurate.errors import TemplateError


def kernel(*lines: str, head: str = "take_arguments") -> str:
    return "\n".join(["@kernel", "def move(table):", *(f"    {line}" for line in (head, *lines))])


def unpack_lines(*lines: str) -> list[str]:
    """The names that a kernel of these lines takes from the table that threads share."""
    text = unpack_arguments(kernel(*lines), {"X": "state[0]"}).text
    return re.findall(r"(?m)^    (\w+) = .*(?:shared,|state\[0\]|\[parameter_row\])", text)


@pytest.mark.parametrize(
    ("lines", "names"),
    [
        (["return step"], ["step"]),
        (["return X[0]"], ["state", "X"]),
        (["return numbers[0]"], ["parameter_row", "numbers_by_step", "numbers"]),
        (["step = 1", "return step"], []),  # its own
        (["step += 1", "return step"], ["step"]),
        (["if dt > 0.0:", "    step = 1", "return step"], ["step", "dt"]),
        (["if dt > 0.0:", "    step = 1", "else:", "    return 0", "return step"], ["dt"]),
        (["for step in range(3):", "    cell = step", "return 0"], []),
        (["for k in range(3):", "    cell = k", "return cell[0]"], ["cell"]),
        (["while steps > 0:", "    steps -= 1", "return 0"], ["steps"]),
        (["set_number(table, LOST, 1)", "return 0"], []),
        (["x = step  # dt", "return x"], ["step"]),
    ],
)
def test_a_kernel_takes_what_it_reads_and_has_not_given_a_value(
    lines: list[str], names: list[str]
) -> None:
    assert unpack_lines(*lines) == names


def test_a_thread_takes_its_own_from_its_table() -> None:
    text = unpack_arguments(kernel("return chunk + step")).text
    assert "chunk = number(table, CHUNK)" in text
    assert "shared = number(table, SHARED)" in text
    assert "step = number(shared, STEP)" in text
    assert "shared" not in unpack_arguments(kernel("return chunk")).text


def test_phases_have_names_of_their_own() -> None:
    """Both stand in a module as constants, in capitals."""
    assert not PHASES.keys() & {argument.constant for argument in ARGUMENTS}


def test_a_misspelt_name_is_said_with_kernel_and_line() -> None:
    with pytest.raises(TemplateError) as result:
        unpack_arguments(kernel("n = n_boids", "return n + n_bods"))
    assert "kernel move, line 4, `return n + n_bods`: got the name n_bods" in str(result.value)


@pytest.mark.parametrize(
    "code",
    [
        kernel("return lesserr(step, 1)"),
        kernel("return step", head="pass"),  # without its arguments
        kernel("return lost"),  # an output
        kernel("return numbers[TIME_STEP]"),  # no such slot
        kernel("first_chunk_ = 1", "return first_chunk_"),  # a user's, that nobody issued
    ],
)
def test_other_names_that_nothing_defines_are_refused(code: str) -> None:
    with pytest.raises(TemplateError, match="kernel move, line"):
        unpack_arguments(code)


def test_outputs_are_said_by_a_field() -> None:
    assert {a.name for a in ARGUMENTS if a.out} == {"lost", "missing_halo_layers"}
    assert not any(re.match(r"\w+:", a.about) for a in ARGUMENTS)


TEXTS = ("starlings", "parker-perch", "vicsek-1995")


def text_of(name: str) -> str:
    plan = make_plan(mm.load(name))
    return kernel_text(plan, "float32", lay_out(plan, CpuThresholds(0, 0, covered=1.0)))


@pytest.mark.parametrize("name", TEXTS)
def test_every_module_imports_and_defines_what_it_names_and_nothing_else(name: str) -> None:
    tree = ast.parse(text_of(name))
    defined: set[str] = set()
    for node in tree.body:
        match node:
            case ast.ImportFrom(names=names) | ast.Import(names=names):
                defined |= {n.asname or n.name for n in names}
            case ast.Assign(targets=[ast.Name(id=one)]) | ast.FunctionDef(name=one):
                assert one not in defined, f"{one} is defined twice"
                defined.add(one)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    named = set().union(*(set(f.first) for f in map(Reads, functions)))
    assert named - set(unpacking.BUILTINS) <= defined
    constants = {n for n in defined if n.isupper() or n.endswith("_")}
    used = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    kept = {"FREE", "ONCE", "ORDERED"} | {f.name for f in functions}
    assert constants <= used | kept


# --- digests


@pytest.mark.parametrize("text", [*map(text_of, TEXTS), functions_text("float32")])
def test_the_code_of_a_text_is_all_of_its_code(text: str) -> None:
    """Nothing is left out but prose."""
    code = code_digest.code_of(text)
    assert "#" not in code and '"""' not in code and len(code) > 0.7 * len(text)
    assert code_digest.tree_dump(ast.parse(code)) == code_digest.tree_dump(ast.parse(text))


def test_comments_and_descriptions_change_no_name_of_a_module(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else a word in a comment would have all models compiled anew."""
    text = text_of("ucl")
    other = re.sub(r"#.*", "# another remark", text).replace("do not edit", "leave it as it is")
    other = other.replace("\n\n\n", "\n\n\n\n# and one more\n")
    assert other != text and code_digest.code_digest([other]) == code_digest.code_digest([text])
    changed = dataclasses.replace(arguments.BY_NAME["state"], about="where boids are, and how fast")
    monkeypatch.setitem(unpacking.INPUTS, "state", changed)
    changed = text_of("ucl")
    assert "how fast" in changed
    assert code_digest.code_digest([changed]) == code_digest.code_digest([text])


@pytest.mark.parametrize(("old", "new"), [("a + k", "a - k"), ("k * x", "x * k"), ("[i]", "[j]")])
def test_code_changes_the_name_of_a_module(old: str, new: str) -> None:
    text = "x = a + k * x  # of all\ny = ids[i]\n"
    assert old in text
    assert code_digest.code_digest([text.replace(old, new)]) != code_digest.code_digest([text])


def test_digests_of_sources_are_of_their_code(tmp_path: Path) -> None:
    source = Path(intrinsics.__file__).read_text(encoding="utf-8")

    def dump(text: str) -> str:
        return code_digest.tree_dump(ast.parse(text))

    prose = "# a remark\n\n" + source.replace("Return the whole number at", "Read a number at")
    assert prose.count("Read a number at") == 1 and dump(prose) == dump(source)
    assert dump(source.replace('"acq_rel"', '"seq_cst"')) != dump(source)
    assert dump(source.replace("2**63 - 1", "2**63")) != dump(source)


def test_intrinsics_are_part_of_what_names_a_module(monkeypatch: pytest.MonkeyPatch) -> None:
    before = kernel_cache.versions()
    kernel_cache.versions.cache_clear()
    monkeypatch.setattr(kernel_cache, "file_digest", lambda *_: "another")
    try:
        assert kernel_cache.versions() != before
        assert kernel_cache.versions()[:-1] == before[:-1]
    finally:
        kernel_cache.versions.cache_clear()


def test_no_digest_is_taken_of_what_python_shows_of_sources() -> None:
    """It has comments and docstrings. Functions of rules and shapes are parsed, and those that draw
    are digested without comments."""
    home = Path(mm.__file__).parent
    result = {p.name for p in home.rglob("*.py") if "getsource" in p.read_text(encoding="utf-8")}
    assert result == {"jit.py", "shape_functions.py", "source.py"}


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_shared_functions_are_named_by_their_code(dtype: Any) -> None:
    digest = code_digest.code_digest([functions_text(dtype)])[:12]
    assert functions_module(dtype) == f"murmurate_functions_{dtype}_{digest}"

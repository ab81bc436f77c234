"""What a model's parts are called changes nothing: no user's name is taken for one of kernels."""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

import flights
import murmurate as mm
import named_models
from murmurate.codegen import planner, program_text
from murmurate.codegen.layout import lay_out
from murmurate.codegen.module_text import kernel_text
from murmurate.engines.base import EngineBase
from murmurate.engines.initial_state import initial_state
from murmurate.engines.options import RunOptions
from murmurate.engines.refusals import check_engine
from murmurate.engines.slabs.slab_engine import SlabEngine
from murmurate.language.names import Names, is_template_name
from murmurate.model.rng_streams import rng_stream_id
from murmurate.show.scene import handles, path_lines
from named_models import CELLS, HARMLESS, PARTS, WHOLE, named_model

sys.path.append(str(Path(__file__).resolve().parents[1] / "before_after"))
from same_module import difference

STEPS = 3
PLAIN_TEXTS: dict[tuple[tuple[str, Any], ...], list[str]] = {}
"""Options -> the texts with harmless names, which every comparison needs."""
NUMBERS = itertools.count()
"""Each model has a rule file of its own."""

# What captured a variable before names came from a table: flocks' names, by the order of update;
# and the rule `time` with a parameter `step`.
CAPTURED: dict[str, dict[str, Any]] = {
    "synchronous": {"names": {"first_flock": "chunk", "second_flock": "layer"}, "nearest": 3},
    "synchronous-metric": {
        "names": {"first_flock": "chunk", "third_rule": "time", "other_number": "step"},
    },
    "one-by-one": {
        "names": {
            "first_flock": "x", "second_flock": "turn", "third_rule": "time",
            "other_number": "step",
        },
        "order": "one-by-one",
    },
    "shuffled": {
        "names": {"first_flock": "layer", "second_flock": "y"},
        "order": "shuffled", "nearest": 3, "dims": 3,
    },
    "perching": {"names": {"fourth_rule": "perching"}, "rests": True, "boundary": "open"},
    "shuffled-metric": {
        "names": {"first_flock": "turn", "second_flock": "z"}, "order": "shuffled", "dims": 3,
    },
    # what C and LLVM call things, in whose text pages' mathematics is put
    "mathematics": {
        "names": {
            "first_flock": "sin", "second_flock": "fmod", "first_rule": "frem", "helper": "sin",
            "second_helper": "fmod", "constant": "llvm", "a": "cos", "b": "sinf", "c": "declare",
            "d": "run_steps", "state": "exp", "number": "plain",
        },
    },
    # variables that a function's text names too: its own are others
    "hidden": {
        "names": {
            "a": "real", "b": "math", "c": "pow_real", "d": "helper_run_steps_",
            "helper": "run_steps",
            "constant": "REAL_1_0", "second_helper": "np", "number": "points",
            "other_number": "within",
        },
    },
}  # fmt: skip
SOON = {"mathematics": pytest.mark.slow}
"""Which of them are compiled by the slow tests; long tests compile the others."""
HIDING = [
    {"a": "real", "b": "local_real_"}, {"b": "real", "helper": "math"}, {"a": "math", "c": "np"},
    {"a": "pow_real", "d": "sin_real"}, {"c": "REAL_1_0", "a": "REAL_0_25", "b": "REAL_0_75"},
    {"a": "helper_run_steps_", "helper": "run_steps"}, {"a": "own_run_steps",
    "helper": "run_steps"},
    {"d": "real"}, {"helper": "real", "second_helper": "float"}, {"helper": "abs", "a": "min"},
    {"constant": "real", "helper": "math", "second_helper": "np"}, {"number": "points"},
    {"vector": "points", "other_number": "within"}, {"state": "count", "number": "index"},
]  # fmt: skip
"""Names in a user's file that would hide what the text names there; and names of parameters that
some rules of murmurate have for another thing."""
ONES = [
    ({"first_flock": "chunk"}, {}), ({"first_flock": "prey"}, {}),
    ({"first_flock": "layer"}, {"nearest": 3}),
    *(({"first_flock": name}, {"order": "one-by-one"}) for name in ("turn", "x", "y", "z")),
    ({"first_flock": "turn"}, {"order": "shuffled", "nearest": 3, "dims": 3}),
    ({"third_rule": "time", "other_number": "step"}, {}),
]  # fmt: skip
"""Names that captured, where they did; test_every_name.py tries all names."""


def of(folder: Path, names: dict[str, str], **options: Any) -> mm.Model:
    return named_model(folder / str(next(NUMBERS)), {**HARMLESS, **names}, **options)


def texts(model: mm.Model, names: dict[str, str]) -> list[str]:
    """The texts of a model's kernels: in cells and not, for a page and not. Numbers of sources of
    chance, which follow from names, are those of the harmless ones."""
    flocks = {names.get(part, HARMLESS[part]): HARMLESS[part] for part in named_models.FLOCKS}
    rules = {names.get(part, HARMLESS[part]): HARMLESS[part] for part in named_models.RULES}

    def rng_stream(flock: str, what: str) -> int:
        return rng_stream_id(flocks[flock], rules.get(what, what))

    with (
        patch.object(planner, "rng_stream_id", rng_stream),
        patch.object(program_text, "rng_stream_id", rng_stream),
    ):
        model_plan = planner.make_plan(model)
        return [
            kernel_text(model_plan, "float32", lay_out(model_plan, size), in_page=in_page)
            for size, in_page in ((CELLS, False), (WHOLE, True))
        ]


def assert_same_texts(folder: Path, names: dict[str, str], **options: Any) -> None:
    """With these names a model has the kernels that it has with harmless ones."""
    key = tuple(sorted(options.items()))
    if key not in PLAIN_TEXTS:
        PLAIN_TEXTS[key] = texts(of(folder, {}, **options), {})
    changed = texts(of(folder, names, **options), names)
    for text, plain in zip(changed, PLAIN_TEXTS[key], strict=True):
        assert difference(plain, text) is None, (names, options)


@pytest.mark.parametrize(
    ("names", "options"),
    [
        pytest.param(*case, marks=() if k in (1, 3, 8) else pytest.mark.slow)
        for k, case in enumerate(ONES)
    ],
)
def test_names_that_captured_leave_the_same_kernels(
    tmp_path: Path, names: dict[str, str], options: dict[str, Any]
) -> None:
    assert_same_texts(tmp_path, names, **options)


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(names, marks=() if k % 4 == 0 else pytest.mark.slow)
        for k, names in enumerate(HIDING)
    ],
)
def test_names_in_files_of_rules_hide_nothing(tmp_path: Path, names: dict[str, str]) -> None:
    assert_same_texts(tmp_path, names)


def test_a_parameter_may_be_a_whole_number_called_points(tmp_path: Path) -> None:
    """As the corners of a path are, in a rule of murmurate's."""
    file = tmp_path / "pointed_rules.py"
    file.write_text(
        "import murmurate as mm\n\n\nclass Pointed(mm.Rule):\n    points: int = 3\n\n"
        "    def alone(self, me):\n        return 0.1 * self.points, 0.0, 0.0\n"
    )
    mm.load_rules(file)
    model = mm.Model(
        space={"size": [9.0, 9.0]}, flocks={"boids": {"count": 3}}, rules={"pointed": {}}
    )  # type: ignore[arg-type]
    assert "return (REAL_0_1 * 3, REAL_0_0, REAL_0_0)" in flights.text_of(model)
    engine = flights.reference(model)
    engine.step(1)
    speeds = flights.arrays(engine)["boids"][1]
    assert speeds[:, 0] == pytest.approx(0.3)
    assert handles(model, 0.0) == [] and path_lines(model) == []


def test_no_rule_draws_from_the_stream_of_another_thing(tmp_path: Path) -> None:
    """Not even one that is called `perching`, of boids that perch."""
    names = {"fourth_rule": "perching", "first_rule": "motion"}
    model = of(tmp_path, names, rests=True, boundary="open")
    model_plan = planner.make_plan(model)
    steering = program_text.SteeringText(None)  # type: ignore[arg-type]
    moving = program_text.MovingText(None)  # type: ignore[arg-type]
    streams = [rule.rng_stream for flock in model_plan.flocks for rule in flock.rules]
    streams += [moving.perching_stream(flock) for flock in model_plan.flocks if flock.can_perch]
    streams += [steering.motion_stream(flock) for flock in model_plan.flocks]
    assert len(set(streams)) == len(streams)
    drawn = re.findall(r"philox\(me.index, step, (\d+),", flights.text_of(model))
    assert len(set(drawn)) == len(drawn) > 3


def engines(model: mm.Model, kind: str) -> EngineBase:
    """One of the engines, in cells."""
    state = initial_state(model, 1)
    with flights.in_cells():
        if kind == "slabs":
            options = RunOptions(
                kind, "float64", threads=1, seed=1, engine_options=mm.Slabs(2, "here")
            )
            check_engine(model, options)
            return SlabEngine(model, state, options)
        if kind == "wasm":
            pytest.importorskip("wasmtime")
            from murmurate.engines.wasm.wasm_engine import WasmEngine

            return WasmEngine(model, state, RunOptions(kind, dtype="float64", seed=1))
        return flights.cpu(model, threads=2)


@pytest.mark.parametrize("kind", ["cpu", pytest.param("wasm", marks=pytest.mark.long), "slabs"])
@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=SOON.get(case, pytest.mark.long)) for case in CAPTURED],
)
def test_captured_names_agree_with_the_reference(tmp_path: Path, case: str, kind: str) -> None:
    options = dict(CAPTURED[case])
    model = of(tmp_path, options.pop("names"), **options)
    if kind == "slabs" and model.order != "synchronous":
        pytest.skip("slabs are for boids that move together")
    expected = flights.reference(model)
    engine = engines(model, kind)
    expected.step(STEPS)
    engine.step(STEPS)
    flights.assert_agree(engine, expected)


any_name = st.deferred(lambda: st.sampled_from(named_models.pool()))
formed = st.tuples(
    any_name, st.sampled_from(["", "", "_", "-"]), st.sampled_from(["", "", "_", "2"])
)


@st.composite
def named(draw: Any) -> dict[str, str]:
    """Names from the pool for all parts of a model, as they are or a little changed."""
    names = {}
    for part in PARTS:
        name, between, end = draw(formed)
        name = name.replace("_", between or "_") + end
        names[part] = name if named_models.may_name(part, name) else HARMLESS[part]
    return names


model_options = st.fixed_dictionaries(
    {
        "order": st.sampled_from(["synchronous", "one-by-one", "shuffled"]),
        "nearest": st.sampled_from([0, 3]),
        "dims": st.sampled_from([2, 3]),
        "stage": st.sampled_from([1, 2]),
        "rests": st.booleans(),
        "boundary": st.sampled_from(["periodic", "open", "reflecting"]),
    }
)


def search(examples: int) -> settings:
    return settings(
        max_examples=examples, deadline=None, derandomize=True, database=None,
        phases=[Phase.generate], suppress_health_check=list(HealthCheck),
    )  # fmt: skip


def assert_names_do_not_matter(folder: Path, names: dict[str, str], options: Any) -> None:
    assume(named_models.fits(names))
    if options["rests"] and options["boundary"] == "periodic":
        options = {**options, "rests": False}
    assert_same_texts(folder, names, **options)


def names_do_not_matter(examples: int) -> Callable[..., None]:
    @search(examples)
    @given(names=named(), options=model_options)
    def test(tmp_path_factory: Any, names: dict[str, str], options: Any) -> None:
        """Names that occur in texts, templates or Python lead to the same kernels as others."""
        assert_names_do_not_matter(tmp_path_factory.mktemp("named"), names, options)

    return test


test_no_names_of_texts_capture = names_do_not_matter(1)
test_no_names_of_texts_capture_in_many_models = pytest.mark.slow(names_do_not_matter(12))


@pytest.mark.long
@search(6)
@given(names=named(), options=model_options)
def test_names_of_the_pool_agree_with_the_reference(
    tmp_path_factory: Any, names: dict[str, str], options: Any
) -> None:
    assume(named_models.fits(names))
    options = {**options, "rests": options["rests"] and options["boundary"] != "periodic"}
    model = named_model(tmp_path_factory.mktemp("named"), names, **options)
    expected = flights.reference(model)
    with flights.in_cells():
        engine = flights.cpu(model)
    expected.step(STEPS)
    engine.step(STEPS)
    flights.assert_agree(engine, expected)


def test_the_pool_holds_what_captured() -> None:
    """It is collected from texts and templates, and finds these without being told."""
    assert {"chunk", "turn", "x", "y", "z", "layer", "time", "step"} <= set(named_models.pool())
    assert {"real", "math", "np", "lambda", "abs", "next_chunk"} <= set(named_models.pool())


# --- the table


words = st.text(st.sampled_from("ab_-2"), max_size=5).map(lambda end: f"a{end}")


@search(100)
@given(
    keys=st.lists(st.tuples(st.sampled_from(["first", "sum0", "RULE"]), words, words), unique=True)
)
def test_each_thing_has_a_name_of_its_own(keys: list[tuple[str, str, str]]) -> None:
    """Also flocks `a-b` and `a_b`; rule `a` with `b_c`, and rule `a_b` with `c`."""
    table = Names()
    names = [table.of(*key) for key in keys]
    assert len(set(names)) == len(names) and table.issued == set(names)
    assert names == [table.of(*key) for key in keys]
    assert all(name.isidentifier() and not is_template_name(name) for name in names)


def test_letters_that_python_takes_for_one_are_one() -> None:
    table = Names()
    assert table.of("first", "\ufb01sh") != table.of("first", "fish")


def test_two_rules_and_parameters_of_one_spelling(tmp_path: Path) -> None:
    """Rule a-b with c and rule a with b_c: two numbers, two places."""
    names = {"third_rule": "a-b", "other_number": "c", "second_rule": "a", "number": "b_c"}
    model = of(tmp_path, names)
    text = texts(model, names)[0]
    assert "RULE_a_b_c_ = " in text and "RULE_a_b_c_2_ = " in text
    assert_same_texts(tmp_path, names)

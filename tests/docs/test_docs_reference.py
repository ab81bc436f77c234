"""The reference describes every class, and the JSON schema tells right models from wrong ones."""

from __future__ import annotations

import json
import tomllib
from typing import Any

import pytest
from page_links import REFERENCE, assert_links_lead_somewhere, make_reference
from schema_check import problems
from test_docs_words import broken_tables, wrong_prompts, wrong_spellings

import murmurate as mm
from cases import cases
from murmurate import schema as model_schema
from murmurate.measures import MEASURES


@pytest.fixture(scope="module")
def reference() -> str:
    return make_reference.page()


def test_the_reference_has_every_rule_motion_and_measure(reference):
    for kind in (*model_schema.rules(), *model_schema.motions(), *MEASURES):
        assert f"\n### {kind}\n" in reference


def test_the_links_and_tables_of_the_reference_are_right(reference):
    assert_links_lead_somewhere(reference, REFERENCE)
    assert not broken_tables(reference)
    assert not wrong_prompts(reference)
    assert not wrong_spellings(reference, checkout=False)


def test_the_script_writes_both_files(tmp_path, reference):
    assert make_reference.main(["-o", str(tmp_path / "folder")]) == 0
    assert (tmp_path / "folder" / "reference.md").read_text(encoding="utf-8") == reference
    schema = (tmp_path / "folder" / "model.schema.json").read_text(encoding="utf-8")
    assert schema == model_schema.schema_text()


def no_constant(word: str) -> None:
    raise AssertionError(f"{word} is not JSON")


@pytest.fixture(scope="module")
def schema() -> Any:
    return json.loads(model_schema.schema_text(), parse_constant=no_constant)


@cases("name", mm.zoo())
def test_models_of_the_zoo_fit_the_schema(schema, name):
    assert problems(schema, tomllib.loads(mm.zoo()[name])) == []


def model(**more: Any) -> dict[str, Any]:
    return {"space": {"size": [10, 10]}, "flocks": {"boids": {"count": 3}}, **more}


def with_rule(name: str = "cohesion", **rule: Any) -> dict[str, Any]:
    return model(rules={name: rule})


RAMP = {"kind": "ramp", "start": 1, "stop": 2, "end": 3}


@pytest.mark.parametrize(
    "data",
    [
        with_rule(radius=float("inf")),
        with_rule(weight=RAMP),
        with_rule("together", kind="cohesion", radius=3),
        with_rule(kind="alignment", divide_by="flock"),
        with_rule("my-own", anything=1),
        with_rule("cohesion", kind="my-own", anything=1),
        model(flocks={"boids": {"count": 3, "motion": {"max_speed": 2}}}),
        model(flocks={"boids": {"count": 3, "motion": {"kind": "constant-speed", "speed": 2}}}),
        model(flocks={"boids": {"count": 3, "start": {"kind": "ball", "radius": 2}}}),
    ],
)
def test_right_models_fit_the_schema(schema, data):
    assert problems(schema, data) == []


@pytest.mark.parametrize(
    "data",
    [
        with_rule(raduis=3),
        with_rule("together", kind="cohesion", raduis=3),
        with_rule(radius=-3),
        with_rule(radius="far"),
        with_rule(form="steerign"),
        with_rule(weight={**RAMP, "kind": "rmap"}),
        with_rule(weight={"kind": "ramp", "start": 1}),
        with_rule("wind", vector=[1]),
        model(dt=0),
        model(view={"style": "drak"}),
        model(colour="red"),
        model(space={"size": [10]}),
        model(flocks={"boids": {"count": -3}}),
        model(flocks={"boids": {"count": 3, "motion": {"kind": "add", "speed": 2}}}),
        model(flocks={"boids": {"count": 3, "start": {"kind": "bal", "radius": 2}}}),
    ],
)
def test_wrong_models_do_not_fit_the_schema(schema, data):
    assert problems(schema, data)


def test_every_parameter_has_a_description(schema):
    for kind in model_schema.rules():
        for name, field in schema["definitions"][f"rule-{kind}"]["properties"].items():
            assert name == "kind" or field.get("description"), f"{kind}.{name}"

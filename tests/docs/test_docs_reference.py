"""reference.md and model.schema.json are what the classes say, and the schema tells right models
from wrong ones."""

from __future__ import annotations

import json
import sys
import tomllib
from typing import Any

import pytest
from page_blocks import ROOT
from schema_check import problems

import murmurate as mm
from murmurate import schema as model_schema

DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS))

import make_reference  # noqa: E402

AGAIN = "run: python docs/make_reference.py"


def test_the_reference_is_what_the_classes_say():
    assert (DOCS / "reference.md").read_text(encoding="utf-8") == make_reference.page(), AGAIN


def test_the_schema_is_what_the_classes_say():
    text = (DOCS / "model.schema.json").read_text(encoding="utf-8")
    assert text == model_schema.schema_text(), AGAIN


def no_constant(word: str) -> None:
    raise AssertionError(f"{word} is not JSON")


@pytest.fixture(scope="module")
def schema() -> Any:
    text = (DOCS / "model.schema.json").read_text(encoding="utf-8")
    return json.loads(text, parse_constant=no_constant)


@pytest.mark.parametrize("name", mm.zoo())
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

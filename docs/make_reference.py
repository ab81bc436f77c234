"""Write the reference of model files, and their JSON schema, from the classes of murmurate:

    python docs/make_reference.py              # build/reference.md, build/model.schema.json
    python docs/make_reference.py -o FOLDER

The documentation site builds its page from the same text, in place of docs/reference.md.
"""

from __future__ import annotations

import argparse
import inspect
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel

import murmurate.measures as measures
from murmurate.model.distribution import DISTRIBUTIONS
from murmurate.model.flock import Flock, Perching, Sensing
from murmurate.model.model import Model, Source
from murmurate.model.obstacles import Obstacle
from murmurate.model.population import PopulationEntry, Region
from murmurate.model.quantity import SCHEDULES, quantities
from murmurate.model.results import Expectation, Line, Panel, Points
from murmurate.model.rule import Motion, NeighbourRule, Rule
from murmurate.model.space import Space
from murmurate.model.start import Start, Velocities
from murmurate.model.view import Camera, Look, View
from murmurate.schema import (
    REQUIRED,
    base_of,
    bounds,
    describe,
    docstring,
    field_schema,
    is_quantity,
    is_vector,
    kind_of_value,
    members,
    motions,
    rules,
    schema_text,
)

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from numpydoc_text import markdown  # noqa: E402

HEAD = """\
# Reference

Every part of a model file, with every parameter. The program's classes are the source of this
page; [model-files.md](model-files.md) explains how the parts go together.

**Name** is the key in a model file and the field in Python. **Unit** is a word, since a model
chooses its own units: a speed is a length by a time. A parameter marked **s** may also be a
[schedule](#schedules), and each number of a vector too; those of rules and motions may also
[differ between boids](#distributions). **Default** is what holds when the parameter is not given;
*required* means that there is none.

In formulas `x_i` and `v_i` are position and velocity of the boid that is moved, `x_j` and `v_j`
those of a neighbour, `r` their distance, `t` the time. Words of a formula that are names of
parameters stand for them.
"""


def page() -> str:
    """The text of reference.md."""
    return "\n".join([HEAD, *_contents(), *_rules(), *_motions(), *_parts(), *_measures()])


def _contents() -> Iterator[str]:
    for title in (
        "Rules", "Motions", "Starts", "Velocities at the start", "Schedules",
        "Distributions", "Obstacles", "Population", "Regions of exits",
        "Space", "Flocks", "The model itself", "View", "Measures",
    ):  # fmt: skip
        yield f"- [{title}](#{title.lower().replace(' ', '-')})"
    yield ""


def _rules() -> Iterator[str]:
    yield "## Rules\n"
    yield "| kind | what it does |\n|---|---|"
    for kind, cls in rules().items():
        yield f"| [`{kind}`](#{kind}) | {_first(cls)} |"
    yield "\n### Every rule\n"
    yield from _table(Rule)
    yield "### Every rule that senses neighbours\n"
    yield from _table(NeighbourRule, without=Rule)
    for kind, cls in rules().items():
        shared = "that senses neighbours " if issubclass(cls, NeighbourRule) else ""
        yield f"### {kind}\n"
        yield f"`murmurate.{cls.__name__}`. {_prose(cls)}\n"
        yield f"    {_formula(cls.formula)}\n"
        yield f"Source: {cls.source}\n"
        own = list(_table(cls, without=base_of(cls)))
        yield from own or [f"No parameters but those of every rule {shared}".rstrip() + ".\n"]


def _motions() -> Iterator[str]:
    yield "## Motions\n"
    yield "How the steering vector becomes the next velocity.\n"
    yield "### Every motion\n"
    yield from _table(Motion, skip=("kind",))
    for kind, cls in motions().items():
        yield f"### {kind}\n"
        yield f"`murmurate.{cls.__name__}`. {_prose(cls)}\n"
        yield f"    {_formula(cls.formula)}\n"
        own = list(_table(cls, without=Motion))
        yield from own or ["No parameters but those of every motion.\n"]


def _parts() -> Iterator[str]:
    yield "## Starts\n"
    yield "Where boids are at step 0.\n"
    yield from _kinds(members(Start))
    yield "## Velocities at the start\n"
    yield "The `velocity` of a start.\n"
    yield from _kinds(members(Velocities))
    yield "## Schedules\n"
    yield "Numbers that change in time, in the model's time unit.\n"
    yield from _kinds(SCHEDULES)
    yield "## Distributions\n"
    yield "Numbers of rules and motions that differ between boids. Each boid keeps its number.\n"
    yield from _kinds(DISTRIBUTIONS)
    yield "## Obstacles\n"
    yield from _kinds(members(Obstacle))
    yield "## Population\n"
    yield "How boids join flocks and leave them; see [population.md](population.md).\n"
    yield from _kinds(members(PopulationEntry))
    yield "## Regions of exits\n"
    yield from _kinds(members(Region))
    yield from _part("## Space", Space)
    yield from _part("## Flocks", Flock)
    yield from _part("### Sensing", Sensing)
    yield from _part("### Perching", Perching)
    yield from _part("### Look", Look)
    yield from _part("## The model itself", Model)
    yield from _part("### Source", Source)
    yield from _part("### Expect", Expectation)
    yield from _part("### Figure", Panel)
    yield from _part("### Line", Line)
    yield from _part("### Points", Points)
    yield from _part("## View", View)
    yield from _part("### Camera", Camera)


def _kinds(classes: Iterable[type[BaseModel]]) -> Iterator[str]:
    for cls in classes:
        yield f"### {kind_of_value(cls)}\n"
        yield f"`murmurate.{cls.__name__}`. {_prose(cls)}\n"
        yield from list(_table(cls, skip=("kind",))) or ["No parameters.\n"]


def _part(title: str, cls: type[BaseModel]) -> Iterator[str]:
    yield f"{title}\n"
    yield f"`murmurate.{cls.__name__}`. {_prose(cls)}\n"
    yield from _table(cls)


def _measures() -> Iterator[str]:
    yield "## Measures\n"
    yield "One flock at one moment (a `FlockFrame`) -> a number or a vector.\n"
    yield "[measures.md](measures.md) has them as a table, with formulas, units and sources.\n"
    for name in filter(lambda name: inspect.isfunction(getattr(measures, name)), measures.__all__):
        yield f"### {name}\n"
        yield f"`{_home(name)}`\n"
        yield markdown(getattr(measures, name), level=4)


def _home(name: str) -> str:
    import murmurate

    return f"murmurate.{name}" if name in dir(murmurate) else f"murmurate.measures.{name}"


def _first(cls: type) -> str:
    return " ".join(docstring(cls).split("\n\n")[0].split())


def _prose(cls: type) -> str:
    """A docstring up to what is only about Python."""
    parts = [p for p in docstring(cls).split("\n\n") if not p.startswith(("Raises", "The part"))]
    return "\n\n".join(" ".join(part.split()) for part in parts)


def _formula(text: str) -> str:
    return text.replace("{", "").replace("}", "")


def _table(
    cls: type[BaseModel], without: type[BaseModel] | None = None, skip: tuple[str, ...] = ()
) -> Iterator[str]:
    """The fields of a class that are not those of another one."""
    rows = []
    for name, field in cls.model_fields.items():
        other = without.model_fields.get(name) if without else None
        if name in skip or (other and (name == "kind" or _same(other, field))):
            continue
        text, unit = describe(cls, name)
        default = "`add`" if (cls, name) == (Flock, "motion") else _default(field)
        rows.append(f"| `{name}` | {unit} | {_allowed(cls, name)} | {default} | {text} |")
    if rows:
        yield "| name | unit | allowed | default | what it is |\n|---|---|---|---|---|"
        yield from rows
        yield ""


def _same(first: Any, second: Any) -> bool:
    return first.get_default() == second.get_default() and first.annotation == second.annotation


def _allowed(cls: type[BaseModel], name: str) -> str:
    if is_quantity(cls, name):
        extra = quantities(cls)[name]  # type: ignore[arg-type]
        what = "vector" if is_vector(cls.model_fields[name]) else "number"
        return " ".join(filter(None, [what, bounds(extra), "**s**"]))
    return _in_words(field_schema(cls, name, _named))


def _named(cls: type[BaseModel]) -> dict[str, Any]:
    tables = {
        "Motion": "motions", "Look": "look", "Perching": "perching", "Sensing": "sensing",
        "Camera": "camera",
        "Source": "source", "Space": "space", "View": "view", "Flock": "flocks", "Rule": "rules",
        "Expectation": "expect", "Panel": "figure", "Line": "line", "Points": "points",
    }  # fmt: skip
    return {"table": tables.get(cls.__name__, "")}


def _in_words(schema: dict[str, Any]) -> str:
    if not schema:
        return "value"
    if "table" in schema:
        return f"[table](#{schema['table']})" if schema["table"] else "table"
    if "enum" in schema:
        return ", ".join(f"`{word}`" for word in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(dict.fromkeys(_in_words(part) for part in schema["anyOf"]))
    if schema.get("type") == "array":
        low, high = schema.get("minItems"), schema.get("maxItems")
        bounds_text = "" if low is None else f"{low} " if low == high else f"{low} to {high} "
        if low is not None and high is None:
            bounds_text = f"{low} or more "
        inner = schema["items"]
        if inner.get("type") == "array":
            return "list of vectors"
        if "table" in inner:
            return f"list of {_in_words(inner)}"
        word = {"number": "number", "integer": "whole number", "string": "word"}.get(
            str(inner.get("type")), _in_words(inner)
        )
        return (
            f"list of {bounds_text}{word}{'s' if ' ' not in word[-1:] and '`' not in word else ''}"
            + (f", each {_range(inner)}" if _range(inner) else "")
        )
    if schema.get("type") == "object":
        return f"tables by name: {_in_words(schema['additionalProperties'])}"
    words = {
        "number": "number",
        "integer": "whole number",
        "string": "word",
        "boolean": "true, false",
    }
    return " ".join(filter(None, [words.get(str(schema.get("type")), ""), _range(schema)]))


def _range(schema: dict[str, Any]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return f"{low:g} to {high:g}"
    signs = {"exclusiveMinimum": ">", "minimum": ">=", "maximum": "<="}
    return " and ".join(f"{s} {schema[k]:g}" for k, s in signs.items() if k in schema)


def _default(field: Any) -> str:
    value = field.get_default()
    if value is REQUIRED:
        return "*required*"
    if isinstance(value, BaseModel):
        kind = getattr(value, "kind", "")
        return f"`{kind}`" if kind else "all defaults"
    if value in ("", (), None) or value == {}:
        return "none"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, tuple):
        return ", ".join(str(item) for item in value)
    return f"`{value}`" if isinstance(value, str) else str(value)


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("-o", "--output", type=Path, default=HERE.parent / "build")
    folder = parser.parse_args(words).output
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "reference.md").write_text(page(), encoding="utf-8", newline="\n")
    (folder / "model.schema.json").write_text(schema_text(), encoding="utf-8", newline="\n")
    print(f"wrote reference.md and model.schema.json in {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

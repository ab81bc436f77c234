"""Task: steps with a question and a check, for a page. It equals its TOML file."""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from importlib import resources
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, WithJsonSchema, model_validator

from murmurate.errors import ModelError, TaskError
from murmurate.model.messages import closest, did_you_mean, format_value, list_names, shorten
from murmurate.model.model import Model
from murmurate.model.named_files import read_file
from murmurate.model.number import Number, Whole
from murmurate.model.text_reader import TextError, read_toml
from murmurate.model.value import FrozenDict, Value, to_plain

MAX_TEXT = 800  # characters
MAX_BYTES = 1 << 20  # of a task file
ENDING = ".toml"


def _check_text(value: Any) -> Any:
    texts = value if isinstance(value, dict) else {"en": value}
    for language, text in texts.items():
        if not isinstance(text, str) or not text.strip() or len(text) > MAX_TEXT:
            raise ValueError(
                f"got {format_value(text)}; expected 1 to {MAX_TEXT} characters of text, or a "
                'table of texts by language, such as { en = "Why?", es = "¿Por qué?" }'
            )
        if not re.fullmatch("[a-z]{2,3}", language):
            raise ValueError(
                f"got the language {format_value(language)}; expected a code of two or three "
                "letters, such as en or es"
            )
    if not texts:
        raise ValueError("got no text; expected one for a language at least, such as en")
    if isinstance(value, str):
        return " ".join(value.split())
    return FrozenDict({language: " ".join(text.split()) for language, text in texts.items()})


Text = Annotated[Any, BeforeValidator(_check_text), WithJsonSchema({"tsType": "Texts"})]
"""A text, or texts by language. Pages show it as it is: it has no markup."""
Seconds = Annotated[Number, Field(gt=0, le=600)]
Values = Annotated[dict[str, Number], AfterValidator(FrozenDict), Field(max_length=20)]


class Step(Value):
    """Keys of all steps."""

    question: Text
    """The question, or an instruction."""
    hints: Annotated[tuple[Text, ...], Field(max_length=4)] = ()
    """Each opened hint costs a quarter of the points."""
    explanation: Text | None = None
    """Shown once the step is done."""
    points: Annotated[Whole, Field(ge=1, le=20)] = 1
    values: Values = Field(default_factory=FrozenDict)
    """Numbers of the model with which the step begins, by path. The flock then restarts."""


class Option(Value):
    """An answer to choose."""

    text: Text
    right: bool = False
    because: Text | None = None
    """Shown after the option is chosen."""


class Choice(Step):
    """A question with answers to choose from. One of them is right."""

    kind: Literal["choice"] = "choice"
    options: Annotated[tuple[Option, ...], Field(min_length=2, max_length=8)]
    reason: bool = False
    """Whether pupils write a reason before the answer is checked."""

    @model_validator(mode="after")
    def _check_right(self) -> Choice:
        right = sum(option.right for option in self.options)
        if right != 1:
            raise ValueError(f"got {right} options with right = true; expected one")
        return self


class Measured(Step):
    """Keys of steps about a measure."""

    measure: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,59}$")]
    """A measure that the page charts."""
    flock: str = ""
    """The flock that is measured; the first one by default."""
    seconds: Seconds = 3.0
    """Seconds at the model's own pace, whatever the speed of the page."""


class Reach(Measured):
    """A measure that pupils bring within bounds for some seconds."""

    kind: Literal["reach"] = "reach"
    min: Number | None = None
    max: Number | None = None

    @model_validator(mode="after")
    def _check_bounds(self) -> Reach:
        lower, upper = (self.min, self.max)
        if (lower is None and upper is None) or not _below(lower, upper):
            raise ValueError(
                f"got min = {lower} and max = {upper}; expected one of them, or min below max"
            )
        return self


class Effect(Measured):
    """A number that pupils change, so that a measure rises or falls."""

    kind: Literal["effect"] = "effect"
    slider: str
    """Path of the number."""
    effect: Literal["rises", "falls"]
    """Required change of the mean of the measure over `seconds`."""
    by: Annotated[Number, Field(gt=0)]
    """Smallest change of the mean."""


class Prediction(Measured):
    """A line that pupils draw before the flock restarts and runs for `seconds`."""

    kind: Literal["prediction"] = "prediction"
    top: Annotated[Number, Field(gt=0)] = 1.0
    """Upper end of the axis."""
    within: Annotated[Number, Field(gt=0)] | None = None
    """Largest mean distance of the line from the measure. None: any line has the points."""


AnyStep = Annotated[Choice | Reach | Effect | Prediction, Field(discriminator="kind")]


class Task(Value):
    """Steps with a question and a check. Pages show them beside the flock."""

    title: Text
    about: Text | None = None
    """Introduction above the first question."""
    model: str
    """Name of the model of the page."""
    start: Values = Field(default_factory=FrozenDict)
    """Numbers of the model with which the page begins, by path."""
    passing: Annotated[Whole, Field(ge=0, le=100)] = 60
    """Smallest percentage of the points with which the task is passed."""
    steps: Annotated[tuple[AnyStep, ...], Field(min_length=1, max_length=20)]

    @cached_property
    def digest(self) -> bytes:
        """SHA-256 of what is checked, and of the title. Codes of results are computed with it."""
        checked = _without_texts(to_plain(self)) | {"title": text_in(self.title)}
        text = json.dumps(checked, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).digest()


def _below(lower: float | None, upper: float | None) -> bool:
    return lower is None or upper is None or lower < upper


TEXTS = ("title", "about", "question", "explanation", "text", "because", "hints")
"""Keys of texts, and of lists of them."""


def text_in(text: Any, language: str = "en") -> str:
    """Return a text in a language, else in English, else in its first language."""
    if isinstance(text, str):
        return text
    return str(text.get(language) or text.get("en") or next(iter(text.values())))


def _without_texts(value: Any) -> Any:
    """Return a part of a task without its texts; of hints, which cost points, their number."""
    if isinstance(value, list):
        return [_without_texts(item) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: len(part) if key == "hints" else _without_texts(part)
        for key, part in value.items()
        if key == "hints" or key not in TEXTS
    }


def in_language(task: Task, language: str) -> dict[str, Any]:
    """Return a task as a page has it: in one language, or in all with an empty word."""

    def chosen(value: Any, key: str = "") -> Any:
        if isinstance(value, list):
            return [chosen(item, key) for item in value]
        if not isinstance(value, dict):
            return value
        if key in TEXTS:
            return text_in(value, language)
        return {name: chosen(item, name) for name, item in value.items()}

    table: dict[str, Any] = to_plain(task)
    return chosen(table) if language else table


def published_tasks() -> dict[str, str]:
    """Return name -> TOML text of the tasks that come with murmurate, in alphabetical order."""
    folder = resources.files("murmurate.classroom") / "tasks"
    files = sorted(file.name for file in folder.iterdir() if file.name.endswith(ENDING))
    return {
        name.removesuffix(ENDING): (folder / name).read_text(encoding="utf-8") for name in files
    }


def load_task(name: str | os.PathLike[str]) -> Task:
    """Load a task of murmurate by name, or a task file by path.

    Parameters
    ----------
    name : str or path
        A name, such as "three-rules", or the path of a TOML file.

    Returns
    -------
    Task

    Raises
    ------
    TaskError
        For an unknown name, and for a file that is not a task. The message names all wrong keys.
    """
    path, published = Path(name), published_tasks()
    if path.suffix == ENDING or path.is_file():
        try:
            text = read_file(path, MAX_BYTES, "Leave out all but the task").decode("utf-8")
        except UnicodeDecodeError:
            raise TaskError(
                f"{path}: got other bytes; expected text in UTF-8. Save it as UTF-8"
            ) from None
        except ModelError as error:
            raise TaskError(str(error)) from None
        return parse_task(text, str(path))
    if str(name) not in published:
        hint = closest(str(name), published)
        remedy = f"Did you mean {hint}?" if hint else f"Tasks: {list_names(list(published))}"
        raise TaskError(
            f"task: got {shorten(str(name))}; expected the name of a task, or a file that ends in "
            f"{ENDING}. {remedy}"
        )
    return parse_task(published[str(name)], f"{name}{ENDING}")


def parse_task(text: str, where: str = "task.toml") -> Task:
    """Parse the TOML text of a task. Raises TaskError; `where` names its file."""
    try:
        return Task(**read_toml(text))
    except TextError as error:
        raise TaskError(f"{where}: not a TOML file: {error}") from None
    except ModelError as error:
        lines = [line.removeprefix("Task.") for line in str(error).splitlines()]
        raise TaskError("\n".join(f"{where}: {line}" for line in lines)) from None


def check_task(
    task: Task, model: Model, numbers: Mapping[str, Any], measures: Sequence[str]
) -> None:
    """Raise TaskError if a page of a model cannot show the steps of a task.

    numbers  numbers that the page can change, by path
    measures  measures that the page charts
    """
    lines = list(_faults(task, model, numbers, measures))
    if lines:
        raise TaskError("\n".join(lines))


def _faults(
    task: Task, model: Model, numbers: Mapping[str, Any], measures: Sequence[str]
) -> Iterator[str]:
    if task.model != model.name:
        yield (
            f"task.model: got {task.model!r}; expected {model.name!r}, the model of the page. Make "
            f"the page of {task.model}"
        )
        return
    for k, step in enumerate(task.steps):
        where = f"task.steps.{k}"
        paths = {f"values.{path}": path for path in step.values}
        if isinstance(step, Effect):
            paths["slider"] = step.slider
        for key, path in paths.items():
            if not isinstance(numbers.get(path), int | float) or isinstance(numbers[path], bool):
                yield (
                    f"{where}.{key}: got {path!r}; expected a number of the model that the page "
                    f"can change{did_you_mean(path, numbers)}"
                )
        if not isinstance(step, Measured):
            continue
        if step.measure not in measures:
            yield (
                f"{where}.measure: got {step.measure!r}; expected one that the page charts: "
                f"{', '.join(measures)}"
            )
        if step.flock and step.flock not in model.flocks:
            yield f"{where}.flock: got {step.flock!r}; expected {' or '.join(model.flocks)}"


def model_for(task: Task, model: Model) -> Model:
    """Return the model of a task's page: with its numbers, and charts of its measures alone."""
    measures = dict.fromkeys(step.measure for step in task.steps if isinstance(step, Measured))
    if task.model != model.name:
        return model
    changes: dict[str, Any] = dict(task.start)
    if measures and not model.view.charts:
        changes["view.charts"] = list(measures)
    try:
        return model.set(changes)
    except ModelError as error:
        lines = str(error).splitlines()
        raise TaskError("\n".join(f"task.start: {line}" for line in lines)) from None

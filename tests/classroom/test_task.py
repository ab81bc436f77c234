"""Task files: what is read, what is refused, and the tasks that come with murmurate."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import murmurate as mm
from cases import cases
from murmurate.classroom.task import (
    check_task,
    in_language,
    model_for,
    parse_task,
    published_tasks,
)
from murmurate.errors import TaskError
from murmurate.show.scene import values

NAMES = list(published_tasks())
STEP = 'kind = "reach"\nquestion = "q"\nmeasure = "polarization"\n'
REFUSED = {
    "no steps": ('title = "t"\nmodel = "p5"', "steps: is missing"),
    "two right answers": (
        'options = [{ text = "a", right = true }, { text = "b", right = true }]',
        "steps.0: got 2 options with right = true; expected one",
    ),
    "no bound": (STEP, "steps.0: got min = None and max = None; expected one of them"),
    "bounds the wrong way round": (STEP + "min = 2\nmax = 1", "steps.0: got min = 2.0"),
    "a misspelt key": (STEP + "max = 1\nmeassure = 3", "steps.0.meassure: no such key: did you"),
    "a language that is none": (
        STEP.replace('"q"', '{ english = "q" }') + "max = 1",
        "steps.0.question: got the language 'english'; expected a code of two or three letters",
    ),
    "a text that is none": (
        STEP.replace('"q"', "3") + "max = 1",
        "steps.0.question: got 3; expected 1 to 800 characters of text",
    ),
    "an unknown kind": ('kind = "quiz"\nquestion = "q"', "steps.0: no kind 'quiz'"),
    "too long": (STEP + "max = 1\nseconds = 601", "steps.0.seconds: got 601; expected a number"),
    "no TOML": ("[[", "not a TOML file"),
}


def text_of(step: str) -> str:
    if "kind" not in step and "options" in step:
        step = f'kind = "choice"\nquestion = "q"\n{step}'
    head = 'title = "t"\nmodel = "p5"\n[[steps]]\n'
    return head + step if "question" in step else step


@cases("case", REFUSED)
def test_a_wrong_task_is_refused_by_its_key(case: str) -> None:
    step, expected = REFUSED[case]
    with pytest.raises(TaskError) as raised:
        parse_task(text_of(step), "mine.toml")
    assert str(raised.value).startswith(f"mine.toml: {expected}")


@cases("name", NAMES)
def test_a_published_task_fits_its_model(name: str) -> None:
    task = mm.load_task(name)
    model = model_for(task, mm.load(task.model))
    measured = {getattr(step, "measure", None) for step in task.steps} - {None}
    assert not measured or measured == set(model.view.charts)
    check_task(task, model, values(model), list(measured))
    assert parse_task(published_tasks()[name]).digest == task.digest


@cases("name", NAMES)
def test_a_published_task_has_all_texts_in_four_languages(name: str) -> None:
    def texts(value: Any) -> list[str]:
        if isinstance(value, dict):
            return [text for key, part in value.items() if key != "values" for text in texts(part)]
        return [text for part in value for text in texts(part)] if isinstance(value, list) else (
            [value] if isinstance(value, str) else []
        )  # fmt: skip

    task = mm.load_task(name)
    every = in_language(task, "")
    for language in ("en", "es", "fr", "pt"):
        own = in_language(task, language)
        assert isinstance(own["title"], str) and "{" not in str(own["title"])
        assert len(texts(own)) < len(texts(every))
    table = [every["title"], *(step["question"] for step in every["steps"])]
    assert all(set(text) == {"en", "es", "fr", "pt"} for text in table)


def test_what_the_page_cannot_have_is_named() -> None:
    model = mm.load("p5")
    task = parse_task(
        'title = "t"\nmodel = "p5"\n[[steps]]\nkind = "effect"\nquestion = "q"\nby = 1\n'
        'measure = "speeed"\nslider = "rules.alignmet.weight"\neffect = "rises"\nflock = "cows"\n'
    )
    with pytest.raises(TaskError) as raised:
        check_task(task, model, values(model), ["polarization", "speed"])
    assert str(raised.value).splitlines() == [
        "task.steps.0.slider: got 'rules.alignmet.weight'; expected a number of the model that the "
        "page can change (did you mean rules.alignment.weight?)",
        "task.steps.0.measure: got 'speeed'; expected one that the page charts: polarization, "
        "speed",
        "task.steps.0.flock: got 'cows'; expected boids",
    ]
    with pytest.raises(TaskError, match=r"task\.model: got 'p5'; expected 'ucl', .* Make"):
        check_task(task, mm.load("ucl"), {}, [])


def test_names_and_files(tmp_path: Path) -> None:
    with pytest.raises(TaskError, match=r"got three-ruls; .* Did you mean three-rules\?"):
        mm.load_task("three-ruls")
    with pytest.raises(TaskError, match=r"no-such\.toml: cannot be read"):
        mm.load_task(tmp_path / "no-such.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(TaskError, match=r"bytes.toml: got other bytes; expected text in UTF-8"):
        mm.load_task(tmp_path / "bytes.toml")
    task = mm.load_task("springs")
    assert model_for(task, mm.load("ucl")).flocks["boids"].count == 60
    wrong = task.model_copy(update={"start": {"rules.nobody.weight": 1.0}})
    with pytest.raises(TaskError, match=r"task\.start: "):
        model_for(wrong, mm.load("ucl"))

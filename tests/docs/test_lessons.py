"""The lessons: each notebook runs, what it says of its numbers holds, and it is stored clean."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any

import pytest
from page_blocks import ROOT
from page_links import assert_links_lead_somewhere

import murmurate as mm

FOLDER = ROOT / "docs" / "lessons"
LESSONS = sorted(FOLDER.glob("*.ipynb"))

# What a lesson's text says of its numbers, as an expression of its names. Seeds are fixed; bounds
# are wide, since machines round differently and flocks enlarge that.
CLAIMS = {
    "1-three-rules": [
        "all(29 <= b - a <= 34 for a, b in zip(minima, minima[1:]))",
        "polarization(fly([cohesion, separation, alignment]))[200] > 0.7",
        "polarization(fly([cohesion, separation]))[200] < 0.5",
        "size(fly([separation, alignment]))[200] > 1.5 * size(fly([cohesion, separation]))[200]",
        "size(fly([cohesion, alignment]))[200] < 10 < size(fly(list(three.values())))[200] < 60",
        "gaps[19] < 1e-6 and gaps[60] > 1e3 * gaps[19]",
        "checked(own := lambda x, v: (x.mean(0) - x) / 100, cohesion_answer, *start()) is own",
        "checked(lambda x, v: v, cohesion_answer, *start()) is cohesion_answer",
        "checked(lambda x, v: 0, cohesion_answer, *start()) is cohesion_answer",
    ],
    "2-neighbours": [
        "share_of_mutual(lambda me: within(birds, me, 1.5)) == 1",
        "0.65 < share_of_mutual(lambda me: nearest(birds, me, 7)) < 0.9",
        "share_of_mutual(lambda me: in_view(birds, headings, me, 60)) < 0.5",
        "np.abs(small / 0.5 - large / 2.0).max() < 1e-3",
        "order(topological.set({'rules.heading-alignment.nearest': 1})).value < 0.5",
        "order(stretched(topological, 6)).value > 0.8 > 0.25 > order(stretched(metric, 6)).value",
        "0.4 < np.pi * 1.5**2 / middle**2 < 1",
        "checked(lambda *_: range(7), nearest_answer, birds, 0, 7) is nearest_answer",
    ],
    "3-order-and-noise": [
        "4 * np.mean(errors['textbook']) < 1.5 * run_means.std(ddof=1)",
        "1.5 * np.mean(errors['textbook']) < np.mean(errors['with the memory of the run'])",
        "all(means.loc[(40, n)]['mean'] > means.loc[(400, n)]['mean'] + 0.05 for n in noises[3:])",
        "max(wander, key=lambda noise: wander[noise].value) in (3.5, 4.0, 4.5, 5.0)",
        "abs(wander[6.0].value - (1 - np.pi / 4)) < 0.06",
    ],
    "4-predators-obstacles-wind": [
        "max(course(12, 300)[1]) > 6000 > 4500 > max(course(9, 300)[1])",
        "abs(course(0)[2][-1] / course(9)[2][-1] - 1) < 0.15",
        "found['polarization'][1].value < 0.76 < 0.84 < found['polarization'][-1].value",
        "found['polarization'][0].value < 0.7",
        "found['predator_distance'][-1].value > 2 * found['predator_distance'][1].value",
        "passed(gap(100), 2, 400)[-1] < 0.4 * passed(gap(200), 2, 400)[-1]",
    ],
    "5-real-fish": [
        "not found or 0.6 < mine.mean() < 0.76",
        "abs(polarization(np.array([[1, 0], [np.nan, 0], [0, 1]])) - 0.5**0.5) < 1e-12",
        "120 < fitted.best['rules.distance.radius'] < 250",
        "7 < again.best['rules.alignment.weight'] <= 15",
    ],
    "6-a-rule-of-your-own": [
        "rule.finish(rule.pair(me, to_the_left), me)[1] == -1",
        "rule.finish(rule.pair(me, to_the_right), me)[1] == 1",
        "found[-1][0].value > 2 * found[0][0].value",
        "found[-1][1].value < found[0][1].value - 0.1",
        "mm.milling(birds) > 0.5",
    ],
    "7-how-sure-which-model": [
        "fitted.varied[0].interval[0] < TRUTH < fitted.varied[0].interval[1]",
        "all(row.verdict == 'fits' for row in fitted.compared if row.name == 'polarization')",
        "[score.name for score in compared.scores if score.worse] == ['the nearest 4']",
        "fewer.scores[1].difference_error > 0",
    ],
    "8-from-tracks-to-a-rule": [
        "np.abs(response.value - truth(r)).max() < 0.1",
        "averaged[0] > truth(r[0]) / 2 and averaged[14] > 10 * truth(r[14])",
        "1.3 < widths[0] / widths[1] < 3",
        "all(min(runs[n]) < table[n].value < max(runs[n]) for table in measured for n in MEASURES)",
        "min(simple_runs['radius_of_gyration']) > 2 * max(runs['radius_of_gyration'])",
        "max(simple_runs['absolute_milling']) < min(runs['absolute_milling'])",
        "checked(lambda a, o: 0, towards_answer, np.ones(2), np.eye(2)) is towards_answer",
        "fish is None or max(school_runs['nearest_neighbour_distance']) < 90",
    ],
}  # fmt: skip

FEWER = {
    "2-neighbours": {
        "runs=8": "runs=2", "steps=400, warm_up=150": "steps=80, warm_up=20",
        "factors = [1, 1.5, 2, 3, 4, 6]": "factors = [1, 6]",
        "half_angles = [20, 45, 90, 135, 179]": "half_angles = [20, 135]",
        '"The 7 nearest"': '"The 7 nearest", "flocks.boids.count": 40',
    },
    "3-order-and-noise": {"steps=1500": "steps=600", "seeds=4": "seeds=2"},
    "5-real-fish": {
        "runs=90, seeds=2, steps=960, warm_up=320": "runs=16, seeds=2, steps=120, warm_up=20",
        "steps=2400, warm_up=640": "steps=240, warm_up=40",
    },
    "7-how-sure-which-model": {
        "runs=60": "runs=10", "predictions=24": "predictions=9", "steps=250": "steps=90",
    },
    "8-from-tracks-to-a-rule": {
        '"flocks.boids.count": 60': '"flocks.boids.count": 20', "number=12": "number=2",
    },
}  # fmt: skip
"""Lessons that take half a minute, and smaller numbers."""


def cells(lesson: Path, kind: str) -> list[str]:
    found = json.loads(lesson.read_text(encoding="utf-8"))["cells"]
    return ["".join(cell["source"]) for cell in found if cell["cell_type"] == kind]


def run(texts: list[str], folder: Path) -> dict[str, Any]:
    """Run the cells of a lesson, with nothing filled in; return its names."""
    plt = pytest.importorskip("matplotlib.pyplot")
    pytest.importorskip("pandas")
    pytest.importorskip("IPython")
    names: dict[str, Any] = {"__name__": "lesson"}
    with plt.rc_context():
        plt.switch_backend("agg")
        for number, text in enumerate(texts):
            file = folder / f"cell_{number}.py"  # the text of rules is read from it
            file.write_text(text, encoding="utf-8")
            exec(compile(text, str(file), "exec", dont_inherit=True), names)
            for figure in map(plt.figure, plt.get_fignums()):
                figure.canvas.draw()  # as a notebook does
            plt.close("all")
    return names


@pytest.mark.parametrize(
    "lesson",
    [
        pytest.param(one, marks=pytest.mark.long if one.stem in FEWER else pytest.mark.slow)
        for one in LESSONS
    ],
    ids=[lesson.stem for lesson in LESSONS],
)
def test_a_lesson_runs_and_says_the_truth(lesson, tmp_path, monkeypatch):
    """Long tests make the live pages of all flocks."""
    monkeypatch.chdir(tmp_path)
    if lesson.stem not in FEWER:
        make_one_live_page(monkeypatch)
    names = run(cells(lesson, "code"), tmp_path)
    for claim in CLAIMS[lesson.stem]:
        assert eval(claim, names), claim


@pytest.mark.slow
@pytest.mark.parametrize("name", FEWER)
def test_a_long_lesson_runs_with_smaller_numbers(name, tmp_path, monkeypatch):
    """Every cell, with fewer runs and steps: what it says of its numbers need not hold."""
    monkeypatch.chdir(tmp_path)
    texts = cells(FOLDER / f"{name}.ipynb", "code")
    for number, smaller in FEWER[name].items():
        assert any(number in text for text in texts), number
        texts = [text.replace(number, smaller) for text in texts]
    make_one_live_page(monkeypatch)
    assert run(texts, tmp_path)


def make_one_live_page(monkeypatch):
    """Live pages have a flock whose page other tests compile: compilation takes seconds."""
    live_page = mm.live_page

    def page(model, path=None, **options):
        inspect.signature(live_page).bind(model, path, **options)
        return live_page("p5", path, force=options.get("force", False))

    monkeypatch.setattr(mm, "live_page", page)


def test_there_are_eight_each_in_the_index_and_for_teachers():
    assert [lesson.stem for lesson in LESSONS] == list(CLAIMS) and len(LESSONS) == 8
    index = (FOLDER / "index.md").read_text(encoding="utf-8")
    teachers = (FOLDER / "teachers.md").read_text(encoding="utf-8")
    for number, lesson in enumerate(LESSONS, 1):
        title = cells(lesson, "markdown")[0].splitlines()[0]
        assert title.startswith(f"# Lesson {number}: ")
        assert f"]({lesson.name})" in index
        assert f"\n## {number}: " in teachers


@pytest.mark.parametrize("lesson", LESSONS, ids=[lesson.stem for lesson in LESSONS])
def test_a_lesson_is_stored_clean(lesson):
    """Without outputs, with ids that differ, and folded in every tool alike, so that a change shows
    as what was changed."""
    text = lesson.read_text(encoding="utf-8")
    stored = json.loads(text)
    assert text == json.dumps(stored, indent=1, ensure_ascii=False) + "\n"
    assert (stored["nbformat"], stored["nbformat_minor"]) == (4, 5)
    ids = [cell["id"] for cell in stored["cells"]]
    assert len(set(ids)) == len(ids) and all(re.fullmatch(r"[\w-]{1,64}", one) for one in ids)
    for cell in stored["cells"]:
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None, cell["id"]
            folded = {"hide-cell", "hide-input"} & set(cell["metadata"].get("tags", []))
            hidden = cell["metadata"].get("jupyter", {}).get("source_hidden", False)
            assert bool(folded) == hidden, cell["id"]


@pytest.mark.parametrize("lesson", LESSONS, ids=[lesson.stem for lesson in LESSONS])
def test_the_words_of_a_lesson(lesson):
    """Its links lead somewhere, what is unfolded is closed, and there is something to guess."""
    words = "\n".join(cells(lesson, "markdown"))
    assert_links_lead_somewhere(words, lesson)
    assert words.count("<details>") == words.count("</details>") == words.count("<summary>") >= 2
    assert words.count("**Guess") >= 3
    assert any("_answer" in one or "# an answer" in one for one in cells(lesson, "code"))

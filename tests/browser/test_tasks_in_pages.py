"""Tasks in pages: each that comes with murmurate is done, on a desktop and on a phone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from accessibility import SMALL, violations

import murmurate as mm
from murmurate.classroom.task import Choice, Effect, Prediction, Task, published_tasks
from processes import until

pytestmark = pytest.mark.slow  # beside the tests of codes and of task files, for its time

SIZES = {"desktop": (1280, 800), "phone": (390, 844)}
PUPIL = "Ana Ñ."
# what a pupil types to do each step about a measure, by task and step
DOES: dict[tuple[str, int], tuple[str, float]] = {
    ("three-rules", 1): ("rules.alignment.weight", 0),
    ("three-rules", 2): ("rules.alignment.weight", 1),
    ("springs", 1): ("rules.alignment.weight", 0.5),
    ("springs", 2): ("rules.cohesion.weight", 0.04),
    ("seven-neighbours", 1): ("flocks.boids.motion.noise", 3.5),
    ("order-and-noise", 0): ("flocks.boids.motion.noise", 3),
    ("wind", 2): ("rules.separation.radius", 200),
    ("predator", 1): ("rules.flee.weight", 0.05),
    ("gate", 1): ("rules.separation.radius", 200),
    ("gate", 2): ("flocks.boids.motion.max_speed", 60),
    ("mills-and-schools", 1): ("rules.orientation.radius", 6),
    ("own-rule", 1): ("rules.cohesion.weight", -0.5),
    ("own-rule", 2): ("rules.separation.weight", 0),
    ("how-sure", 0): ("flocks.boids.count", 300),
}
# handles of the lines that are near enough, in fiftieths of the axis
LINES = {
    ("three-rules", 3): [5, 47, 48, 48, 48, 48],
    ("seven-neighbours", 2): [5, 40, 41, 42, 43, 42],
    ("order-and-noise", 1): [6, 6, 6, 6, 6, 6],
    ("mills-and-schools", 2): [4, 8, 28, 40, 43, 44],
}


class Pupil:
    """Somebody who does a task in a page."""

    def __init__(self, tab: Any, name: str) -> None:
        self.tab, self.name, self.task = tab, name, mm.load_task(name)

    def find(self, test: str) -> Any:
        return self.tab.locator(f"[data-test={test}]")

    def type(self, path: str, value: float) -> None:
        """Open the panel and the part of it that has a number, and type another one."""
        if self.find("panel").get_attribute("aria-pressed") == "false":
            self.find("panel").click()
        field = self.tab.locator(f"[data-value-path='{path}'], input.value[data-path='{path}']")
        motion = self.tab.locator(".panel summary", has_text="Motion").first
        opener = motion if ".motion." in path else self.find(f"more-{path.split('.')[1]}")
        until(lambda: field.is_visible() or opener.is_visible())
        if not field.is_visible():
            opener.click()
        field.fill(str(value))
        field.press("Enter")
        if self.tab.viewport_size["width"] < 720:
            self.find("panel").click()

    def step(self, k: int) -> None:
        step = self.task.steps[k]
        if isinstance(step, Choice):
            right = next(n for n, option in enumerate(step.options) if option.right)
            self.find(f"option-{right}").check()
            if step.reason:
                self.find("reason").fill("They copy each other.")
            self.find("check").click()
        elif isinstance(step, Prediction):
            for n, height in enumerate(LINES[self.name, k]):
                self.find(f"handle-{n}").fill(str(height))
            self.find("check").click()
        elif (self.name, k) in DOES:
            if isinstance(step, Effect):
                until(lambda: "now move the slider" in self.find("watching").inner_text())
            self.type(*DOES[self.name, k])
        until(lambda: self.find("next").is_visible())

    def play(self) -> str:
        """Do all steps. Returns the code of the result."""
        until(lambda: self.find("question").is_visible())
        self.find("speed").fill("100")
        for k in range(len(self.task.steps)):
            self.step(k)
            self.find("next").click()
        self.find("pupil").fill(PUPIL)
        return str(self.find("code").inner_text())


@pytest.mark.parametrize("name", published_tasks())
def test_a_task_is_done_on_a_desktop_and_on_a_phone(
    tab: Any, tmp_path: Path, shots: Path, name: str
) -> None:
    pupil = Pupil(tab, name)
    page = mm.task_page(pupil.task.model, tmp_path / "page.html", task=pupil.task)
    tab.context.set_offline(True)
    tab.add_init_script("if (location.protocol === 'file:') sessionStorage.clear()")
    for kind, (width, height) in SIZES.items():
        tab.set_viewport_size({"width": width, "height": height})
        tab.goto("about:blank")
        tab.goto(page.path.as_uri())
        result = mm.check_code(pupil.play(), pupil.task)
        assert (result.name, result.score, result.passed) == (PUPIL, 100, True)
        tab.screenshot(path=shots / f"task-{name}-{kind}.png")
        assert not tab.evaluate("document.documentElement.scrollWidth > innerWidth")


def page_of(tmp_path: Path, task: str = "three-rules", **options: Any) -> str:
    path = tmp_path / "page.html"
    model = mm.load(mm.load_task(task).model)
    return mm.task_page(model, path, task=task, force=True, **options).path.as_uri()


def focused(tab: Any) -> str:
    """The data-test of what has the focus."""
    return str(
        tab.evaluate(
            "document.querySelector('#murmurate').shadowRoot.activeElement?.dataset.test ?? ''"
        )
    )


@pytest.mark.parametrize(
    ("kind", "language"), [("desktop", "en"), ("phone", "es"), ("phone", "fr"), ("desktop", "pt")]
)
def test_every_kind_of_step_breaks_no_rule_of_wcag(
    tab: Any, tmp_path: Path, kind: str, language: str
) -> None:
    tab.set_viewport_size(dict(zip(("width", "height"), SIZES[kind], strict=True)))
    style: Any = "light" if kind == "phone" else "dark"
    tab.goto(page_of(tmp_path, view=mm.View(style=style, language=language)))
    find = Pupil(tab, "three-rules").find
    for _ in range(4):
        until(lambda: find("question").is_visible())
        if find("hint").count() and find("hint").is_visible():
            find("hint").click()
        assert not violations(tab)
        small = [text for text in tab.evaluate(SMALL) if 'type="radio"' not in text]
        assert not small  # a radio button's label has the size
        find("skip").click()
        assert not violations(tab)
        find("next").click()
    find("pupil").fill("A")
    assert not violations(tab)


def test_a_task_is_done_with_the_keyboard_alone(tab: Any, tmp_path: Path) -> None:
    tab.goto(page_of(tmp_path))
    find = Pupil(tab, "three-rules").find
    until(lambda: find("question").is_visible())
    find("task-fold").focus()
    tab.keyboard.press("Tab")
    assert focused(tab) == "option-0"
    tab.keyboard.press("Space")
    tab.keyboard.press("Tab")
    assert focused(tab) == "reason"
    for _ in range(2):
        tab.keyboard.press("Tab")
    tab.keyboard.press("Tab")
    assert focused(tab) == "check"
    tab.keyboard.press("Enter")
    assert find("said").inner_text() == "Write in one sentence why, then check."
    assert focused(tab) == "reason" and find("said").get_attribute("role") == "status"
    tab.keyboard.type("r and space act on the text")
    for _ in range(3):
        tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")
    assert focused(tab) == "next" and "Right: 1 point." in find("said").inner_text()
    tab.keyboard.press("Enter")
    until(lambda: focused(tab) == "question")
    for _ in range(2):
        find("skip").press("Enter")
        find("next").press("Enter")
    until(lambda: find("handle-0").count() == 1)
    find("handle-1").focus()
    before = tab.locator(".area circle").nth(1).get_attribute("cy")
    tab.keyboard.press("ArrowUp")
    assert float(tab.locator(".area circle").nth(1).get_attribute("cy")) < float(before)


def test_answers_hints_and_a_reload(tab: Any, tmp_path: Path) -> None:
    """A wrong answer costs half of the points and a hint a quarter; a reload loses neither."""
    address = page_of(tmp_path)
    tab.goto(address)
    pupil = Pupil(tab, "three-rules")
    find = pupil.find
    find("check").click()
    assert find("said").inner_text() == "Choose an answer first."
    find("option-1").check()
    find("reason").fill("why")
    find("check").click()
    assert find("said").inner_text().startswith("No: no rule looks for the fastest")
    find("hint").click()
    tab.goto("about:blank")
    tab.goto(address)
    until(lambda: "Click a boid" in tab.locator(".hints").inner_text())
    pupil.step(0)
    assert "Right: 0.25 points." in find("said").inner_text()
    find("next").click()
    for _ in range(3):
        find("skip").click()
        find("next").click()
    find("pupil").fill("x")
    result = mm.check_code(find("code").inner_text(), pupil.task)
    assert result.points == (0.25, 0, 0, 0) and not result.passed
    find("again").click()
    assert find("question").inner_text().startswith("No boid leads")


def test_a_line_is_drawn_with_the_pointer(tab: Any, tmp_path: Path) -> None:
    task = mm.load_task("three-rules")
    only = Task(**{**task.model_dump(), "steps": [task.steps[3].model_dump()]})
    path = tmp_path / "line.html"
    mm.task_page("p5", path, task=only)
    tab.goto(path.as_uri())
    pupil = Pupil(tab, "three-rules")
    pupil.find("check").click()
    assert pupil.find("said").inner_text().startswith("Draw your line first")
    box = tab.locator(".area").bounding_box()
    tab.mouse.move(box["x"] + 5, box["y"] + box["height"] - 24)
    tab.mouse.down()
    for part in range(11):
        tab.mouse.move(box["x"] + 26 + part * (box["width"] - 34) / 10, box["y"] + 10)
    tab.mouse.up()
    heights = [int(pupil.find(f"handle-{k}").input_value()) for k in range(6)]
    assert all(height > 45 for height in heights[1:])
    pupil.find("speed").fill("100")
    pupil.find("check").click()
    until(lambda: pupil.find("next").is_visible())
    assert "Your line is off by 0." in pupil.find("said").inner_text()
    assert len(tab.locator(".area .found").get_attribute("points").split()) > 10


def test_a_task_speaks_the_language_of_the_page(tab: Any, tmp_path: Path, shots: Path) -> None:
    tab.goto(page_of(tmp_path, view=mm.View(language="es")))
    find = Pupil(tab, "three-rules").find
    until(lambda: find("question").is_visible())
    assert find("question").inner_text().startswith("Ningún boid es el líder")
    assert find("check").inner_text() == "Comprobar" and find("skip").inner_text() == "Saltar"
    tab.screenshot(path=shots / "task-es.png")
    size = Path(tmp_path / "page.html").stat().st_size
    page_of(tmp_path)
    assert size < Path(tmp_path / "page.html").stat().st_size  # which has all languages

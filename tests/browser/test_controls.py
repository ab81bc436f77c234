"""The panel's numbers in a real browser: refused beside their slider, undone, explained."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from test_live_view import STONE
from views import ORDERED, View

from processes import LIMIT

WEIGHT = "rules.alignment.weight"


def fault_of(page: View, path: str) -> str:
    """What is said beside a number, to all: by the element that describes its field."""
    field = page.tab.locator(f"input[data-value-path='{path}']")
    return str(
        field.evaluate(
            "field => field.getRootNode().getElementById(field.getAttribute('aria-describedby'))"
            ".innerText"
        )
    )


def test_a_number_that_cannot_be_is_refused_beside_its_slider(view: Any, shots: Any) -> None:
    page = view()
    field = page.tab.locator(f"input[data-value-path='{WEIGHT}']")
    page.slide(WEIGHT, "abc")  # type: ignore[arg-type]
    assert "“abc” is not a number. Allowed: a number. The value is still 0.6." in fault_of(
        page, WEIGHT
    )
    assert field.input_value() == "0.6" and page.model.rules["alignment"].weight == 0.6
    page.picture(shots, "live-refused")
    page.click("more-alignment")
    radius = "rules.alignment.radius"
    page.slide(radius, 0)
    assert "“0” is too small. Allowed: a number above 0, or inf." in fault_of(page, radius)
    page.slide(WEIGHT, 0.5)
    page.true(lambda: page.model.rules["alignment"].weight == 0.5, "weight 0.5")
    assert fault_of(page, WEIGHT) == ""
    tab = page.tab
    assert tab.get_by_role("slider", name="alignment weight", exact=True).count() == 1
    word = tab.get_by_role("button", name="What is radius?", exact=True)
    word.focus()
    word.press("Enter")
    assert tab.locator(".note:visible").inner_text().startswith("Sensing radius")


def test_changes_are_undone_by_the_page_that_made_them(view: Any) -> None:
    page = view(STONE)
    page.until("handles.length > 0")

    def weight(rule: str) -> Any:
        return page.model.rules[rule].weight

    first = tuple(page.model.obstacles["stone"].centre)
    handle = next(h for h in page.hook("handles") if "stone" in h["path"])
    page.drag(tuple(handle["at"]), (handle["at"][0] + 60, handle["at"][1] - 60))
    page.true(lambda: tuple(page.model.obstacles["stone"].centre) != first, "it moved")
    slider = page.tab.locator("input[type=range][data-path='rules.flee.weight']")
    box = slider.bounding_box()
    page.drag((box["x"] + 40, box["y"] + 5), (box["x"] + 60, box["y"] + 5))
    page.true(lambda: weight("flee") != 0.05, "the slider moved")
    controller = page.session.controller
    page.session.submit(lambda: controller.set({"rules.cohesion.weight": 0.002}) or {})
    page.true(lambda: weight("cohesion") == 0.002, "another page's change")
    page.tab.locator("input[data-rule=flee]").evaluate("box => box.click()")
    page.true(lambda: weight("flee") == 0, "off")

    page.click("undo")
    page.true(lambda: weight("flee") not in (0, 0.05), "on, with the weight it had")
    page.tab.keyboard.press("Control+z")
    page.true(lambda: weight("flee") == 0.05, "the drag of a slider is one change")
    page.tab.keyboard.press("Control+z")
    page.true(lambda: tuple(page.model.obstacles["stone"].centre) == first, "the stone is back")
    page.tab.keyboard.press("Control+z")
    page.tab.get_by_text("nothing to undo").wait_for(timeout=LIMIT * 1000)
    assert weight("cohesion") == 0.002
    for _ in range(3):
        page.tab.keyboard.press("Control+Shift+z")
    page.true(lambda: weight("flee") == 0, "off again")
    assert tuple(page.model.obstacles["stone"].centre) != first


def test_what_is_typed_stays_while_a_saved_file_makes_the_controls_again(
    view: Any, tmp_path: Path
) -> None:
    page = view()
    page.click("more-alignment")
    page.click("edit-alignment")
    area = page.tab.locator("[data-test=text-alignment]")
    text = area.input_value()
    area.fill(f"# so far\n{text}")
    field = page.tab.locator("input[data-value-path='rules.jitter.weight']")
    field.fill("0.")
    saved = ORDERED.replace("weight = 0.6", 'weight = { kind = "normal", mean = 0.6, sd = 0.1 }')
    (tmp_path / "flock.toml").write_text(saved)
    page.tab.locator(f"[data-value-path='{WEIGHT}.sd']").wait_for(timeout=LIMIT * 1000)
    assert field.input_value() == "0." and area.input_value() == f"# so far\n{text}"
    assert page.model.rules["jitter"].weight == 0.25  # not the part that is typed
    page.tab.keyboard.type("5")
    page.tab.keyboard.press("Enter")
    page.true(lambda: page.model.rules["jitter"].weight == 0.5, "what was typed")


def test_a_slider_goes_on_while_a_saved_file_adds_a_rule(view: Any, tmp_path: Path) -> None:
    page = view()
    slider = page.tab.locator(f"input[type=range][data-path='{WEIGHT}']")
    box = slider.bounding_box()
    y, mouse = box["y"] + box["height"] / 2, page.tab.mouse
    mouse.move(box["x"] + 0.3 * box["width"], y)
    mouse.down()
    saved = f'{ORDERED}[rules.swirl]\nkind = "cohesion"\nradius = 10\nweight = 0\n'
    (tmp_path / "flock.toml").write_text(saved)
    page.until("viewport.overlay.rules.includes('swirl')")
    mouse.move(box["x"] + 0.8 * box["width"], y)
    mouse.up()
    page.true(lambda: page.model.rules["alignment"].weight > 0.6, "the slider moved")
    page.tab.locator("[data-rule=swirl]").wait_for(timeout=LIMIT * 1000)
    assert slider.get_attribute("aria-valuetext") == str(page.model.rules["alignment"].weight)

"""Numbers that differ between boids, and boids that join and leave, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from accessibility import violations
from views import ORDERED, pictures

import murmurate as mm
from processes import until

WEIGHT = "rules.alignment.weight"
POND = """\
name = "pond"
[space]
size = [40, 40]
boundary = "periodic"
[flocks.boids]
count = 30
max_boids = 300
start = { kind = "box", velocity = { kind = "directions", speed = 0.4 } }
motion = { kind = "constant-speed", speed = 0.4 }
[rules.alignment]
radius = 10
weight = { kind = "uniform", min = 0.1, max = 0.9 }
[population.inlet]
kind = "source"
rate = 2
[population.deaths]
kind = "deaths"
rate = 0.05
"""


def differ(page: Any, path: str) -> Any:
    """Return the menu that lets a number differ between boids."""
    return page.tab.locator(f"[data-differ='{path}']")


def test_a_number_is_let_to_differ_and_its_spread_is_changed(view: Any, shots: Path) -> None:
    page = view(ORDERED)
    page.click("more-alignment")
    differ(page, WEIGHT).select_option("normal")
    page.true(lambda: page.model.traits_of("boids") == (WEIGHT,), "a distribution")
    assert page.model.rules["alignment"].weight == mm.Normal(mean=0.6, sd=0.12)
    step = page.session.frame.step
    page.slide(f"{WEIGHT}.sd", 0.3)
    page.true(lambda: page.model.rules["alignment"].weight.sd == 0.3, "another spread")
    assert page.session.frame.step >= step  # the flock goes on
    page.tab.locator(f"[data-colour='{WEIGHT}']").click()
    page.true(lambda: "alignment weight" in page.text("legend"), "a legend")
    pictures(page.tab, 4)
    page.picture(shots, "live-differs")
    assert not violations(page.tab)
    page.click("undo")
    page.true(lambda: page.model.rules["alignment"].weight.sd == 0.12, "undone")
    page.click("undo")
    page.true(lambda: page.model.rules["alignment"].weight == 0.6, "one number again")
    page.tab.locator(f"input[data-value-path='{WEIGHT}']").wait_for()
    page.click("redo")
    page.true(lambda: page.model.traits_of("boids") == (WEIGHT,), "redone")
    page.true(lambda: differ(page, WEIGHT).input_value() == "normal", "the page shows it")
    differ(page, WEIGHT).select_option("same")
    page.true(lambda: page.model.rules["alignment"].weight == 0.6, "one number for all")


def test_the_icon_of_a_number_lets_it_differ(view: Any) -> None:
    page = view(ORDERED.replace("radius = 19", "radius = 12"))
    page.click("more-alignment")
    radius = "rules.alignment.radius"
    differ(page, radius).select_option("uniform")
    page.true(lambda: page.model.traits_of("boids") == (radius,), "another radius for each boid")
    assert page.model.rules["alignment"].radius == mm.Uniform(min=7.2, max=16.8)
    refused = page.tab.locator(f"[data-distribution='{radius}'] > .fault")
    page.slide(f"{radius}.max", 30)
    page.true(lambda: "at least 60" in refused.inner_text(), "too large for the torus")


def test_boids_come_and_go_on_the_page(view: Any, shots: Path) -> None:
    page = view(POND)
    page.until("step > 60")
    changes = page.text("changes")
    assert "joined" in changes and "left" in changes
    page.pause()
    flock = page.session.frame["boids"]
    assert page.hook("N") == len(flock)
    rows = page.hook("rows()")
    assert sorted(boid for _, boid in rows if boid >= 0) == flock.ids.tolist()
    newest = max(rows, key=lambda entry: entry[1])
    x, y = page.hook(f"screen({rows.index(newest)})")
    assert x > 0 and y > 0
    page.click("play")
    page.picture(shots, "live-pond")


def test_the_chosen_boid_is_followed_until_it_leaves(view: Any) -> None:
    page = view(POND)
    page.until("step > 20")
    page.pause()
    spots = [
        page.hook(f"screen({row})")
        for row, (_, boid) in enumerate(page.hook("rows()"))
        if boid >= 0
    ]
    x, y = next(at for at in spots if 330 < at[0] < 900 and 80 < at[1] < 600)
    page.tab.mouse.click(x, y)
    page.true(lambda: page.hook("chosen") is not None, "a chosen boid")
    _, chosen = page.hook("rows()")[page.hook("chosen")]
    card = page.tab.locator("[data-test=boid]")
    page.true(lambda: f"boids {chosen}" in card.inner_text(), "its card")
    page.true(lambda: "alignment weight" in card.inner_text(), "its own number")
    page.slide("population.deaths.rate", 5)
    page.click("play")
    page.true(lambda: "has left the flock" in card.inner_text(), "it left")
    assert page.hook("chosen") is None


def test_a_page_of_a_pond_plays(tab: Any, tmp_path: Path, shots: Path) -> None:
    path = tmp_path / "pond.html"
    page = mm.replay_page(mm.parse(POND), path, steps=80, seed=1)
    tab.context.set_offline(True)
    tab.goto(path.as_uri())
    read = "document.querySelector('#murmurate')?.__murmurate"
    until(lambda: tab.evaluate(f"({read}?.drawn ?? 0) > 1"))
    tab.locator("[data-test=pause]").click()
    scrub = tab.locator("[data-test=scrub]")
    scrub.evaluate("e => { e.value = '79'; e.dispatchEvent(new Event('input')); }")
    last = page.last_frame["boids"]
    until(lambda: tab.evaluate(f"{read}.step") == 80)
    assert tab.evaluate(f"{read}.N") == len(last)
    ids = [boid for _, boid in tab.evaluate(f"{read}.rows()") if boid >= 0]
    assert sorted(ids) == last.ids.tolist()
    joined = last.n_ever - 30
    left = last.n_ever - len(last)
    until(
        lambda: f"{joined} joined · {left} left" in tab.locator("[data-test=changes]").inner_text()
    )
    tab.locator("[data-test=panel]").click()
    tab.locator("[data-test=colour-number]").select_option(WEIGHT)
    until(lambda: "alignment weight" in tab.locator("[data-test=legend]").inner_text())
    tab.screenshot(path=shots / "replay-pond.png")
    scrub.evaluate("e => { e.value = '0'; e.dispatchEvent(new Event('input')); }")
    until(lambda: tab.evaluate(f"{read}.step") <= 2)  # between the first two frames
    assert tab.evaluate(f"{read}.N") < 40

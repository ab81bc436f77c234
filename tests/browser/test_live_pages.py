"""Pages of the live view in a real browser: they come and go, are several, and save films."""

from __future__ import annotations

from pathlib import Path

import pytest
from views import ORDERED, View

import murmurate as mm
from processes import LIMIT

pytestmark = pytest.mark.slow  # beside the README's command, for its time


def test_another_flock(view, shots):
    page = view()
    page.tab.locator("[data-test=zoo]").first.select_option("agentpy-2d")
    page.true(lambda: page.session.controller.running.name == "agentpy-2d", "agentpy-2d")
    page.until("scene.includes('agentpy') || hook.N != 60")
    page.until("drawn > 3")
    page.picture(shots, "live-other")


def test_reload_and_a_second_page(view, tab, shots):
    page = view()
    page.slide("rules.jitter.weight", 0.5)
    page.true(lambda: page.model.rules["jitter"].weight == 0.5, "0.5")
    step = page.session.frame.step
    page.open()  # comes back to the same flock
    assert page.session.frame.step >= step
    box = page.tab.locator("input[data-value-path='rules.jitter.weight']").first
    page.true(lambda: float(box.input_value()) == 0.5, "the number it had")
    other = View(tab.context.new_page(), page.live_view).open()
    other.slide("rules.jitter.weight", 0.125)
    page.true(lambda: float(box.input_value()) == 0.125, "the other page's number")
    assert len(page.session.pages) == 2
    other.tab.close()
    page.true(lambda: len(page.session.pages) == 1, "one page")
    page.picture(shots, "live-two")


def test_a_file_saved_with_a_mistake_and_mended(view, tmp_path, shots):
    page = view()
    file = tmp_path / "flock.toml"
    file.write_text(ORDERED.replace("weight = 0.6", "wieght = 0.6"))
    notice = page.tab.locator("[data-test=notice]")
    page.true(lambda: "wieght" in "".join(notice.all_inner_texts()), "the mistake")
    step = page.session.frame.step
    page.true(lambda: page.session.frame.step > step + 3, "the flock flies on")
    page.picture(shots, "live-mistake")
    file.write_text(ORDERED.replace("weight = 0.6", "weight = 0.3"))
    page.true(lambda: page.model.rules["alignment"].weight == 0.3, "mended")
    page.true(lambda: "wieght" not in "".join(notice.all_inner_texts()), "no notice")


def test_copy_model(view, tab):
    page = view()
    tab.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.slide("rules.jitter.weight", 0.375)
    page.true(lambda: page.model.rules["jitter"].weight == 0.375, "0.375")
    page.click("copy-model")
    tab.get_by_text("to the clipboard").first.wait_for(timeout=LIMIT * 1000)
    text = tab.evaluate("navigator.clipboard.readText()")
    assert mm.parse(text).rules["jitter"].weight == 0.375


def test_copy_model_where_the_clipboard_is_closed(view, tab):
    tab.add_init_script(
        "Object.defineProperty(navigator, 'clipboard', "
        "{value: {writeText: () => Promise.reject(new Error('closed'))}})"
    )
    page = view()
    page.click("copy-model")
    area = tab.locator("[data-test=toml]").first
    area.wait_for(timeout=LIMIT * 1000)
    assert mm.parse(area.input_value()).rules["alignment"].weight == 0.6


def saved(page: View, *buttons: str) -> Path:
    """The file that comes when buttons are clicked, and again when its link is."""
    with page.tab.expect_download(timeout=LIMIT * 1000) as first:
        for button in buttons:
            page.click(button)
    link = page.tab.locator("[data-test=made-link]").first
    with page.tab.expect_download() as again:
        link.click()
    download, repeated = Path(first.value.path()), Path(again.value.path())
    assert download.read_bytes() == repeated.read_bytes()
    assert again.value.suggested_filename.startswith("ordered.")
    return repeated


def test_save_page(view):
    text = saved(view(), "save-page").read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE html>") and "A flock that agrees" in text
    assert len(text) > 80_000


def test_save_film(view):
    import av

    page = view()
    page.click("save-film")
    page.click("film-unit-steps")
    page.tab.locator("[data-test=film-length]").fill("0")
    page.click("film-make")
    fault = page.tab.locator(".film [data-test=fault]")
    assert "“0” is too small. Allowed: a whole number from 1 to 20,000." in fault.inner_text()
    page.tab.locator("[data-test=film-length]").fill("8")
    film = saved(page, "film-size-square", "film-make")
    with av.open(str(film)) as opened:
        stream = opened.streams.video[0]
        pictures = [picture.to_ndarray(format="rgb24") for picture in opened.decode(stream)]
    assert pictures[0].shape == (1080, 1080, 3)
    assert len(pictures) == 8
    assert (pictures[0] != pictures[-1]).any()


def test_a_film_that_is_refused_is_not_being_made(view, monkeypatch):
    page = view()

    def refuse(steps: int, size: tuple[int, int]) -> int:
        raise mm.ModelError("films: none today\nask again tomorrow")

    monkeypatch.setattr(page.session.jobs, "start_film", refuse)
    page.click("save-film")
    page.click("film-make")
    notice = page.tab.locator("[data-test=notice]")
    notice.get_by_text("none today").wait_for(timeout=LIMIT * 1000)
    page.true(lambda: notice.count() == 1, "nothing else is said")
    assert notice.locator("div").inner_text().splitlines()[-1] == "ask again tomorrow"


def test_the_end_is_said(view, shots):
    page = view()
    page.tab.expected.append("WebSocket connection to")  # it tries to come back, again and again
    page.live_view.close()
    lost = page.tab.locator("[data-test=lost]")
    lost.first.wait_for(timeout=LIMIT * 1000)
    assert "ended" in lost.first.inner_text().lower() or "closed" in lost.first.inner_text().lower()
    page.picture(shots, "live-ended")

"""Pages in other languages: each text is translated, fits its place, and breaks no rule of WCAG."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from accessibility import violations
from live_pages import LivePage
from views import FEWER_PICTURES

import murmurate as mm
from message_sources import extraction
from murmurate.show import html_file, languages
from processes import until

pytestmark = pytest.mark.slow  # beside the README's command, for its time

OPEN_ALL = """async () => {
  const root = document.querySelector("#murmurate").shadowRoot;
  const panel = root.querySelector("[data-test=panel]");
  if (panel.getAttribute("aria-pressed") !== "true") panel.click();
  for (const details of root.querySelectorAll("details")) details.open = true;
  for (const button of root.querySelectorAll("[data-test^=more-], .term")) {
    if (button.getAttribute("aria-expanded") === "false") button.click();
  }
  await Promise.all(root.getAnimations({subtree: true}).map((one) => one.finished));
}"""
CUT = """() => {
  const root = document.querySelector("#murmurate").shadowRoot;
  const wide = (one) => one.clientWidth > 0 && one.scrollWidth > one.clientWidth + 1;
  const beyond = (one) => one.getBoundingClientRect().right > innerWidth + 1;
  return [...root.querySelectorAll("button, summary, .label, .panel > footer, .transport, kbd, dd")]
    .filter((one) => one.checkVisibility() && (wide(one) || beyond(one)))
    .map((one) => one.outerHTML.slice(0, 200));
}"""
"""Controls and labels whose text does not fit."""
OUTSIDE = """() => {
  const root = document.querySelector("#murmurate").shadowRoot;
  const outside = (text) => {
    let [depth, rest] = [0, ""];
    for (const letter of text) {
      if (letter === "‹") depth++;
      else if (letter === "›") depth--;
      else if (depth === 0) rest += letter;
    }
    return /[A-Za-z]{2,}/.test(rest.replace(/WebGPU|WebAssembly|boids|-D/g, "")) ? [rest] : [];
  };
  const found = [];
  const names = ["h1", "h2", "p", "button", "summary", "span", "dd", "dt", "label", "output"];
  for (const one of root.querySelectorAll(names)) {
    const whole = !one.querySelector("p, button, span, code");
    const read = whole && !one.closest(".cite, .story, .mono, code");
    if (read) found.push(...outside(one.textContent));
  }
  for (const name of ["title", "aria-label", "aria-valuetext"]) {
    for (const one of root.querySelectorAll(`[${name}]`)) {
      if (!one.closest(".cite")) found.push(...outside(one.getAttribute(name)));
    }
  }
  return [...new Set(found)];
}"""
"""What is read in the page outside of ‹ ›."""


@pytest.fixture
def reader(chromium: Any) -> Iterator[Callable[..., Any]]:
    """Makes a page in a browser of a language."""
    contexts = []

    def make(locale: str, width: int = 1280, height: int = 720) -> Any:
        size = {"width": width, "height": height}
        contexts.append(chromium.new_context(viewport=size, locale=locale, offline=True))
        contexts[-1].add_init_script(FEWER_PICTURES)
        return contexts[-1].new_page()

    yield make
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A live page and a replay of a model of the lessons."""
    folder = tmp_path_factory.mktemp("pages")
    mm.live_page("parker-gate", folder / "live.html")
    options = mm.RunOptions("reference")
    mm.replay_page("ucl", folder / "replay.html", steps=3, options=options)
    return {name: folder / f"{name}.html" for name in ("live", "replay")}


@pytest.mark.parametrize("kind", ["live", "replay"])
@pytest.mark.parametrize("language", ["es", "fr", "pt"])
def test_texts_fit_and_no_rule_is_broken(
    reader: Callable[..., Any], pages: dict[str, Path], language: str, kind: str
) -> None:
    for width, height in ((1280, 720), (390, 844)):
        tab = reader(language, width, height)
        tab.goto(pages[kind].as_uri())
        tab.locator("canvas:visible").first.wait_for()
        assert tab.evaluate("document.documentElement.lang") == language
        tab.evaluate(OPEN_ALL)
        assert tab.evaluate(CUT) == []
        assert not violations(tab)
        tab.keyboard.press("?")
        assert tab.evaluate(CUT) == []


def test_numbers_are_written_and_read_as_the_language_has_them(
    reader: Callable[..., Any], pages: dict[str, Path]
) -> None:
    page = LivePage(reader("es-ES"), pages["live"].as_uri()).open()
    path = "rules.separation.weight"
    for typed in ("0,25", "0.75"):
        page.type(path, typed)
        assert page.number(path).input_value() == typed.replace(".", ",")
    until(lambda: page.in_link().get("values") == {path: 0.75})


@pytest.mark.parametrize("kind", ["live", "replay"])
def test_every_text_is_translated(
    reader: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    """In a language that puts each message between ‹ and ›."""
    messages = list(extraction().messages())
    keys = [each.context + "\u0004" * bool(each.context) + each.text for each in messages]
    texts = (f"‹{each.text}›" + (f"\t‹{each.many}›" if each.many else "") for each in messages)
    table = {
        "language": "",
        "plurals": {"es": "10" + "1" * 198},
        "keys": base64.b64encode(b"".join(map(languages.key_of, keys))).decode(),
        "texts": "\n".join(texts),
    }
    monkeypatch.setattr(html_file, "words", lambda *_: json.dumps(table))
    path = tmp_path / "page.html"
    if kind == "live":
        mm.live_page("sort-sol", path)
    else:
        mm.replay_page("ucl", path, steps=3, options=mm.RunOptions("reference"))
    tab = reader("es")
    tab.goto(path.as_uri())
    tab.locator("canvas:visible").first.wait_for()
    tab.evaluate(OPEN_ALL)
    assert tab.evaluate(OUTSIDE) == []
    tab.keyboard.press("?")
    assert tab.evaluate(OUTSIDE) == []

"""The documentation site: built by its command, opened from disk without a network, and walked."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from accessibility import SMALL, violations
from live_pages import LivePage

import murmurate as mm
from fresh_environment import Environment, need_an_index
from processes import ran_well, until

pytestmark = pytest.mark.site

ROOT = Path(__file__).resolve().parents[2]
KINDS = ["index.html", "gallery.html", "compare.html", "docs/index.html", "docs/reference.html"]
KINDS += ["docs/models/couzin-2002.html", "docs/measures/milling.html", "docs/api/rules.html"]
LARGEST = 60_000_000  # bytes
MAX_RUNNING = 4
EVERY = [5, pytest.param(1, marks=pytest.mark.long)]
"""Which of pages that are alike are opened: each fifth, with -m long all."""
DELAY = """{
  const listen = window.addEventListener.bind(window);
  window.addEventListener = (kind, call, ...how) =>
    listen(kind, kind === "message" ? (event) => setTimeout(call, %d, event) : call, ...how);
}"""
"""Messages between windows arrive some milliseconds later."""


@pytest.fixture(scope="session")
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its folder, made as the README says; in a fresh environment with its extra alone, unless this
    one has it. Warnings of the build fail. No lesson is run in its kernel, and few flocks have live
    pages; with -m long all, in a fresh environment. test_lessons.py runs all lessons, and
    test_wasm_pages.py all flocks."""
    folder = tmp_path_factory.mktemp("built") / "site"
    long = request.config.option.markexpr.startswith("long")
    words = (ROOT / "docs" / "make_site.py", *([] if long else ["--quick"]), "-o", folder)
    if find_spec("myst_nb") and not long:
        ran_well(sys.executable, *words, cwd=ROOT, limit=1800)
        return folder
    need_an_index()
    fresh = Environment(tmp_path_factory.mktemp("docs") / "venv")
    fresh.install("docs")
    fresh.ran_well(*words, cwd=ROOT, limit=1800)
    return folder


@pytest.fixture
def opened(site: Path, tab: Any) -> Callable[[str], Any]:
    """Opens a page of it by its path."""
    tab.context.set_offline(True)

    def go(path: str) -> Any:
        file, query = re.fullmatch(r"([^?#]*)(.*)", path).groups()  # type: ignore[union-attr]
        tab.goto("about:blank")
        tab.goto((site / file).as_uri() + query)
        return tab

    return go


class Page(HTMLParser):
    """What a page refers to, and the places in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.parts: list[str] = []
        self.anchors: set[str] = set()
        self.without_text: list[str] = []
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attributes}
        self.anchors.update(filter(None, (values.get("id"), values.get("name"))))
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        elif tag == "link" and values.get("rel") in ("stylesheet", "icon", "preload"):
            self.parts.append(values["href"])
        self.parts += [values[name] for name in ("src", "data-live") if values.get(name)]
        if tag == "img" and "alt" not in values:
            self.without_text.append(values["src"])


def own_pages(site: Path) -> list[Path]:
    """All but live pages, and templates that the theme has left there."""
    others = (site / "live", site / "_static")
    return sorted(path for path in site.rglob("*.html") if path.parent not in others)


def test_every_link_leads_somewhere(site: Path) -> None:
    pages = {path: Page(path) for path in own_pages(site)}
    assert len(pages) > 100
    wrong = []
    for path, page in pages.items():
        for target in (*page.links, *page.parts):
            parts = urlsplit(target)
            if parts.scheme:
                if target in page.parts and parts.scheme != "data":
                    wrong.append(f"{path.relative_to(site)}: {target} is fetched")
                continue
            other = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment)
            exists = (
                other not in pages or not anchor or "=" in anchor or anchor in pages[other].anchors
            )
            if not other.exists() or not exists:
                wrong.append(f"{path.relative_to(site)}: {target}")
    assert not wrong, "\n".join(wrong)


def test_lessons_can_be_downloaded(site: Path) -> None:
    lessons = sorted((ROOT / "docs" / "lessons").glob("*.ipynb"))
    assert lessons
    for lesson in lessons:
        page = site / "docs" / "lessons" / f"{lesson.stem}.html"
        (link,) = (link for link in Page(page).links if link.endswith(".ipynb"))
        assert (page.parent / unquote(link)).read_bytes() == lesson.read_bytes()


def test_pictures_have_words_for_those_who_do_not_see_them(site: Path) -> None:
    without = {path.name: Page(path).without_text for path in own_pages(site)}
    assert not any(without.values()), without


def test_it_is_small_enough_to_hand_on(site: Path) -> None:
    assert sum(path.stat().st_size for path in site.rglob("*") if path.is_file()) < LARGEST


@pytest.mark.parametrize("every", EVERY)
def test_every_page_opens_without_an_error(
    site: Path, opened: Callable[[str], Any], every: int
) -> None:
    """What a console says is noticed by `tab`."""
    broken = (
        "() => [...document.images].filter((i) => i.complete && !i.naturalWidth).map((i) => i.src)"
    )
    for path in own_pages(site)[::every]:
        tab = opened(path.relative_to(site).as_posix())
        assert tab.evaluate(broken) == [], path
        assert tab.evaluate("document.body.scrollWidth <= innerWidth"), path


@pytest.mark.parametrize("path", KINDS)
def test_nothing_is_wider_than_a_phone(opened: Callable[[str], Any], tab: Any, path: str) -> None:
    tab.set_viewport_size({"width": 390, "height": 844})
    opened(path)
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_rule_of_accessibility_is_broken(
    opened: Callable[[str], Any], tab: Any, scheme: str
) -> None:
    tab.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    more = ["docs/why-no-flock.html", "docs/lessons/1-three-rules.html"]
    wrong = {path: violations(opened(path)) for path in KINDS + more}
    assert not any(wrong.values()), wrong


@pytest.mark.parametrize("width", [390, 1280])
def test_controls_are_large_enough_for_fingers(
    opened: Callable[[str], Any], tab: Any, width: int
) -> None:
    tab.set_viewport_size({"width": width, "height": 844})
    paths = [*KINDS, "docs/lessons/1-three-rules.html", "search.html"]
    small = {path: opened(path).evaluate(SMALL) for path in paths}
    assert not any(small.values()), small


def test_every_live_page_moves(site: Path, tab: Any) -> None:
    tab.context.set_offline(True)
    pages = [path for name in mm.zoo() for path in (site / "live").glob(f"{name}.html")]
    live = [path for path in pages if 'id="murmurate-flight"' in path.read_text("utf-8")]
    assert len(pages) == len(mm.zoo()) and len(live) >= 6
    for path in live:
        assert LivePage(tab, path.as_uri()).open().hook("step") > 0


def test_search_finds_what_is_looked_for(opened: Callable[[str], Any]) -> None:
    tab = opened("search.html?q=milling")
    results = tab.locator("#search-results li a")
    until(lambda: results.count() > 3)
    assert any("milling" in text for text in results.all_inner_texts())
    excerpts = tab.locator("#search-results .excerpt")
    until(lambda: excerpts.count() == tab.locator("#search-results li").count())
    marked = tab.locator("#search-results .excerpt mark").all_inner_texts()
    assert marked and all(word.lower().startswith("mill") for word in marked)


def test_the_gallery_finds_animals_authors_rules_and_words(opened: Callable[[str], Any]) -> None:
    tab = opened("gallery.html")
    field, tiles = tab.locator(".filters input"), tab.locator(".tile:visible strong")
    expected = {
        "sheep": "strombom-2014", "Reynolds": "p5", "predator": "parker-predator",
        "predators": "sort-sol", "torus": "p5", "attraction": "couzin-2002",
    }  # fmt: skip
    for word, name in expected.items():
        field.fill(word)
        names = tiles.all_inner_texts()
        assert name in names and len(names) < len(mm.zoo()), (word, names)
    field.fill("unicorn")
    assert tiles.count() == 0
    assert "unicorn" in tab.locator(".empty").inner_text()
    tab.locator(".empty button").click()
    assert tiles.count() == len(mm.zoo())


@pytest.mark.parametrize("width", [360, 1024, 1920])
def test_no_table_of_a_model_is_cut_off(opened: Callable[[str], Any], tab: Any, width: int) -> None:
    tab.set_viewport_size({"width": width, "height": 900})
    for name in ("couzin-2002", "vasarhelyi-2018", "starlings"):
        opened(f"docs/models/{name}.html")
        cut = tab.evaluate(
            "[...document.querySelectorAll('.bd-article table')].map(({parentElement: e}) => "
            "e.scrollWidth - e.clientWidth)"
        )
        assert max(cut) <= 0, (name, width, cut)


def running_pages(tab: Any) -> int:
    return int(tab.locator(".flock iframe").count())


def test_the_first_page_runs_a_flock(opened: Callable[[str], Any]) -> None:
    tab = opened("index.html")
    tab.locator(".hero .flock.flies").wait_for()
    tab.mouse.move(600, 300)
    frame = tab.frames[1]
    step = "document.querySelector('#murmurate').__murmurate.step"
    first = frame.evaluate(step)
    until(lambda: frame.evaluate(step) > first)
    assert frame.locator(".murmurate.bare").count() == 1


def test_the_gallery_runs_visible_flocks(opened: Callable[[str], Any]) -> None:
    tab = opened("gallery.html")
    tiles = tab.locator(".tile:visible")
    assert tiles.count() == len(mm.zoo())
    late = tiles.filter(has=tab.locator("strong", has_text="vicsek-1995"))
    late.scroll_into_view_if_needed()
    late.hover()
    late.locator(".flock.flies").wait_for()
    assert running_pages(tab) <= MAX_RUNNING
    until(lambda: tiles.first.locator("iframe").count() == 0)
    tab.locator("[data-filter=predators]").click()
    assert 0 < tiles.count() < 10
    tab.locator(".filters input").fill("strombom")
    until(lambda: tiles.count() == 1)


def test_a_flock_rests_for_those_who_want_less_motion(
    opened: Callable[[str], Any], tab: Any
) -> None:
    tab.emulate_media(reduced_motion="reduce")
    opened("gallery.html")
    assert running_pages(tab) == 0
    tab.locator(".tile .fly").first.click()
    tab.locator(".flock.flies").wait_for()


def test_a_button_sets_the_sliders(opened: Callable[[str], Any]) -> None:
    tab = opened("docs/models/parker-wind.html")
    tab.locator(".flock.flies").wait_for()
    tab.locator(".tries button", has_text="Calm").click()
    wind = "input.value[data-path='rules.wind.weight'], [data-value-path='rules.wind.weight']"
    until(
        lambda: (
            tab.frames[1].locator(wind).count() and tab.frames[1].locator(wind).input_value() == "0"
        )
    )


def test_a_link_holds_both_sides_of_a_comparison(opened: Callable[[str], Any]) -> None:
    tab = opened("compare.html")
    for side, name in (("a", "parker-wind"), ("b", "p5")):
        tab.locator(f"[data-side={side}] select").first.select_option(name)
        tab.locator(f"[data-side={side}] .flock.flies").wait_for()
    tab.locator("[data-side=a] .setting").select_option(label="Calm: the flock moves freely")
    until(lambda: "fa=" in tab.url)
    link = tab.url
    tab.goto("about:blank")
    tab.goto(link)
    chosen = (
        "[...document.querySelectorAll('.side select')].map((one) => one.selectedOptions[0].text)"
    )
    assert tab.evaluate(chosen) == [
        "parker-wind",
        "Calm: the flock moves freely",
        "p5",
        "As published",
    ]
    assert tab.url == link


@pytest.mark.parametrize("late", [0, 250], ids=["at once", "messages are late"])
def test_both_sides_of_a_comparison_run_in_lockstep(
    opened: Callable[[str], Any], tab: Any, late: int
) -> None:
    """At the models' own paces: 48 and 24 steps in a second; whatever is on its way between the
    pages when a button is pressed."""
    tab.add_init_script(DELAY % late)
    opened("compare.html#a=vicsek-1995&b=couzin-2002")
    sides = [tab.frame_locator(f"[data-side={side}] iframe") for side in "ab"]

    def steps() -> list[int]:
        script = "element => element.__murmurate?.step ?? -1"
        return [side.locator("#murmurate").evaluate(script) for side in sides]

    def button(side: int, name: str) -> Any:
        return sides[side].locator(f"[data-test={name}]:visible")

    def until_level(min_level: int) -> int:
        """They rest at the same second, but for half a step; the second one's step."""
        for side in (0, 1):
            button(side, "play").wait_for()
        until(lambda: min_level <= steps()[1] == steps()[0] // 2)
        return steps()[1]

    for side in "ab":
        tab.locator(f"[data-side={side}] .flock.flies").wait_for()
    until(lambda: min(steps()) > 12)
    button(0, "pause").click()
    paused = until_level(6)
    button(1, "step").click()
    assert until_level(paused + 1) == paused + 1
    button(1, "play").click()
    until(lambda: steps()[1] > paused + 6)
    button(1, "pause").click()
    until_level(paused + 6)
    button(1, "restart").click()
    until(lambda: steps() == [0, 0])
    button(0, "play").click()
    until(lambda: min(steps()) > 6)

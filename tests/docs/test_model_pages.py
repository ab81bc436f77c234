"""docs/models has a page a flock, as docs/make_models.py makes them of the model files."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import sys
from pathlib import Path

import pytest
from page_blocks import ROOT, blocks, commands
from page_links import headings

import murmurate as mm
from cases import cases
from murmurate.cli import main

DOCS = ROOT / "docs"
sys.path.insert(0, str(DOCS))

import make_models  # noqa: E402

ZOO = sorted(mm.zoo())
PAGES = [DOCS / "models" / f"{name}.md" for name in ZOO]
HEAVIEST = {"figures": 150_000, "stills": 60_000}


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return make_models.pages()


@cases("page", PAGES)
def test_a_page_is_what_the_model_file_says(page: Path, made: dict[str, str]) -> None:
    text = page.read_text(encoding="utf-8")
    assert text == made[page.name], "run: python docs/make_models.py"


@cases("page", PAGES)
def test_every_result_was_flown(page: Path) -> None:
    assert "not computed yet" not in page.read_text(encoding="utf-8"), (
        f"run: python docs/make_models.py --full-verdicts {page.stem}"
    )


def test_there_is_a_page_for_each_model_and_no_other() -> None:
    assert {page.name for page in (DOCS / "models").glob("*.md")} == {p.name for p in PAGES}


def test_the_readme_counts_and_lists_all_models() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    assert f"one of [{len(mm.zoo())} models](#published-models)" in text
    table = text.partition("## Published models")[2].partition("## ")[0]
    missing = [name for name in mm.zoo() if f"`{name}`" not in table]
    assert all(name.startswith("parker-") for name in missing), missing  # `-gate`, `-perch`, ...


@cases("page", PAGES)
def test_links_and_pictures_are_there(page: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", page.read_text(encoding="utf-8")):
        if re.match(r"[a-z]+:", target):
            continue
        file, _, heading = target.partition("#")
        path = page.parent / file
        assert path.exists(), target
        assert not heading or heading in headings(path)


@pytest.mark.parametrize("kind", HEAVIEST)
def test_pictures_are_light_and_none_is_left_over(kind: str) -> None:
    used = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    for picture in (DOCS / kind).glob("*"):
        assert f"../{kind}/{picture.name}" in used, f"{picture.name} is on no page"
        assert picture.stat().st_size < HEAVIEST[kind], picture.name


@cases("name", ZOO)
def test_every_model_is_to_be_seen(name: str) -> None:
    """By a still, which the site's gallery shows; and by its figure, where it has one."""
    assert (DOCS / "stills" / f"{name}.png").exists(), (
        f"run: python docs/make_models.py --stills {name}"
    )
    assert (DOCS / "figures" / f"{name}.png").exists() == bool(mm.load(name).figure)


def test_every_model_can_be_chosen() -> None:
    """All of them are linked from the table of models."""
    text = (DOCS / "models.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\(models/([\w-]+)\.md\)", text)) == set(ZOO)


def test_the_page_of_populations_shows_the_river() -> None:
    text = (DOCS / "population.md").read_text(encoding="utf-8")
    example = next(block.text for block in blocks(DOCS / "population.md") if "[pop" in block.text)
    assert example.strip() in mm.zoo()["river"] and "(models/river.md)" in text


@pytest.mark.slow
@cases("page", PAGES)
def test_commands_of_a_page_are_ones(page: Path) -> None:
    """Films are only looked at here: their settings are, by `show`."""
    lines = [line for block in blocks(page) for line in commands(block.text)]
    assert lines
    for line in lines:
        words = shlex.split(line)
        assert words[:1] == ["murmurate"] and words[1] in ("show", "film") and words[2] == page.stem
        with contextlib.redirect_stdout(io.StringIO()) as said:
            settings = [word for word in words[2:] if word != "-o" and not word.endswith(".mp4")]
            assert main(["show", *settings]) == 0, line
        assert mm.load(page.stem).title.split()[0] in said.getvalue()


@pytest.mark.long
@pytest.mark.parametrize("page", PAGES, ids=ZOO)
def test_films_of_a_page_are_made(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for block in blocks(page):
        for line in commands(block.text):
            words = shlex.split(line)[1:]
            small = [
                "--steps",
                "4",
                "--size",
                "64x64",
                "--quiet",
                "--force",
                "--set",
                "view.every=2",
            ]
            assert main([*words, *(small if words[0] == "film" else [])]) == 0, line

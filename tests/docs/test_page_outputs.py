"""All pages can be followed one after another in one folder, and say where they need a clone."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest
from page_blocks import PAGES, ROOT, Block, blocks
from page_outputs import outputs

from cases import cases

NEEDS_CLONE = re.compile(
    r"python (examples|docs|benchmarks)/|pip install (-e )?\"?\.|(?<![\w(/])docs/\S+\.toml"
)
MODELS = sorted((ROOT / "docs" / "models").glob("*.md"))


def test_no_two_recipes_write_the_same_file() -> None:
    """A command refuses to replace a file, so a reader of two pages would see an error."""
    places = defaultdict(list)
    for page in PAGES:
        for block in blocks(page):
            for name in outputs(block):
                places[name].append(block.where)
    assert len(places) > 40
    assert not {name: where for name, where in places.items() if len(where) > 1}


@pytest.mark.parametrize("page", MODELS, ids=lambda page: page.stem)
def test_the_changes_to_try_of_a_model_have_films_of_their_own(page) -> None:
    lines = [
        line
        for block in blocks(page)
        for line in block.text.splitlines()
        if "murmurate film" in line
    ]
    films = [re.search(r"-o (\S+)", line)[1] for line in lines]
    assert films and len(set(films)) == len(films)


@cases("page", PAGES)
def test_pages_say_that_a_recipe_needs_a_clone(page) -> None:
    text = page.read_text(encoding="utf-8")
    needing = [block for block in blocks(page) if NEEDS_CLONE.search(block.text)]
    if any(block.language in ("console", "bash") for block in needing):
        before = text.split("```" + needing[0].language + "\n" + needing[0].text)[0]
        assert re.search(r"\b[Cc]lone\b", before), f"{needing[0].where}: say to clone first"


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("murmurate film p5", {"p5.mp4"}),
        ("murmurate film run.zarr --steps 3", {"run.mp4"}),
        ("murmurate still p5 --at 3 -o a.png", {"a.png"}),
        ("murmurate new p5 mine.toml", {"mine.toml"}),
        ("murmurate export run.zarr run.usdc --every 4", {"run.usdc"}),
        ("murmurate sweep p5 --vary dt=1,2 -o phase/", {"phase"}),
        ("murmurate show p5", set()),
    ],
)
def test_outputs_of_commands(line, names) -> None:
    assert outputs(Block(ROOT, 1, "console", f"$ {line}\n", "")) == names


def test_outputs_of_python() -> None:
    code = 'mm.film("a.zarr", "b.gif")\nmm.run(model, output="c.zarr")\nmm.load("d.toml")\n'
    assert outputs(Block(ROOT, 1, "python", code, "")) == {"b.gif", "c.zarr"}

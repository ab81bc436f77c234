"""Writes docs/measures/NAME.md, a page for each measure, from what its function says.

    python docs/make_measures.py

The costs come from docs/measure-costs.json, which `python benchmarks/measures.py --costs
docs/measure-costs.json` writes. A test asserts that the pages are what this makes.
"""

from __future__ import annotations

import inspect
import json
import textwrap
from collections.abc import Iterator
from pathlib import Path

from murmurate.measures import MEASURES, Measure

HERE = Path(__file__).parent
FOLDER = HERE / "measures"
COSTS = HERE / "measure-costs.json"
KINDS = {
    "number": "a number of one flock at one moment; over frames its mean, with its error",
    "curve": "a curve of one flock at one moment; over frames the mean at each point, with errors",
    "word": "a word of one flock at one moment; over frames the share of each",
    "frames": "over the frames of a run",
    "per animal": "a number per animal, over the frames of a run; of all its mean, with its error",
    "hunt": "over the frames of a run with predators and prey",
}
NEEDED: dict[str, dict[str, float | str]] = {
    "collisions": {"radius": 0.5},
    "captures": {"radius": 100.0},
    "approaches": {"radius": 1.0},
    "time_in_zone": {"zone": "circle 0 0 10"},
    "share_in_zone": {"zone": "circle 0 0 10"},
    "wall_distance": {"wall": "box -20 -20 20 20"},
}


def pages() -> dict[str, str]:
    """File name -> text."""
    return {f"{name}.md": "\n".join(_page(one)).rstrip() + "\n" for name, one in MEASURES.items()}


def _page(one: Measure) -> Iterator[str]:
    yield f"# {one.name}\n"
    yield f"    {one.definition}\n"
    yield "| | |\n|---|---|"
    yield f"| it is | {KINDS[one.kind]} |"
    yield f"| unit | {'none' if one.unit == '1' else one.unit} |"
    if one.across:
        yield f"| across | {one.across} |"
    yield f"| range | {one.bounds} |"
    for name, value in one.defaults.items():
        yield f"| option | `{name}`, {_default(value)} |"
    for name in one.required:
        yield f"| option | `{name}`, which must be given |"
    if one.source:
        links = ", ".join(f"[{doi}](https://doi.org/{doi})" for doi in one.source.split())
        yield f"| source | {links} |"
    yield ""
    yield from _prose(inspect.getdoc(one.function) or "")
    yield from _example(one)
    yield from _cost(one.name)
    yield "All measures: [measures.md](../measures.md).\n"


def _default(value: object) -> str:
    return "not given unless you do" if value is None else f"`{value}` unless given"


def _prose(doc: str) -> Iterator[str]:
    """The docstring: its paragraphs as they are, its lists of options as text kept in place."""
    for paragraph in doc.split("\n\n"):
        lines = paragraph.splitlines()
        if len(lines) and all("  " in line.strip() or line.startswith(" ") for line in lines):
            yield textwrap.indent(paragraph, "    ") + "\n"
        else:
            yield paragraph.replace("|", "\\|").replace("*", "\\*").replace("<", "\\<") + "\n"


def _example(one: Measure) -> Iterator[str]:
    yield "## An example\n"
    yield "```python\nimport murmurate as mm\n"
    options = NEEDED.get(one.name, {})
    said = "".join(f", {name}={_quoted(value)}" for name, value in options.items())
    if one.kind == "hunt":
        yield 'frames = list(mm.frames(mm.Simulation(mm.load("parker-predator"), seed=2), 40, 2))'
        yield "prey, predators = frames[0].flocks"
        yield f"print(mm.measures.{one.name}(frames, flock=prey, predators=predators{said}))"
    elif one.kind in ("frames", "per animal"):
        yield 'frames = mm.frames(mm.Simulation(mm.load("couzin-2002"), seed=1), 60, 2)'
        yield f"print(mm.measures.{one.name}(frames{said}))"
    else:
        yield 'flock = mm.Simulation(mm.load("couzin-2002"), seed=1).step(50).frame["boids"]'
        yield f"print(mm.measures.{one.name}(flock{said}))"
    yield "```\n"
    words = f"murmurate measure couzin-2002 {one.name}"
    if one.kind == "hunt":
        words = f"murmurate measure parker-predator {one.name} --predators predators --flock boids"
    words += "".join(
        f" --option {one.name}.{name}={_quoted(value)}" for name, value in options.items()
    )
    yield "On the command line, with its standard error:\n"
    yield f"```console\n$ {words} --steps 40\n```\n"


def _quoted(value: float | str) -> str:
    return f'"{value}"' if isinstance(value, str) else f"{value}"


def _cost(name: str) -> Iterator[str]:
    found = json.loads(COSTS.read_text(encoding="utf-8"))
    if not found["seconds"].get(name):
        return
    yield "## What it costs\n"
    yield "| boids | seconds of processor time a frame |\n|---|---|"
    for size, one in found["seconds"][name].items():
        said = f"{one['cpu']:.2g}" if "cpu" in one else f"refused: {one['refused']}"
        yield f"| {int(size):,} | {said} |"
    yield "\nMeasured by `python benchmarks/measures.py` in 3-D; see there for the flock.\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    made = pages()
    for old in FOLDER.glob("*.md"):
        if old.name not in made:
            old.unlink()
    for name, text in made.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

"""Write docs/measures/NAME.md, a page for each measure, from the docstring of its function.

    python docs/make_measures.py

The costs come from docs/measure-costs.json, which `python benchmarks/measures.py --costs
docs/measure-costs.json` writes. A test asserts that the pages are up to date.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from murmurate.measures import MEASURES, Measure

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from numpydoc_text import markdown  # noqa: E402

FOLDER = HERE / "measures"
COSTS = HERE / "measure-costs.json"
KINDS = {
    "number": "number for one flock at one time; over frames, the mean with its error",
    "curve": "curve for one flock at one time; over frames, the mean at each point with errors",
    "word": "word for one flock at one time; over frames, the fraction of each",
    "frames": "value over the frames of a run",
    "per animal": "number per animal over the frames of a run, and the mean with its error",
    "hunt": "value over the frames of a run with predators and prey",
}
EXAMPLE_OPTIONS: dict[str, dict[str, float | str]] = {
    "collisions": {"radius": 0.5},
    "captures": {"radius": 100.0},
    "approaches": {"radius": 1.0},
    "time_in_zone": {"zone": "circle 0 0 10"},
    "share_in_zone": {"zone": "circle 0 0 10"},
    **{
        f"zone_{what}": {"zone": "circle 0 0 10"}
        for what in ("visits", "entries", "exits", "first_entry")
    },
    "wall_distance": {"wall": "box -20 -20 20 20"},
}
EXAMPLE_OPTIONS |= {
    name: {"trait": "speed"} for name, m in MEASURES.items() if "trait" in m.required
}


def pages() -> dict[str, str]:
    """Return file name -> text for all measures."""
    return {
        f"{name}.md": "\n".join(_page(measure)).rstrip() + "\n"
        for name, measure in MEASURES.items()
    }


def _page(measure: Measure) -> Iterator[str]:
    yield f"# {measure.name}\n"
    yield "| | |\n|---|---|"
    yield f"| result | {KINDS[measure.kind]} |"
    for name, value in measure.defaults.items():
        default = "optional" if value is None else f"default `{value}`"
        yield f"| option | `{name}`, {default} |"
    for name in measure.required:
        yield f"| option | `{name}`, required |"
    if measure.source:
        links = ", ".join(f"[{doi}](https://doi.org/{doi})" for doi in measure.source.split())
        yield f"| source | {links} |"
    yield ""
    yield markdown(measure.function)
    yield from _example(measure)
    yield from _cost(measure.name)
    yield "All measures: [measures.md](../measures.md).\n"


def _example(measure: Measure) -> Iterator[str]:
    yield "## Example\n"
    yield "```python\nimport murmurate as mm\n"
    options = EXAMPLE_OPTIONS.get(measure.name, {})
    model = "jolles-2017" if "trait" in measure.required else "couzin-2002"
    model = "swarmalators" if measure.name.startswith("phase_") else model
    arguments = "".join(f", {name}={_quoted(value)}" for name, value in options.items())
    if measure.kind == "hunt":
        yield 'frames = list(mm.frames(mm.Simulation(mm.load("parker-predator"), seed=2), 40, 2))'
        yield "prey, predators = frames[0].flocks"
        flocks = "flock=prey, predators=predators"
        yield f"print(mm.measures.{measure.name}(frames, {flocks}{arguments}))"
    elif measure.kind in ("frames", "per animal"):
        yield f'frames = mm.frames(mm.Simulation(mm.load("{model}"), seed=1), 60, 2)'
        yield f"print(mm.measures.{measure.name}(frames{arguments}))"
    else:
        yield f'flock = mm.Simulation(mm.load("{model}"), seed=1).step(50).frame["boids"]'
        yield f"print(mm.measures.{measure.name}(flock{arguments}))"
    yield "```\n"
    command = f"murmurate measure {model} {measure.name}"
    if measure.kind == "hunt":
        command = (
            f"murmurate measure parker-predator {measure.name} --predators predators --flock boids"
        )
    command += "".join(
        f" --trait {value}"
        if name == "trait"
        else f" --option {measure.name}.{name}={_quoted(value)}"
        for name, value in options.items()
    )
    yield "On the command line, with the standard error:\n"
    yield f"```console\n$ {command} --steps 40\n```\n"


def _quoted(value: float | str) -> str:
    return f'"{value}"' if isinstance(value, str) else f"{value}"


def _cost(name: str) -> Iterator[str]:
    costs = json.loads(COSTS.read_text(encoding="utf-8"))
    if not costs["seconds"].get(name):
        return
    yield "## Cost\n"
    yield "| boids | CPU seconds per frame |\n|---|---|"
    for size, cost in costs["seconds"][name].items():
        text = f"{cost['cpu']:.2g}" if "cpu" in cost else f"refused: {cost['refused']}"
        yield f"| {int(size):,} | {text} |"
    yield "\nMeasured in 3-D by `python benchmarks/measures.py`, which defines the flock.\n"


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    texts = pages()
    for old in FOLDER.glob("*.md"):
        if old.name not in texts:
            old.unlink()
    for name, text in texts.items():
        (FOLDER / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()

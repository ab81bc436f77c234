"""Write docs/models/NAME.md, a page for each model of the zoo, from the model files:

    python docs/make_models.py                        # the pages
    python docs/make_models.py --figures NAME ...     # docs/figures/NAME.png, then the pages
    python docs/make_models.py --stills NAME ...      # docs/stills/NAME.png, then the pages
    python docs/make_models.py --verdicts NAME ...    # docs/models/verdicts.jsonl, then the pages
    python docs/make_models.py --full-verdicts NAME ...   # those of the full tier as well

The tables of errors due to the time step come from `python docs/make_convergence.py`.

Without names they process the whole zoo. Known verdicts are not computed again. A test asserts that
the pages are what this script writes from the model files, verdicts and pictures. Pictures are
made only on request.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import make_convergence

import murmurate as mm
from murmurate.cli import main as murmurate
from murmurate.model.description import (
    describe_entry,
    describe_settings,
    fill_formula,
    format_boids,
    format_number,
)
from murmurate.model.results import Panel
from murmurate.verify import verify
from murmurate.verify.report import describe, describe_bounds, describe_value
from murmurate.verify.verdict import Tier, verdict_id

HERE = Path(__file__).resolve().parent
sys.path.append(str(HERE.parent / "benchmarks"))

from json_lines import read_lines, write_lines  # noqa: E402

PAGES, FIGURES, STILLS = HERE / "models", HERE / "figures", HERE / "stills"
VERDICTS = PAGES / "verdicts.jsonl"
STILL = "480x360"
COLOURS = 256  # of a still, which keeps it small
MADE = "<!-- made by docs/make_models.py: change the model file instead -->"
ORIGINS = {
    "published": "the paper",
    "quoted": "the paper, as others quote it",
    "claimed": "the paper, in words",
    "exact": "a closed form",
    "checked": "checked",
}


def page(model: mm.Model, verdicts: dict[str, Any]) -> str:
    """Return the text of a model's page."""
    return "\n".join(
        [
            *_head(model),
            *_figure(model),
            *_source(model),
            *_parts(model),
            *_expected(model, verdicts),
            *_convergence(model),
            *_tries(model),
        ]
    )


def _head(model: mm.Model) -> Iterator[str]:
    yield MADE
    yield f"# {model.name}\n"
    yield f"{model.title}\n"
    if (STILLS / f"{model.name}.png").exists():
        yield f"![{model.name}, at step {model.view.warm_up}](../stills/{model.name}.png)\n"
    yield f"{_flat(model.about)}\n"
    yield "```console"
    yield f"$ murmurate show {model.name}"
    yield "```\n"
    yield f"prints its formulas. `murmurate still {model.name}` draws the picture above,"
    yield f"`murmurate film {model.name}` makes a film, `murmurate watch"
    yield f"{model.name}` shows it live, and `murmurate new {model.name} mine.toml` copies it."
    yield f"`murmurate models WORD` lists it for {_either(model.tags)}.\n"


def _either(words: tuple[str, ...]) -> str:
    """Return 'a, b or c'."""
    *others, last = words
    return f"{', '.join(others)} or {last}" if others else last


def _figure(model: mm.Model) -> Iterator[str]:
    if not model.figure or not (FIGURES / f"{model.name}.png").exists():
        return
    yield "## Figure\n"
    yield f"![{model.figure[0].title}](../figures/{model.name}.png)\n"
    for k, panel in enumerate(model.figure):
        letter = f"{chr(ord('a') + k)}, " if len(model.figure) > 1 else ""
        yield _flat(f"**{letter}{panel.title}.** {panel.caption} {_runs_of(panel)}") + "\n"
    yield "Error bars and bands are standard errors. Dashed lines are closed forms, hollow markers"
    yield f"are values from other sources. Drawn by `{_drawn_by(model)}`.\n"


def _runs_of(panel: Panel) -> str:
    """Return '(Steps 1000 to 3000, 2 runs per point.)' for the first line."""
    line = panel.lines()[0]
    runs = f"{len(line.seeds)} run" + ("s" if len(line.seeds) > 1 else "")
    a_point = " per point" if line.vary else ""
    if line.since == line.step:
        return f"(Step {line.step}, {runs}{a_point}.)"
    return f"(Steps {line.since} to {line.step}, {runs}{a_point}.)"


def _drawn_by(model: mm.Model) -> str:
    """Return the command that draws the figure with all its lines."""
    full = any(line.tier == "full" for panel in model.figure for line in panel.lines())
    tier = " --full" if full else ""
    return f"murmurate verify {model.name} --plot docs/figures/{model.name}.png{tier}"


def _source(model: mm.Model) -> Iterator[str]:
    source = model.source
    yield "## Source\n"
    yield f"{source.reference}."
    if source.doi:
        yield f"doi:[{source.doi}](https://doi.org/{source.doi})"
    if source.url:
        yield f"<{source.url}>"
    yield "\n**How it was read.** " + _flat(source.reading) + "\n"


def _parts(model: mm.Model) -> Iterator[str]:
    yield "## Parts\n"
    size = " x ".join(format_number(side) for side in model.space.size)
    faces = model.space.boundary
    faces = faces if isinstance(faces, str) else ", ".join(faces)
    order = "synchronously" if model.order == "synchronous" else model.order
    order = f"updated {order}" + (", moved at the end" if model.positions == "at-end" else "")
    yield f"A space of {size}, {faces}; a step of {format_number(model.dt)}; boids are {order}.\n"
    for name, flock in model.flocks.items():
        motion = fill_formula(flock.motion.formula, flock.motion)
        boids = format_boids(flock.count)
        yield f"**{name}**, {boids}, start: {flock.start.kind}, rules combined by"
        yield f"{flock.combine}; `v <- {motion}`\n"
        rules = model.moved_by(name)
        if rules:
            yield "| rule | formula, with numbers | notes |\n|---|---|---|"
        for rule_name, rule in rules.items():
            kind = "" if rule.kind == rule_name else f" ({rule.kind})"
            formula = fill_formula(rule.formula_as_set, rule).replace("|", "\\|")
            yield f"| {rule_name}{kind} | `{formula}` | {describe_settings(rule)} |"
        yield ""
    if model.obstacles:
        named = ", ".join(f"{name} ({o.kind})" for name, o in model.obstacles.items())
        yield f"Obstacles: {named}.\n"
    if model.population:
        yield "Population, at the end of each step:\n"
        yield from (f"- {describe_entry(n, entry)}" for n, entry in model.population.items())
        yield ""


def _expected(model: mm.Model, verdicts: dict[str, Any]) -> Iterator[str]:
    yield "## Expected results\n"
    yield f"`murmurate verify {model.name}` simulates and compares; `--full` adds results marked"
    yield "*full*. The column *origin* says where a value comes from: *the paper* gives the number;"
    yield "*the paper, as others quote it* was not read for it;"
    yield "*the paper, in words* states the result, and the bounds are murmurate's; *a closed form*"
    yield "follows from the equations; *checked* values come from an independent program or from"
    yield "murmurate. All tolerances are murmurate's.\n"
    heads = ("expected", "measured ± standard error", "runs", "verdict", "measure, steps, settings")
    yield f"| {' | '.join([*heads, 'origin', 'meaning'])} |"
    yield "|---|---|---|---|---|---|---|"
    unknown = {"measured": "", "flights": "", "verdict": "not computed yet"}
    for expected in model.expect:
        verdict = unknown | verdicts.get(verdict_id(model, expected), {})
        origin = ORIGINS[expected.origin] + (", full" if expected.tier == "full" else "")
        outcome = (verdict["measured"], str(verdict["flights"]), verdict["verdict"])
        cells = (
            describe_bounds(expected),
            *outcome,
            describe(expected),
            origin,
            " ".join([expected.why, expected.known_difference]).strip(),
        )
        row = " | ".join(cell.replace("|", "\\|") for cell in cells)
        yield f"| {row} |".replace("<=", "≤").replace(">=", "≥")
    yield ""


def _convergence(model: mm.Model) -> Iterator[str]:
    """Yield the errors due to the time step, if docs/make_convergence.py has measured them."""
    errors = json.loads(make_convergence.STORED.read_text(encoding="utf-8")).get(model.name)
    if errors:
        yield make_convergence.section(errors, model.dt)


def _tries(model: mm.Model) -> Iterator[str]:
    yield "## Try\n"
    yield "```console"
    for k, (setting, words) in enumerate(map(a_try, model.tries), 1):
        comment = f"    # {words}" if words else ""
        film = f"-o {model.name}-{k}.mp4"
        yield f"$ murmurate film {model.name} --set {shlex.quote(setting)} {film}{comment}"
    yield "```\n"
    yield "[Choose another model](../choose-a-model.md), or read [how models are"
    yield "verified](../models.md).\n"


def a_try(line: str) -> tuple[str, str]:
    """Split 'rules.a.weight=0: no more' into the setting and its comment."""
    setting, _, words = line.partition(": ")
    return setting, words


def _flat(text: str) -> str:
    return " ".join(text.split())


def pages() -> dict[str, str]:
    """Return file name -> text of all pages."""
    verdicts = stored_verdicts()
    return {f"{name}.md": page(mm.load(name), verdicts) for name in mm.zoo()}


def stored_verdicts() -> dict[str, dict[str, Any]]:
    """Return id -> stored verdict."""
    lines = read_lines(VERDICTS) if VERDICTS.exists() else []
    return {line.pop("verdict_id"): line for line in lines}


def make_verdicts(name: str, tier: Tier) -> None:
    """Verify the expectations without a stored verdict, and store the results."""
    stored = stored_verdicts()
    model = mm.load(name)
    unknown = tuple(e for e in model.expect if verdict_id(model, e) not in stored)
    for result in verify(model.model_copy(update={"expect": unknown}), tier):
        verdict = result.verdict if result.agrees else f"**{result.verdict}**"
        row = {
            "model": name,
            "measured": describe_value(result),
            "flights": result.flights,
            "verdict": verdict,
        }
        stored[verdict_id(model, result.expected)] = row
    current = {verdict_id(model, e) for model in map(mm.load, mm.zoo()) for e in model.expect}
    rows = sorted(stored.items(), key=lambda item: (item[1]["model"], item[0]))
    write_lines(VERDICTS, ({"verdict_id": key, **row} for key, row in rows if key in current))
    print(f"{name}: verified")


def make_still(name: str) -> None:
    from PIL import Image

    STILLS.mkdir(exist_ok=True)
    path = STILLS / f"{name}.png"
    command = ["still", name, "--size", STILL, "-o", str(path), "--force", "--quiet"]
    if murmurate(command):
        raise SystemExit(f"murmurate {shlex.join(command)} failed")
    with Image.open(path) as picture:
        few = picture.convert("RGB").quantize(COLOURS, Image.Quantize.MAXCOVERAGE)
    few.save(path, optimize=True)
    print(f"{path.name}: {path.stat().st_size // 1000} kB")


def make_figure(name: str) -> None:
    FIGURES.mkdir(exist_ok=True)
    command = shlex.split(_drawn_by(mm.load(name)))[1:]
    command[command.index("--plot") + 1] = str(FIGURES / f"{name}.png")
    if murmurate([*command, "--force"]):
        raise SystemExit(f"the figure of {name} failed")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    for option in ("figures", "stills", "verdicts", "full-verdicts"):
        parser.add_argument(f"--{option}", action="store_true")
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    names = options.names or list(mm.zoo())
    PAGES.mkdir(exist_ok=True)
    for name in names:
        if options.figures and "figure" in tomllib.loads(mm.zoo()[name]):
            make_figure(name)
        if options.stills:
            make_still(name)
        if options.verdicts or options.full_verdicts:
            make_verdicts(name, "full" if options.full_verdicts else "quick")
    for file, text in pages().items():
        (PAGES / file).write_text(text, encoding="utf-8", newline="\n")
    print(f"wrote {len(mm.zoo())} pages in {PAGES}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

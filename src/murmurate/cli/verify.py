"""murmurate verify: compare models with the results that their files expect."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from murmurate.cli.engine_flags import OwnOptions, chosen
from murmurate.cli.interrupt import cause
from murmurate.cli.options import EngineName, model_name
from murmurate.cli.plot_options import DEFAULT_FILE, PlotOptions
from murmurate.cli.terminal import (
    EXIT_FAILED,
    EXIT_INTERRUPTED,
    EXIT_OK,
    ProgressLines,
    console,
    is_terminal,
    print_error,
    print_line,
)
from murmurate.errors import CommandError

if TYPE_CHECKING:
    from rich.console import Console
    from rich.status import Status

    from murmurate.engines.base import EngineChoice
    from murmurate.model.model import Model
    from murmurate.verify.figure_runs import FigureData
    from murmurate.verify.verdict import Result, Tier, Verdict


def verify(
    *models: Annotated[str, Parameter(converter=model_name)],
    quick: bool = False,
    full: bool = False,
    engine: EngineName = "cpu",
    own: OwnOptions | None = None,
    json: bool = False,
    plotting: PlotOptions | None = None,
    force: bool = False,
    seed_shift: int = 0,
) -> int:
    """Simulate models and compare them with the results that their files expect.

    Every published flock has results of its paper, or of an independent program, as [[expect]]
    tables in NAME.verify.toml. A statistic is simulated with 8 seeds, and with up to 64 until
    its mean clearly lies within the bounds (agrees) or outside (DIFFERS). Otherwise the verdict
    is 'not precise enough'. The exit code is 1 if any result differs. The summary counts the
    origins of the expected values: exact (a closed form), published (by the paper or its authors'
    code), claimed (by the paper, in words) and checked (by murmurate or an independent program).

    For instance:

        murmurate verify
        murmurate verify couzin-2002 vicsek-1995 --full
        murmurate verify mine.toml --json
        murmurate verify couzin-2002 --plot couzin.png

    With --plot the models' figures are drawn as well, with standard errors and published values.
    Runs of a figure are stored in the user's cache folder, so an interrupted figure continues.
    With --quick it has fewer points and shorter runs, with --full also the largest sizes.

    Parameters
    ----------
    models
        Published flocks or model files; all published flocks unless given.
    quick
        Only expectations that take seconds (the default).
    full
        All expectations, which takes minutes.
    json
        Print the results as JSON.
    force
        Replace an existing picture.
    seed_shift
        Add this number to every seed of a statistic; verdicts must not change.
    """
    from murmurate.model.files import zoo

    if quick and full:
        raise CommandError("--quick and --full: give one of them")
    plotting = plotting or PlotOptions()
    plot = plotting.plot is not None
    if not plot:
        plotting.path("", force)  # refuses --style and --size
        if force:
            raise CommandError("--force is for --plot. Add --plot")
    if seed_shift < 0:
        raise CommandError(f"--seed-shift: got {seed_shift}; expected 0 or more")
    loaded = _load(models or tuple(zoo()))
    for name, model in zip(models, loaded, strict=False):
        if not (model.figure if plot else model.expect):
            table, verb = ("figure", "draw") if plot else ("expect", "verify")
            raise CommandError(f"{name}: has no [[{table}]] table, so there is nothing to {verb}")
    loaded = _simulated(loaded, chosen(engine, own), all_models=not models)
    file = None if plotting.plot == DEFAULT_FILE else plotting.plot
    paths = _figure_paths(loaded, file, force, models) if plot else []
    expected = [model for model in loaded if model.expect]
    every: Tier = "full" if full else "quick"
    code = EXIT_OK
    if expected:
        code = _compare(expected, every, chosen(engine, own), json, seed_shift)
    if not plot or code == EXIT_INTERRUPTED:
        return code
    tier: Tier | None = "quick" if quick else "full" if full else None
    drawn = _draw(loaded, tier, chosen(engine, own), paths, force, plotting.look, json)
    return drawn or code


def _load(names: tuple[str, ...]) -> list[Model]:
    """Return the models. Raises ModelError that lists the mistakes of all of them."""
    from murmurate.errors import ModelError
    from murmurate.model.files import load
    from murmurate.verify.checks import expectation_mistakes, figure_mistakes

    models: list[Model] = []
    mistakes: list[str] = []
    for name in names:
        try:
            model = load(name)
        except ModelError as error:
            mistakes += str(error).splitlines()
            continue
        models.append(model)
        lines = (*expectation_mistakes(model), *figure_mistakes(model))
        mistakes += [f"{name}: {line}" for line in lines]
    if mistakes:
        raise ModelError("\n".join(mistakes))
    return models


def _simulated(loaded: list[Model], engine: EngineChoice, all_models: bool) -> list[Model]:
    """Return the models that an engine simulates. It must simulate those that were named."""
    from murmurate.errors import ModelError
    from murmurate.verify.expectation_runs import refusal

    refusals = {model.name: text for model in loaded if (text := refusal(model, engine))}
    if refusals and not all_models:
        raise ModelError("\n".join(f"{name}: {text}" for name, text in refusals.items()))
    if refusals and len(refusals) == len(loaded):  # the machine has no adapter, for example
        raise ModelError("\n".join(dict.fromkeys(refusals.values())))
    if refusals:
        names = ", ".join(refusals)
        print_error(f"left out, since the engine does not simulate them: {names}", kind="note")
    return [model for model in loaded if model.name not in refusals]


class _Progress:
    """Show how many of a model's runs are done."""

    def __init__(self, status: Status, name: str) -> None:
        self.text = "no run is done yet"
        self._status, self._name, self._lines = status, name, ProgressLines()

    def __call__(self, done: int, total: int) -> None:
        from rich.text import Text

        self.text = f"{done} of {total} runs are done"
        self._status.update(Text(f"{self._name}: {done} of {total} runs"))
        if not is_terminal() and (line := self._lines.line(done, total, "runs")):
            print_line(f"{self._name}: {line}", errors=True)


def _compare(
    loaded: list[Model], tier: Tier, engine: EngineChoice, json: bool, seed_offset: int
) -> int:
    from rich.text import Text

    from murmurate.verify import verify as compare

    results: list[Result] = []
    for model in loaded:
        status = console(errors=True).status(Text(f"{model.name} ..."))
        progress = _Progress(status, model.name)
        try:
            with status:
                verdicts = compare(model, tier, progress, engine, seed_offset=seed_offset)
        except KeyboardInterrupt:
            print_error(
                f"{model.name}: ended by {cause()}: {progress.text}, and none is stored: the same "
                "command begins again",
                kind="stopped",
            )
            return EXIT_INTERRUPTED
        results += verdicts
        if not json:
            print_table(console(), model.name, verdicts)
    if json:
        print_json(results)
    else:
        _print_summary(results)
    return EXIT_FAILED if any(result.differs for result in results) else EXIT_OK


def _print_summary(results: list[Result]) -> None:
    from murmurate.verify.report import describe_origins, describe_verdicts

    verdicts = {result.verdict for result in results}
    style = "bold red" if "differs" in verdicts else "bold yellow"
    style = "bold green" if verdicts <= {"agrees"} else style
    console().print(f"{len(results)} expectations: {describe_verdicts(results)}", style=style)
    console().print(f"by origin: {describe_origins(result.expected for result in results)}")


def _figure_paths(
    loaded: list[Model], file: Path | None, force: bool, names: tuple[str, ...]
) -> list[Path]:
    """Return the checked path of each model's figure: `file`, or NAME.png."""
    from murmurate.model.names import file_name
    from murmurate.plots.figures import check_figure_path
    from murmurate.show.output import check_apart

    drawn = [model for model in loaded if model.figure]
    if file is not None and len(drawn) > 1:
        raise CommandError(
            f"--plot: got one file for {len(drawn)} models; expected none, for NAME.png of each"
        )
    paths = [check_figure_path(file or file_name(model.name, ".png"), force) for model in drawn]
    for path in paths:
        for name in filter(os.path.isfile, names):
            check_apart(path, name)
    return paths


def _draw(
    loaded: list[Model],
    tier: Tier | None,
    engine: EngineChoice,
    paths: list[Path],
    force: bool,
    look: dict[str, Any],
    json: bool,
) -> int:
    from rich.text import Text

    from murmurate.plots.figures import save_model_figure
    from murmurate.verify.figure_runs import simulate_figure
    from murmurate.verify.report import describe_origins

    drawn = [model for model in loaded if model.figure]
    for model, path in zip(drawn, paths, strict=True):
        status = console(errors=True).status(Text(f"{model.name} ..."))
        progress = _Progress(status, model.name)
        try:
            with status:
                figure = simulate_figure(model, tier, progress=progress, engine=engine)
                title = f"{model.name}, quick version" if tier == "quick" else model.name
                origins = describe_origins(model.expect)
                remark = f"Expected results of {model.name}: {origins}." if origins else ""
                save_model_figure(figure, path, title=title, remark=remark, force=force, **look)
                if not json:
                    print_line(path)
        except KeyboardInterrupt:
            print_error(
                f"{model.name}: ended by {cause()}: {progress.text}; runs of the figure that are "
                "done are stored: the same command continues from them",
                kind="stopped",
            )
            return EXIT_INTERRUPTED
        _print_missing_points(path, figure)
    return EXIT_OK


def _print_missing_points(path: Path, figure: FigureData) -> None:
    from murmurate.verify.figure_runs import count_missing_points

    for panel, lines in figure:
        if missing := count_missing_points(panel, lines):
            points = "1 point has" if missing == 1 else f"{missing} points have"
            print_error(
                f"{path}: {panel.title}: {points} no value and cannot be drawn: a run lost a boid "
                f"there, or the measure means nothing for such a flock",
                kind="note",
            )


# --- verdicts


STYLED: dict[Verdict, tuple[str, str]] = {
    "agrees": ("agrees", "green"),
    "differs": ("DIFFERS", "bold red"),
    "not precise enough": ("not precise enough", "yellow"),
    "known difference": ("known difference", "yellow"),
}


def print_table(out: Console, name: str, results: list[Result]) -> None:
    """Print a row for each verdict, with the expected and the measured value."""
    from rich.padding import Padding
    from rich.text import Text

    from murmurate.cli.terminal import make_table
    from murmurate.verify.report import (
        describe,
        describe_bounds,
        describe_interval,
        describe_value,
    )

    out.print(Text(name, "bold cyan"))
    verdicts = make_table("", "")
    verdicts.show_header = False
    verdicts.columns[0].width = max(
        len(part) for word, _ in STYLED.values() for part in word.split()
    )
    for result in results:
        expected = result.expected
        runs = "1 run" if result.flights == 1 else f"{result.flights} runs"
        text = Text.assemble(
            (describe_value(result), "bold"),
            f"{describe_interval(result)}, expected {describe_bounds(expected)}; {runs}\n",
            describe(expected),
            *((f"\n{why}", "dim") for why in (expected.why, expected.known_difference) if why),
        )
        verdicts.add_row(Text(*STYLED[result.verdict]), text)
    out.print(Padding(verdicts, (0, 0, 1, 2), expand=False))


def print_json(results: list[Result]) -> None:
    """Print the results as a JSON object, with the numbers of verdicts and origins."""
    import json
    from collections import Counter

    from murmurate.verify.report import count_origins

    verdicts = Counter(result.verdict for result in results)
    document = {
        "verdicts": {verdict: verdicts[verdict] for verdict in STYLED},
        "origins": count_origins(result.expected for result in results),
        "results": [_json_row(result) for result in results],
    }
    print_line(json.dumps(document, indent=2))


OF_RESULT = ("model", "seeds", "flights", "verdict", "agrees")
OF_EXPECTED = (
    "measure", "flock", "step", "since", "relative", "kind", "at_least", "at_most", "tier",
    "origin", "why", "known_difference",
)  # fmt: skip


def _json_row(result: Result) -> dict[str, Any]:
    from murmurate.tables import finite

    expected = result.expected
    low, high = expected.bounds()
    numbers = {"low": low, "high": high, "value": result.value, "error": result.error}
    return {
        **{name: getattr(result, name) for name in OF_RESULT},
        **{name: getattr(expected, name) for name in OF_EXPECTED},
        **{name: finite(number) for name, number in numbers.items()},
        "set": {p: str(v) if isinstance(v, dict) else v for p, v in expected.set.items()},
        "interval": [finite(end) for end in result.interval],
    }

"""Options of studies: sweep, fit, compare-models and sensitivity; and how a study is run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Protocol, TypeVar

from cyclopts import Group, Parameter

from murmurate.cli.engine_flags import FLIGHT, OwnOptions, chosen, own_words
from murmurate.cli.options import Dtype, EngineName, T
from murmurate.cli.plot_options import InPlot, PlotOptions
from murmurate.cli.resume import passed_fields, passed_options, rules_options
from murmurate.cli.terminal import EXIT_OK, ProgressBar, print_line, report_stopped
from murmurate.errors import CommandError

if TYPE_CHECKING:
    from murmurate.engines.run_spec import RunSpec
    from murmurate.sweeps.study_folder import StudyFolder
    from murmurate.sweeps.workers import Workers

WORK = Group("The work", sort_key=4)
InWork = Annotated[T, Parameter(group=WORK)]


@Parameter(name="*", group=FLIGHT)
@dataclass(frozen=True, kw_only=True)
class RunsOptions:
    """How the runs of a study are simulated. None: the option is absent.

    Parameters
    ----------
    seed
        Base seed, from which all others follow. Default: 0.
    steps
        Steps of a run. Default: 1000.
    warm_up
        Steps before the first measurement. Default: 200, or 0 for a sweep.
    every
        Steps between measurements. Default: 10.
    dtype
        Precision. Default: float32.
    """

    seed: int | None = None
    steps: int | None = None
    warm_up: int | None = None
    every: int | None = None
    engine: EngineName | None = None
    own: OwnOptions | None = None
    dtype: Dtype | None = None

    @property
    def passed(self) -> list[str]:
        """Names of the options that were passed."""
        return [*passed_fields(self), *(word[2:] for word in own_words(self.own))]

    def spec(self, **counts: int | None) -> RunSpec:
        """Return the options as a RunSpec. Raises CommandError or ModelError for wrong ones."""
        from murmurate.engines.run_spec import RunSpec

        values = passed_fields(self) | passed_options(**counts)
        if own_words(self.own):
            values["engine"] = chosen(self.engine or "cpu", self.own)
        return RunSpec(**values)


@Parameter(name="*", group=WORK)
@dataclass(frozen=True, kw_only=True)
class WorkOptions:
    """Where the runs of a study are simulated.

    Parameters
    ----------
    on
        Where runs are simulated; ray is the cluster at RAY_ADDRESS, or a local one. Default:
        threads, or processes for a sweep.
    processes
        Parallel processes. Default: one per core.
    """

    on: Literal["threads", "processes", "ray"] | None = None
    processes: int | None = None

    def workers(self, default: str = "threads") -> Workers:
        """Return the workers. Raises SweepError for an invalid number of processes."""
        from murmurate.sweeps.workers import make_workers

        count = self.processes is not None and self.on != "ray"
        return make_workers(self.processes if count else self.on or default)


class StudyResult(Protocol):
    """Interface of a study's result."""

    def to_json(self) -> str: ...

    def save_plot(self, path: Path, /, *, style: Any, size: Any, force: bool) -> Path: ...


Result = TypeVar("Result", bound=StudyResult)


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class ResultOptions:
    """Functions that print and plot a study.

    Parameters
    ----------
    force
        Replace an existing plot.
    json
        Print the result as JSON.
    quiet
        Print no progress.
    """

    plotting: PlotOptions = field(default_factory=PlotOptions)
    force: InPlot[bool] = False
    json: bool = False
    quiet: bool = False

    @property
    def silent(self) -> bool:
        """True to print no progress."""
        return self.quiet or self.json

    def plot_path(self, folder: Path, inputs: Sequence[object]) -> Path | None:
        """Return the file of the plot, checked; None without --plot."""
        from murmurate.model.names import file_name

        return self.plotting.path(file_name(folder.name, ".png"), self.force, inputs)

    def run_study(
        self,
        command: str,
        folder: StudyFolder[Any],
        rules: Sequence[str],
        inputs: Sequence[object],
        run: Callable[[Callable[..., None]], Result],
        show: Callable[[Result], None],
    ) -> int:
        """Run a study, and print and plot its result. Return the exit code.

        command  the command that resumes the study by its folder
        folder  where its runs are stored
        rules  rule files that resuming needs
        inputs  files that are read, which the plot may not replace
        run  takes a callback for progress, and returns the result
        show  prints the result as text
        """
        plot = self.plot_path(folder.path, inputs)
        try:
            with ProgressBar("runs", silent=self.silent) as bar:
                result = run(bar.update)
        except KeyboardInterrupt:
            return report_stopped(
                folder.plan_path.is_file(),
                f"murmurate {command} {folder.path}{rules_options(rules)}",
            )
        if self.json:
            print_line(result.to_json())
        else:
            show(result)
        if plot is not None:
            path = result.save_plot(plot, force=self.force, **self.plotting.look)
            print_line(path, errors=self.json)
        return EXIT_OK


def split_names(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names in texts with commas between them."""
    return tuple(name for text in texts for name in text.split(",") if name)


def parse_varied(texts: tuple[str, ...], method: Any = None) -> dict[str, tuple[Any, ...]]:
    """Return path -> values of the options --vary. Raises CommandError for a repeated path."""
    from murmurate.sweeps.design import parse_vary

    varied: dict[str, tuple[Any, ...]] = {}
    for text in texts:
        path, values = parse_vary(text, method)
        if path in varied:
            raise CommandError(f"--vary {text}: got {path} twice; expected each path once")
        varied[path] = values
    return varied


Priors = Annotated[
    tuple[str, ...],
    Parameter(
        name="--prior",
        help="PATH=log-uniform or PATH=normal:MEAN:SD: what is known of a number within its "
        "bounds. Default: uniform.",
    ),
]
Tolerance = Annotated[
    float | None,
    Parameter(
        name="--tolerance",
        help="What no setting of a model is expected to reproduce, as a part of each measure. "
        "Default: 0.001.",
    ),
]


def parse_priors(
    varied: dict[str, tuple[Any, ...]], texts: tuple[str, ...]
) -> dict[str, tuple[Any, ...]]:
    """Return path -> bounds with the priors of the options --prior.

    Raises CommandError for invalid ones.
    """
    priors: dict[str, str] = {}
    for text in texts:
        path, equals, form = (part.strip() for part in text.partition("="))
        if not path or not equals or not form:
            raise CommandError(
                f"--prior: got {text}; expected PATH=log-uniform or PATH=normal:MEAN:SD, such as "
                "--prior rules.alignment.weight=normal:0.5:0.1"
            )
        if path in priors:
            raise CommandError(f"--prior {text}: got {path} twice; expected each path once")
        if path not in varied:
            raise CommandError(f"--prior {text}: expected a path that is varied by --vary")
        priors[path] = form
    return {
        path: (*ends, priors[path]) if path in priors else ends for path, ends in varied.items()
    }

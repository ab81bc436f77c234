"""Options that commands share, their values, and the model that they select."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar, get_args

from cyclopts import Group, Parameter, Token, convert

from murmurate.cli.engine_flags import FLIGHT, OwnOptions, chosen, own_words
from murmurate.dtypes import Dtype as Dtype
from murmurate.errors import CommandError, ModelError

if TYPE_CHECKING:
    from murmurate.cli.tracks import TrackRequest
    from murmurate.engines.options import RunOptions
    from murmurate.model.model import Model
    from murmurate.runs.frame_source import Source

WHOLE_NUMBER = re.compile(
    r"([+-]?\d+(?:_\d+)*)(?:\.0*)?(?:e\+?(\d{1,2}))?", re.ASCII | re.IGNORECASE
)
MAX_DIGITS = 40  # characters of a number
MODEL = Group("Changing the model", sort_key=2)
PICTURE = Group("The picture", sort_key=3)
RECORDING = Group("The recording", sort_key=3)
T = TypeVar("T")
InFlight = Annotated[T, Parameter(group=FLIGHT)]
InPicture = Annotated[T, Parameter(group=PICTURE)]
InRecording = Annotated[T, Parameter(group=RECORDING)]


def model_name(_: Any, tokens: Sequence[Token]) -> str:
    """Return the name of a model, recording or file as given, or the published flock it can mean.

    `vicsek` means vicsek-1995, which a note on stderr says. An existing file comes first, and so
    does a folder of tracks or of what murmurate writes.

    raises CommandError  several published flocks fit
    """
    name: str = value_of(str, tokens)
    from murmurate.model.files import zoo
    from murmurate.runs.sources import is_input

    texts = zoo()
    if name in texts or is_input(Path(name)):
        return name
    from murmurate.cli.terminal import print_note
    from murmurate.model.zoo_search import find_published, list_published, published_facts

    names = find_published(name, texts)
    if len(names) > 1:
        raise CommandError(
            f"{name}: got a word for {len(names)} published flocks; expected the name of one. "
            f"Choose one:\n{list_published(names, texts)}"
        )
    if names:
        title = published_facts(texts[names[0]])["title"]
        print_note(f"{name} is {names[0]}: {title}")
    return names[0] if names else name


NameOfModel = Annotated[str, Parameter(converter=model_name)]
ModelName = Annotated[
    str,
    Parameter(
        help="A published flock (murmurate models), a word for one (vicsek, sheep), or a model "
        "file ending in .toml.",
        converter=model_name,
    ),
]
ShownName = Annotated[
    str,
    Parameter(
        converter=model_name,
        help="A published flock (murmurate models), a model file ending in .toml, a recording, "
        "NAME.zarr, whose frames are shown, or tracks of animals (murmurate info reads them too).",
    ),
]
EngineName = Annotated[
    str,
    Parameter(
        name="--engine",
        help="The engine: cpu (default); gpu, a graphics card; slabs, workers of a Ray cluster, "
        "for flocks that one machine cannot hold; reference, slow and plain, to check others "
        "against; wasm, the engine of pages; or one of an installed package.",
    ),
]
FLIGHT_NAMES = ("seed", "threads", "dtype", "engine")
"""Options of every engine, in FlightOptions."""
PlotSize = Literal["screen", "talk", "single-column", "double-column"]
PLOT_SIZE = (
    "Where the plot is read: screen (unless given), talk, or as wide as a paper's column or page, "
    "86 or 178 mm, without a title."
)


@Parameter(name="*", group=MODEL)
@dataclass(frozen=True, kw_only=True)
class Changes:
    """Changes of a model before it is simulated.

    Parameters
    ----------
    set
        PATH=VALUE changes a number or word of the model, such as rules.cohesion.weight=0.05; may be
        given again for others.
    boids
        Number of boids of the flock 'boids', or else of the largest flock.
    rules
        A Python file with rules of your own (classes deriving from murmurate.Rule or NeighbourRule)
        that the model names. Its code is run.
    """

    set: Annotated[tuple[str, ...], Parameter(name="--set")] = ()
    boids: int | None = None
    rules: Annotated[tuple[Path, ...], Parameter(name="--rules")] = ()

    @property
    def rule_files(self) -> tuple[str, ...]:
        """Absolute paths of the rule files, as studies store them."""
        return tuple(str(path.resolve()) for path in self.rules)


@Parameter(name="*", group=FLIGHT)
@dataclass(frozen=True, kw_only=True)
class FlightOptions:
    """How a model is simulated.

    Parameters
    ----------
    seed
        0 unless given; the same seed gives the same run.
    threads
        Threads; all cores unless given.
    dtype
        Precision; float32 unless given.
    """

    seed: int = 0
    threads: int | None = None
    dtype: Dtype = "float32"
    engine: EngineName = "cpu"
    own: OwnOptions = field(default_factory=OwnOptions)

    def run_options(self) -> RunOptions:
        """Return them, checked. Raises ModelError; CommandError for options of other engines."""
        from murmurate.engines.options import RunOptions

        return RunOptions(chosen(self.engine, self.own), self.dtype, self.threads, self.seed)

    def words(self, *among: str) -> list[str]:
        """Return the options that differ from their defaults, such as '--engine'.

        among  only those of these fields, and those of engines
        """
        plain = FlightOptions()
        names = among or FLIGHT_NAMES
        passed = [f"--{name}" for name in names if getattr(self, name) != getattr(plain, name)]
        return passed + own_words(self.own)


def value_of(kind: Any, tokens: Sequence[Token]) -> Any:
    """Return the value of an option or argument. Raises ValueError with the allowed values."""
    if any(token.value == "" for token in tokens):
        raise ValueError("it is empty: give a value, or leave it out")
    kinds, text = get_args(kind) or (kind,), tokens[0].value
    words = [word for k in kinds for word in (get_args(k) or (k,)) if isinstance(word, str)]
    if words and text not in words:
        from murmurate.model.messages import did_you_mean

        raise ValueError(f"got {text!r}; expected {', '.join(words)}{did_you_mean(text, words)}")
    if int in kinds:
        return whole_number(text)
    if float in kinds:
        return number(text)
    return convert(kind, tokens)


def number(text: str) -> float:
    """Return the number that a text contains. Raises ValueError."""
    try:
        if text.isascii() and len(text) <= MAX_DIGITS:
            return float(text)
    except ValueError:
        pass
    raise ValueError(f"got {text[:MAX_DIGITS]}; expected a number, such as 0.5")


def whole_number(text: str) -> int:
    """Return 1000 for 1000, 1_000, 1e3 and 1000.0. Raises ValueError for 1.5."""
    match = WHOLE_NUMBER.fullmatch(text) if len(text) <= MAX_DIGITS else None
    if not match:
        raise ValueError(f"got {text[:MAX_DIGITS]}; expected a whole number, such as 1000 or 1e3")
    return int(match[1]) * 10 ** int(match[2] or 0)


def load_model(
    name: str,
    changes: Changes | None = None,
    more: Mapping[str, tuple[str, Any]] | None = None,
) -> Model:
    """Return the model of a command: read, then changed by --set, --boids and other options.

    more  path in the model -> (the option as it was given, its value)
    Raises ModelError with every wrong value, naming the option that set it; CommandError.
    """
    from murmurate.model.files import load
    from murmurate.rules.rule_file import load_rules

    changes = changes or Changes()
    for file in changes.rules:
        load_rules(file)
    model = load(name)
    settings = dict(more or {})
    for text in changes.set:
        path, value = setting(text)
        settings[path] = (f"--set {text}", value)
    if changes.boids is not None:
        settings[f"flocks.{main_flock(model)}.count"] = (f"--boids {changes.boids}", changes.boids)
    if not settings:
        return model
    return _changed(model.set, settings, name)


def load_source(
    name: str,
    flight: FlightOptions | None = None,
    changes: Changes | None = None,
    settings: Mapping[str, tuple[str, Any]] | None = None,
    tracks: TrackRequest | None = None,
) -> Source:
    """Open the source that a command shows, with the changes of its options.

    Of a recording or tracks only the view can be changed.

    name  a model, a recording or tracks
    flight, changes  options of the command
    settings  path in the model -> (the option as it was given, its value)
    tracks  options of tracks, for commands that show them
    raises ModelError  values that are not allowed, each with its option
    raises CommandError  an option is for other sources
    raises OpenError, DamagedRecordingError  the recording or the tracks cannot be read
    """
    from murmurate.cli.tracks import read_tracks, refuse_track_options
    from murmurate.rules.rule_file import load_rules
    from murmurate.runs.sources import ModelSource, are_tracks, is_recording, open_source

    changes = changes or Changes()
    source: Source
    if tracks is not None and are_tracks(name):
        drawing = tracks.drawn
        if drawing.over is not None and tracks.reading.y_down:
            raise CommandError(
                "--y-down: got it with --over, where y grows downwards. Leave it out"
            )
        _refuse_run_options(name, flight, changes, "tracks of animals, which are not simulated")
        data = read_tracks(name, tracks.reading, errors=True, quiet=tracks.quiet)
        assert data is not None
        source = open_source(data, drawing=drawing)
    else:
        refuse_track_options(name, tracks)
        if not is_recording(name):
            model = load_model(name, changes, settings)
            options = (flight or FlightOptions()).run_options()
            return ModelSource(model, options, *filter(Path.exists, [Path(name)]))
        _refuse_run_options(name, flight, changes)
        for file in changes.rules:
            load_rules(file)
        source = open_source(name)
    settings = dict(settings or {}) | {
        path: (f"--set {text}", value)
        for text, (path, value) in ((text, setting(text)) for text in changes.set)
    }
    _changed(source.show, settings, name)
    return source


def _refuse_run_options(
    name: str, flight: FlightOptions | None, changes: Changes,
    what: str = "a recording",
) -> None:  # fmt: skip
    options = [] if changes.boids is None else ["--boids"]
    if flight is not None:
        options += flight.words() or [f"--{name}" for name in FLIGHT_NAMES]
    if options:
        more = ", or simulate more with murmurate resume" if what == "a recording" else ""
        verb = "is" if what.startswith("a ") else "has"
        raise CommandError(
            f"{', '.join(options)}: for simulating a model; {name} {verb} {what}. Leave it out"
            f"{more}"
        )


def _changed(
    change: Callable[[dict[str, Any]], Model], settings: Mapping[str, tuple[str, Any]], name: str
) -> Model:
    """Return the model with the changes. Errors name the options."""
    try:
        return change({path: value for path, (_, value) in settings.items()})
    except ModelError as error:
        lines = [_blamed(line, settings, name) for line in str(error).splitlines()]
        raise ModelError("\n".join(lines)) from None


def setting(text: str) -> tuple[str, Any]:
    """Return path and value of a text such as 'rules.cohesion.weight=0.05'.

    The value is read as in a TOML file; a bare word is a string. Raises CommandError.
    """
    path, equals, word = (part.strip() for part in text.partition("="))
    if not equals or not path or not all(path.split(".")):
        raise CommandError(
            f"--set: got {text}; expected PATH=VALUE, such as rules.cohesion.weight=0.05"
        )
    from murmurate.model.text_reader import MAX_WORD, TextError, read_toml

    try:
        table = read_toml(f"value = {word}")
        if list(table) == ["value"]:
            return path, table["value"]
    except TextError as error:
        if not word or word[0] in "[{\"'" or len(word) > MAX_WORD:
            raise CommandError(
                f"--set {text}: {word or 'nothing'} is not a value: {error}"
            ) from None
    if re.fullmatch(r"[+-]?(\d+\.|\.\d+)(e[+-]?\d+)?", word, re.IGNORECASE | re.ASCII):
        return path, float(word)
    return path, word


def main_flock(model: Model) -> str:
    """Return the name of the flock that --boids changes."""
    if "boids" in model.flocks:
        return "boids"
    return max(model.flocks, key=lambda name: model.flocks[name].count)


def _blamed(line: str, settings: Mapping[str, tuple[str, Any]], name: str) -> str:
    """Return an error line with the option that caused it, if its path is that of an option."""
    paths = [p for p in settings if line.startswith((f"{p}:", f"{p}."))]
    if paths:
        path = max(paths, key=len)
        option = settings[path][0]
        return f"{option}: {line.removeprefix(f'{path}: ')}"
    return f"{name} with {', '.join(option for option, _ in settings.values())}: {line}"

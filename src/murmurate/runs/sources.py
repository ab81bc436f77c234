"""Open sources from users: a model, a recording, tracks, their name or path, or a FrameSource.

    what a user passes (SourceLike)  --open_source-->  something to show (Source)
    settings of the view             --show-->         changed in the Source
    a Source                         --start-->        frames, one after another (FrameSource)

Films, pages and the live view read frames and do not know where they come from.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

from murmurate.engines.options import RunOptions
from murmurate.errors import ModelError
from murmurate.model.files import load, zoo
from murmurate.model.model import Model
from murmurate.model.view import View
from murmurate.runs.frame_source import FrameSource, Source
from murmurate.runs.playback import Playback
from murmurate.runs.track_playback import PLAIN, TrackDrawing, TrackPlayback
from murmurate.tracks.formats import may_be_tracks
from murmurate.tracks.opening import open_tracks
from murmurate.tracks.tracks import Tracks

if TYPE_CHECKING:
    from murmurate.record import Recording

    SourceLike: TypeAlias = Model | Recording | Tracks | Source | str | os.PathLike[str]

Progress = Callable[[int, int], object]
"""Called with (done, total)."""

notes = logging.getLogger("murmurate.runs.notes")
"""What a user may want to know while something is made, in plain sentences."""


CONTENTS = ("zarr.json", "journal/log", "sweep.toml", "fit.toml")
"""Files of the folders that murmurate writes, of which each has at least one."""


def is_recording(name: object) -> bool:
    """Return whether a name is that of a recording: a folder, or NAME.zarr.

    A folder of other things does not hide the published flock of the same name.
    """
    if not isinstance(name, str | os.PathLike) or are_tracks(name):
        return False
    path = Path(name)
    if path.suffix.lower() == ".zarr":
        return True
    return path.is_dir() and (str(name) not in zoo() or is_input(path))


def is_input(path: Path) -> bool:
    """Return whether a path is a file, or a folder of tracks, a recording, a sweep or a fit."""
    if not path.is_dir():
        return path.exists()
    return are_tracks(path) or any((path / name).is_file() for name in CONTENTS)


def are_tracks(source: object) -> bool:
    """Return whether a source is tracks of animals, or the name of a file or folder of them."""
    if isinstance(source, str | os.PathLike):
        return may_be_tracks(Path(source))
    return isinstance(source, Tracks)


def open_named(name: str | os.PathLike[str]) -> Model | Recording | Tracks:
    """Return the model, recording or tracks with a name or path.

    Raises ModelError, OpenError or DamagedRecordingError.
    """
    if are_tracks(name):
        return open_tracks(name)
    if is_recording(name):
        from murmurate.record import Recording

        return Recording(name)
    return load(Path(name) if Path(name).is_file() else str(name))


def is_open_recording(what: object) -> TypeGuard[Recording]:
    """Return whether an object is a Recording, without an import of zarr, which models lack."""
    module = sys.modules.get("murmurate.record.recording")
    return module is not None and isinstance(what, module.Recording)


class ModelSource(Source):
    """A model that is simulated from its start.

    files  the model file
    """

    def __init__(self, model: Model, options: RunOptions, *files: Path) -> None:
        self.model, self.options, self.files = model, options, files

    def live(self) -> Model:
        """Return the model."""
        return self.model

    def start(self) -> FrameSource:
        """Return a simulation at its start. Raises as Simulation does."""
        from murmurate.runs.simulation import Simulation

        return Simulation(self.model, **self.options.arguments)


def open_source(
    what: SourceLike, options: RunOptions | None = None, drawing: TrackDrawing | None = None
) -> Source:
    """Open a source to show. A FrameSource is copied, and begins without a warm-up.

    what  also the name of a published flock, or the path of a model, a recording or tracks
    options  of a model: how it is simulated
    drawing  of tracks: how they are drawn
    raises ModelError  it is something else, or an argument is for other sources
    raises OpenError, DamagedRecordingError  the recording or the tracks cannot be read
    """
    if not isinstance(drawing, TrackDrawing | None):
        raise ModelError(f"drawing: got {drawing!r}; expected a TrackDrawing")
    if drawing is not None and not are_tracks(what):
        raise ModelError(
            "drawing: got it for a model or a recording; expected tracks of animals. Leave it out"
        )
    options = options or RunOptions()
    files: tuple[Path, ...] = ()
    if isinstance(what, str | os.PathLike):
        files = (Path(what),) if Path(what).exists() else ()
        what = open_named(what)
    if isinstance(what, Model):
        return ModelSource(what, options, *files)
    if isinstance(what, ModelSource):
        return what
    if isinstance(what, Tracks):
        source: FrameSource = TrackPlayback(what, drawing or PLAIN)
    elif is_open_recording(what):
        source = Playback(what)
    elif isinstance(what, FrameSource):
        source = what.copy()
        source.show({"view.warm_up": 0})
    else:
        raise ModelError(
            f"model: got a {type(what).__name__}; expected a Model, a Recording, Tracks, a "
            "FrameSource, the name of a published flock, or the path of a model file, a recording "
            "or tracks"
        )
    if options != RunOptions():
        name = ", ".join(map(str, source.files)) or f"a {type(what).__name__}"
        raise ModelError(
            f"engine, seed, dtype, threads: got them for {name}; expected them for a model only. "
            "Leave them out"
        )
    return source


# --- settings of the view


def _values_set(value: Any) -> dict[str, Any]:
    """Return the fields that a view or camera was made with, without defaults."""
    values = {name: getattr(value, name) for name in value.model_fields_set}
    return {k: _values_set(v) if hasattr(v, "model_fields_set") else v for k, v in values.items()}


def view_changes(view: View | None, preset: str | None = None, **settings: Any) -> dict[str, Any]:
    """Return the settings that a view was made with as changes of a model, dotted path -> value.

    preset  settings that the view overrides; None: none
    settings  fields of a view that override it, unless they are None

    raises ModelError  `view` is not a View, or there is no such preset
    """
    from murmurate.show.presets import preset_settings

    if view is not None and not isinstance(view, View):
        raise ModelError(f"view: got {view!r}; expected a View, such as View(trails=8)")
    flat = preset_settings(preset)
    for name, value in ({} if view is None else _values_set(view)).items():
        fields = value.items() if name == "camera" else ()
        flat |= {f"camera.{field}": setting for field, setting in fields} or {name: value}
    flat |= {name: value for name, value in settings.items() if value is not None}
    return {
        f"view.{name}": list(value) if isinstance(value, tuple) else value
        for name, value in flat.items()
    }


def check_steps(model: Model, item: str = "picture") -> None:
    """Raise ModelError if a film of the model has no picture, or a page no frame."""
    view = model.view
    if view.steps < view.every:
        raise ModelError(
            f"view.steps: got {view.steps} with a {item} every {view.every} steps; expected at "
            f"least {view.every}. Give more steps"
        )


def note_start(source: FrameSource, warm_up: int = 0, kind: str = "film") -> None:
    """Log warnings, how fast it is shown, and the warm-up before the first picture."""
    for text in source.notes:
        notes.warning(text)
    if source.pace and kind != "still":
        notes.info(source.pace)
    if warm_up and source.simulated:
        notes.info(
            f"Simulating {warm_up:,} steps before the first picture (with a warm-up of 0, the "
            f"{kind} begins at the start) ..."
        )


def live_source(what: SourceLike, options: RunOptions, charts: Sequence[str] | None = None) -> Any:
    """Return the source of a live view: the Model, or a Playback of the recording.

    `charts` are the names of the measures that it charts, in place of those of the model's view.

    raises ModelError  the source is something else, or as for `open_source`
    """
    source = open_source(what, options)
    source.show(chart_changes(charts))
    return source.live()


def chart_changes(charts: Sequence[str] | None) -> dict[str, Any]:
    """Return the changes of a model for charts of these measures: none for None."""
    if charts is None:
        return {}
    return {"view.charts": [charts] if isinstance(charts, str) else list(charts)}

"""Sources of frames: a running simulation, or the playback of a recording or of tracks.

    what a user passes (SourceLike)  --open_source-->        a model, a recording or tracks (Source)
    a Source and settings            --with_view_settings--> the model as it is shown
    a Source and that model          --frame_source-->       frames, one after another (FrameSource)

Films, pages and the live view read frames and do not know where they come from.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from murmurate.activity import doing
from murmurate.engines.options import RunOptions
from murmurate.errors import ModelError
from murmurate.model.files import load, zoo
from murmurate.model.model import Model
from murmurate.model.view import View
from murmurate.tracks.formats import may_be_tracks
from murmurate.tracks.opening import open_tracks
from murmurate.tracks.track_recording import TrackRecording
from murmurate.tracks.tracks import Tracks

if TYPE_CHECKING:
    from murmurate.record import Recording
    from murmurate.runs.playback import Playback
    from murmurate.runs.simulation import Simulation
    from murmurate.runs.track_playback import TrackDrawing

    FrameSource: TypeAlias = Simulation | Playback
    SourceLike: TypeAlias = Model | Recording | Tracks | str | os.PathLike[str]
    Source: TypeAlias = Model | Recording | TrackRecording

PARTS = 200  # of steps that are simulated before a picture, for progress
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


def open_source(source: SourceLike, drawing: TrackDrawing | None = None) -> Source:
    """Return a model, a recording, or tracks as they are drawn; open it if it is a name or path.

    source  a published flock, a model file, a recording, or a file of tracks
    drawing  how tracks are drawn
    raises ModelError  the source is something else, or has a drawing and is not tracks
    raises OpenError, DamagedRecordingError  the recording or the tracks cannot be read
    """
    if are_tracks(source):
        from murmurate.runs.track_playback import PLAIN, track_recording

        tracks = source if isinstance(source, Tracks) else open_tracks(source)  # type: ignore[arg-type]
        return track_recording(tracks, drawing or PLAIN)
    if drawing is not None:
        raise ModelError(
            "drawing: got it for a model or a recording; expected tracks of animals. Leave it out"
        )
    # Recording needs zarr, so its module is not imported here.
    recordings = sys.modules.get("murmurate.record.recording")
    if isinstance(source, Model) or (recordings and isinstance(source, recordings.Recording)):
        return source
    if not isinstance(source, str | os.PathLike):
        raise ModelError(
            f"model: got a {type(source).__name__}; expected a Model, a Recording, Tracks, the "
            "name of a published flock, or the path of a model file, a recording or tracks"
        )
    if is_recording(source):
        from murmurate.record import Recording

        return Recording(source)
    return load(Path(source) if Path(source).is_file() else str(source))


def source_path(source: SourceLike | FrameSource) -> Path | None:
    """Return the path that a source is read from, which no output may overwrite.

    None for a published flock, and for what is in memory.
    """
    if isinstance(source, str | os.PathLike):
        return Path(source) if Path(source).exists() else None
    read: Any = getattr(source, "recording", source)  # that of a playback
    return None if isinstance(read, Model) else getattr(read, "path", None)


# --- settings of the view


def _values_set(value: Any) -> dict[str, Any]:
    """Return the fields that a view or camera was made with, without defaults."""
    values = {name: getattr(value, name) for name in value.model_fields_set}
    return {k: _values_set(v) if hasattr(v, "model_fields_set") else v for k, v in values.items()}


def view_settings(view: View | None, **settings: Any) -> dict[str, Any]:
    """Return the settings that a view was made with, and keywords that are not None.

    Keywords override the view. The settings of a camera have the names 'camera.zoom' and so on.

    raises ModelError  `view` is not a View
    """
    if view is not None and not isinstance(view, View):
        raise ModelError(f"view: got {view!r}; expected a View, such as View(trails=8)")
    flat: dict[str, Any] = {}
    for name, value in ({} if view is None else _values_set(view)).items():
        fields = value.items() if name == "camera" else ()
        flat |= {f"camera.{field}": setting for field, setting in fields} or {name: value}
    return flat | {name: value for name, value in settings.items() if value is not None}


def with_view_settings(
    source: Source, settings: Mapping[str, Any], drawing: TrackDrawing | None = None
) -> Model:
    """Return the model of a source with settings of its view.

    source  without a setting, its own view holds
    settings  field of View -> value; 'camera.zoom' for fields of the camera
    drawing  how tracks are drawn
    raises ModelError  a setting is not allowed
    """
    changes = {
        f"view.{name}": list(value) if isinstance(value, tuple) else value
        for name, value in settings.items()
    }
    if isinstance(source, Model):
        return source.set(changes) if changes else source
    if isinstance(source, TrackRecording):
        from murmurate.runs.track_playback import PLAIN, track_model

        return track_model(source, changes, drawing or PLAIN)
    from murmurate.runs.playback import recorded_model

    return recorded_model(source, changes)


def check_steps(model: Model, item: str = "picture") -> None:
    """Raise ModelError if a film of the model has no picture, or a page no frame."""
    view = model.view
    if view.steps < view.every:
        raise ModelError(
            f"view.steps: got {view.steps} with a {item} every {view.every} steps; expected at "
            f"least {view.every}. Give more steps"
        )


# --- frames


def frame_source(
    source: Source,
    shown_model: Model,
    options: RunOptions | None = None,
    drawing: TrackDrawing | None = None,
) -> FrameSource:
    """Return a simulation at its start, or the playback of a recording or of tracks.

    source  where frames come from
    shown_model  its model with the settings of the view
    options  of a model: how it is simulated
    drawing  of tracks: how they are drawn
    raises ModelError  a recording has other run options than the default, or as for Simulation
    """
    options = options or RunOptions()
    if isinstance(source, Model):
        from murmurate.runs.simulation import Simulation

        return Simulation.from_options(shown_model, options)
    from murmurate.runs.playback import READ_ONLY, Playback

    if options != RunOptions():
        raise ModelError(f"engine, seed, dtype, threads: {source.path} {READ_ONLY}. Leave them out")
    if isinstance(source, TrackRecording):
        from murmurate.runs.track_playback import PLAIN, TrackPlayback

        return TrackPlayback(source, shown_model, drawing or PLAIN)
    return Playback(source, shown_model)


def note_tracks(source: FrameSource, *, pace: bool = True) -> None:
    """Log the warnings of tracks, and (`pace`) how fast they are shown. Nothing for models."""
    from murmurate.runs.track_playback import TrackPlayback

    if isinstance(source, TrackPlayback):
        for text in source.notes:
            notes.warning(text)
        if pace:
            notes.info(source.pace_note())


def live_source(
    source: SourceLike | Playback, options: RunOptions, charts: Sequence[str] | None = None
) -> Model | Playback:
    """Return what a live view shows: the model, or a playback of the recording.

    `charts` are the names of the measures that it charts, in place of those of the model's view.

    raises ModelError  the source is tracks, or as for `open_source` and `frame_source`
    """
    from murmurate.runs.playback import Playback, recorded_model

    changes = chart_changes(charts)
    if isinstance(source, Playback):
        if changes:
            raise ModelError("charts: got them for a Playback; expected a model or a recording")
        return source
    opened = open_source(source)
    if isinstance(opened, Model):
        return opened.set(changes) if changes else opened
    if isinstance(opened, TrackRecording):
        raise ModelError(f"{opened.path}: got tracks; expected a model or a recording. murmurate "
                         "page and murmurate film show tracks")  # fmt: skip
    playback = frame_source(opened, recorded_model(opened, changes), options)
    assert isinstance(playback, Playback)
    return playback


def chart_changes(charts: Sequence[str] | None) -> dict[str, Any]:
    """Return the changes of a model for charts of these measures: none for None."""
    if charts is None:
        return {}
    return {"view.charts": [charts] if isinstance(charts, str) else list(charts)}


def at_step(source: FrameSource, step: int) -> FrameSource:
    """Return a source after a step not before its own; a recording at its nearest frame."""
    from murmurate.runs.playback import Playback

    if isinstance(source, Playback):
        return source.seek(source.nearest(step))
    steps = step - source.step_number
    with doing(f"Simulating {steps:,} step{'' if steps == 1 else 's'}", steps) as work:
        while work.done < steps:
            block = min(-(-steps // PARTS), steps - work.done)
            source.step(block)
            work.done += block
    return source


def model_text(source: FrameSource) -> str:
    """Return a source's model as TOML; of a recording the recorded text, of tracks ''."""
    from murmurate.model.files import to_toml
    from murmurate.runs.playback import Playback
    from murmurate.runs.track_playback import TrackPlayback

    if isinstance(source, TrackPlayback):
        return ""
    if isinstance(source, Playback):
        return str(source.recording.header["model"])
    return to_toml(source.model)


def comment(source: FrameSource) -> str:
    """Return the comment stored in a picture's file: what is needed to make it again."""
    from murmurate.runs.track_playback import TrackPlayback
    from murmurate.version import __version__

    model = source.model
    if isinstance(source, TrackPlayback):
        return f"murmurate {__version__}, tracks {model.title}"
    return f"murmurate {__version__}, {model.name}, seed {source.seed}, {model.fingerprint()}"

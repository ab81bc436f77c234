"""Frame sources: a running simulation, or the playback of a recording or of tracks. What reads
their frames, a film, a page or the live view, is the same for all."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from murmurate.engines.options import RunOptions
from murmurate.errors import ModelError
from murmurate.model.model import Model
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
    Shown: TypeAlias = Model | Recording | Tracks | str | os.PathLike[str]
    Flight: TypeAlias = Model | Recording | TrackRecording


def is_recording(name: object) -> bool:
    """Whether a recording is meant by that name: a folder, or NAME.zarr."""
    return (
        isinstance(name, str | os.PathLike)
        and (Path(name).suffix == ".zarr" or Path(name).is_dir())
        and not are_tracks(name)
    )


def are_tracks(shown: object) -> bool:
    """Whether these are tracks of animals, or the name of a file or folder of them."""
    if isinstance(shown, str | os.PathLike):
        return may_be_tracks(Path(shown))
    return isinstance(shown, Tracks)


def flight_of(shown: Shown, drawing: TrackDrawing | None = None) -> Flight:
    """Return a model or recording as it is, and open that of a name or path; of tracks a
    TrackRecording, as they are drawn.

    drawing  of tracks: how they are drawn
    Raises ModelError, also for anything else and for a drawing of what are no tracks,
    OpenError, DamagedRecordingError.
    """
    if are_tracks(shown):
        from murmurate.runs.track_playback import PLAIN, track_recording

        tracks = shown if isinstance(shown, Tracks) else open_tracks(shown)  # type: ignore[arg-type]
        return track_recording(tracks, drawing or PLAIN)
    if drawing is not None:
        raise ModelError(
            "speed, names, over: got it for a model or a recording; expected tracks of animals. "
            "Leave it out"
        )
    # Its module needs zarr; where nobody has imported it, there is no Recording.
    recordings = sys.modules.get("murmurate.record.recording")
    if isinstance(shown, Model) or (recordings and isinstance(shown, recordings.Recording)):
        return shown
    if not isinstance(shown, str | os.PathLike):
        raise ModelError(
            f"model: got a {type(shown).__name__}; expected a Model, a Recording, Tracks, the name "
            "of a published flock, or the path of a model file, a recording or tracks"
        )
    if is_recording(shown):
        from murmurate.record import Recording

        return Recording(shown)
    from murmurate.model.files import load

    return load(Path(shown) if Path(shown).is_file() else str(shown))


def path_of(shown: Shown | FrameSource) -> Path | None:
    """The file or folder that is read for what is shown, which nothing that is made of it may
    replace; None for a published flock, and for what is in memory."""
    if isinstance(shown, str | os.PathLike):
        return Path(shown) if Path(shown).exists() else None
    read: Any = getattr(shown, "recording", shown)  # that of a playback
    return None if isinstance(read, Model) else getattr(read, "path", None)


def viewed(flight: Flight, drawing: TrackDrawing | None = None, **settings: Any) -> Model:
    """The flight's model with some settings of its view changed, where they are given.

    drawing  of tracks: how they are drawn
    Raises ModelError.
    """
    changes: Mapping[str, Any] = {
        f"view.{name}": list(value) if isinstance(value, tuple) else value
        for name, value in settings.items()
        if value is not None
    }
    if isinstance(flight, Model):
        return flight.set(changes) if changes else flight
    if isinstance(flight, TrackRecording):
        from murmurate.runs.track_playback import PLAIN, view_of

        return view_of(flight, changes, drawing or PLAIN)
    from murmurate.runs.playback import shown

    return shown(flight, changes)


def frame_source(
    flight: Flight,
    view: Model,
    options: RunOptions | None = None,
    drawing: TrackDrawing | None = None,
) -> FrameSource:
    """A simulation at its start, or the playback of a recording or of tracks.

    view     its model, with the view that is asked for
    drawing  of tracks: how they are drawn
    Raises ModelError where a recording is to be flown otherwise than it was, and what a Simulation
    raises.
    """
    options = options or RunOptions()
    if isinstance(flight, Model):
        from murmurate.runs.simulation import Simulation

        return Simulation.from_options(view, options)
    from murmurate.runs.playback import READ_ONLY, Playback

    if options != RunOptions():
        raise ModelError(f"engine, seed, dtype, threads: {flight.path} {READ_ONLY}; leave them out")
    if isinstance(flight, TrackRecording):
        from murmurate.runs.track_playback import PLAIN, TrackPlayback

        return TrackPlayback(flight, view, drawing or PLAIN)
    return Playback(flight, view)


def opened_source(shown: Shown | Playback, options: RunOptions) -> Model | Playback:
    """Return what a live view shows: the model, or a playback of the recording. Raises as flight_of
    and frame_source do."""
    from murmurate.runs.playback import Playback

    if isinstance(shown, Playback):
        return shown
    flight = flight_of(shown)
    if isinstance(flight, Model):
        return flight
    if isinstance(flight, TrackRecording):
        raise ModelError(f"{flight.path}: got tracks; expected a model or a recording. murmurate "
                         "page and murmurate film show tracks")  # fmt: skip
    from murmurate.runs.playback import shown as model_of_playback

    source = frame_source(flight, model_of_playback(flight), options)
    assert isinstance(source, Playback)
    return source


def after(source: FrameSource, at: int) -> FrameSource:
    """A flight after step `at`; a recording at the recorded step that is nearest. Raises
    ModelError for a step that was not recorded."""
    from murmurate.runs.playback import Playback

    if isinstance(source, Playback):
        return source.seek(source.nearest(at))
    return source.step(at)


def paced(
    flight: Flight, model: Model, every: int | None, frames_per_second: float | None
) -> Model:
    """The model of a page. That of a recording has one frame for each recorded one unless `every`
    is given, and plays at the pace of its film."""
    view = model.view
    if isinstance(flight, Model) or every is not None or flight.every <= view.every:
        return model
    changes: dict[str, Any] = {"view.every": flight.every}
    if frames_per_second is None:
        changes["view.frames_per_second"] = view.frames_per_second * view.every / flight.every
    return model.set(changes)


def text_of(source: FrameSource) -> str:
    """A flight's model as TOML; of a recording the text that was recorded, of tracks none."""
    from murmurate.model.files import to_toml
    from murmurate.runs.playback import Playback
    from murmurate.runs.track_playback import TrackPlayback

    if isinstance(source, TrackPlayback):
        return ""
    if isinstance(source, Playback):
        return str(source.recording.header["model"])
    return to_toml(source.model)

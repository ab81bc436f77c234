"""Frame sources: a running simulation, or the playback of a recording. What reads their frames,
a film, a page or the live view, is the same for both."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from murmurate.engine.options import RunOptions
from murmurate.errors import ModelError
from murmurate.model.model import Model

if TYPE_CHECKING:
    from murmurate.record import Recording
    from murmurate.runs.playback import Playback
    from murmurate.runs.simulation import Simulation

    FrameSource: TypeAlias = Simulation | Playback
    Shown: TypeAlias = Model | Recording | str | os.PathLike[str]


def is_recording(name: object) -> bool:
    """Whether a recording is meant by that name: a folder, or NAME.zarr."""
    return isinstance(name, str | os.PathLike) and (
        Path(name).suffix == ".zarr" or Path(name).is_dir()
    )


def flight_of(shown: Shown) -> Model | Recording:
    """Return a model or recording as it is, and open that of a name or path. Raises ModelError,
    also for anything else, RecordingRefused, RecordingDamaged."""
    # Its module needs zarr; where nobody has imported it, there is no Recording.
    recordings = sys.modules.get("murmurate.record.recording")
    if isinstance(shown, Model) or (recordings and isinstance(shown, recordings.Recording)):
        return shown
    if not isinstance(shown, str | os.PathLike):
        raise ModelError(
            f"model: got a {type(shown).__name__}; expected a Model, a Recording, the name of a "
            "published flock, or the path of a model file or a recording"
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
    read = getattr(shown, "recording", shown)  # that of a playback
    return None if isinstance(read, Model) else getattr(read, "path", None)


def viewed(flight: Model | Recording, **settings: Any) -> Model:
    """The flight's model with some settings of its view changed, where they are given. Raises
    ModelError."""
    changes: Mapping[str, Any] = {
        f"view.{name}": list(value) if isinstance(value, tuple) else value
        for name, value in settings.items()
        if value is not None
    }
    if isinstance(flight, Model):
        return flight.set(changes) if changes else flight
    from murmurate.runs.playback import shown

    return shown(flight, changes)


def frame_source(
    flight: Model | Recording, view: Model, options: RunOptions | None = None
) -> FrameSource:
    """A simulation at its start, or the playback of a recording.

    view  its model, with the view that is asked for
    Raises ModelError where a recording is to be flown otherwise than it was, and what a Simulation
    raises.
    """
    options = options or RunOptions()
    if isinstance(flight, Model):
        from murmurate.runs.simulation import Simulation

        return Simulation.from_options(view, options)
    from murmurate.runs.playback import FLOWN, Playback

    if options != RunOptions():
        raise ModelError(f"engine, seed, dtype, threads: {flight.path} {FLOWN}; leave them out")
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
    flight: Model | Recording, model: Model, every: int | None, frames_per_second: float | None
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
    """A flight's model as TOML; of a recording the text that was recorded."""
    from murmurate.model.files import to_toml
    from murmurate.runs.playback import Playback

    if isinstance(source, Playback):
        return str(source.recording.header["model"])
    return to_toml(source.model)

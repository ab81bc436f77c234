"""TrackPlayback: tracks with the interface of a simulation.

TrackDrawing says how they are drawn: with the colours of a style, or over the video in which the
animals were tracked.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from murmurate.errors import ModelError, OutputError
from murmurate.frame import Frame
from murmurate.model.model import Model
from murmurate.model.view import Look
from murmurate.runs.frame_source import FrameSource
from murmurate.runs.playback import Playback
from murmurate.tracks.track_recording import FLOCK, TrackRecording
from murmurate.tracks.tracks import Tracks
from murmurate.version import __version__

if TYPE_CHECKING:
    from murmurate.record import Recording
    from murmurate.show.video_frames import VideoFrames

PIXELS = ("", "px", "pixel", "pixels")
MAX_OUTSIDE = 0.01  # fraction of positions outside of the video's picture without a warning


@dataclass(frozen=True)
class TrackDrawing:
    """How tracks are drawn.

    Parameters
    ----------
    speed : float, default 1
        Times real time.
    names : bool, default False
        Whether each animal's name is written beside it.
    over : path, optional
        A video to draw on, y downwards, in its pixels, with the middle of the first pixel at
        (0, 0). The film has the size and frame rate of the video.
    offset : int, default 0
        With `over`: frames of the video before frame 0 of the tracks.
    px_per_unit : float, optional
        With `over`: pixels per length unit, for tracks that are not in pixels.
    look : Look, optional
        Shape and colour of the animals, such as Look(shape="fish").

    Raises
    ------
    ModelError
        A value is not allowed, or `offset` or `px_per_unit` is given without `over`.
    """

    speed: float = 1.0
    names: bool = False
    over: str | os.PathLike[str] | None = None
    offset: int = 0
    px_per_unit: float | None = None
    look: Look | None = None

    def __post_init__(self) -> None:
        if self.over is None:
            for name, value in (("offset", self.offset), ("px_per_unit", self.px_per_unit)):
                if value:
                    raise ModelError(
                        f"{name}: got {value} without a video; expected none. Give over too, the "
                        "video that tracks are drawn over"
                    )
        scale = self.px_per_unit
        if scale is not None and not 0 < scale < math.inf:
            raise ModelError(f"px_per_unit: got {scale:g}; expected a number above 0")


PLAIN = TrackDrawing()


class TrackPlayback(Playback):
    """Tracks that are played as a simulation is run.

    drawing  how they are drawn
    annotations  colours and names of the animals, and the video behind them
    notes  warnings: how many positions are outside of the video
    """

    starts_shown = True
    gaps = True
    live = FrameSource.live  # which refuses: animals may not be seen

    def __init__(self, tracks: Tracks, drawing: TrackDrawing = PLAIN) -> None:
        self.drawing, self.tracks = drawing, track_recording(tracks, drawing)
        self.video: VideoFrames | None = None
        super().__init__(cast("Recording", self.tracks))
        self.stored = cast("Recording", TrackRecording(tracks))  # in the coordinates of the file
        if drawing.over is not None:
            self.files = (*self.files, Path(drawing.over))

    def _model_with(self, changes: Mapping[str, Any]) -> Model:
        return track_model(self.tracks, changes, self.drawing)

    def start(self) -> TrackPlayback:
        """Open the video, and return self. Raises OutputError if it lacks a frame of the tracks."""
        from murmurate.show.annotations import Annotations

        names = tuple(self.tracks.tracks.names or ()) if self.drawing.names else ()
        self.annotations = Annotations(True, names)
        if self.drawing.over is not None:
            self._open_video()
            on_pixels = _on_pixels(self.model.view.size)
            self.annotations = Annotations(True, names, self._picture, on_pixels)
        return self

    def copy(self, *, threads: int | None = None) -> TrackPlayback:
        """Return another playback at the same frame, which shares nothing."""
        twin = TrackPlayback(self.tracks.tracks, self.drawing)
        twin.model, twin._changes = self.model, self._changes
        twin.seek(self.frame.step)
        return twin

    @property
    def stem(self) -> str:
        """The name of a film of it, without an ending."""
        return self.model.name if self.drawing.over is None else f"{self.model.name}-over-video"

    @property
    def toml(self) -> str:
        """No text: tracks have no model."""
        return ""

    @property
    def comment(self) -> str:
        """The comment stored in a picture's file."""
        return f"murmurate {__version__}, tracks {self.model.title}"

    def show_only(self, at: int) -> None:
        """Change the view for a picture of frame `at` alone. Raises ModelError."""
        if not 0 <= at < len(self.tracks):
            raise ModelError(
                f"at: got {at}; expected a frame of {self.tracks.path}, which has 0 to "
                f"{len(self.tracks) - 1}"
            )
        self.show({"view.warm_up": at, "view.steps": 1})

    def number_of(self, step: int) -> int:
        """Return the number of the video's frame for a frame of the tracks."""
        tracks = self.tracks.tracks
        return round(tracks.start + step * tracks.every) + self.drawing.offset

    @property
    def pace(self) -> str:  # type: ignore[override]
        """How fast the film plays, in words."""
        speed, rate = self.tracks.speed_of(self.model), self.model.view.frames_per_second
        pace = "the frame rate of the tracks is unknown (fps)"
        if speed is not None:
            pace = "in real time" if abs(speed - 1) < 0.005 else f"{speed:.3g} times real time"
        return f"{rate:.4g} pictures a second, {pace}"

    def _picture(self, frame: Frame) -> np.ndarray:
        assert self.video is not None
        return self.video[self.number_of(frame.step)]

    def _open_video(self) -> None:
        view = self.model.view
        if view.transparent:
            raise OutputError("transparent: got a video behind the tracks; expected none")
        self.video = video_of(self.drawing)
        first, last = view.warm_up, view.warm_up + (view.steps // view.every - 1) * view.every
        low, high = self.number_of(first), self.number_of(last)
        if low < 0 or high >= self.video.count:
            raise OutputError(
                f"{self.video.path}: got {self.video.count:,} frames, 0 to "
                f"{self.video.count - 1:,}; expected frames {low:,} to {high:,}, for frames "
                f"{first:,} to {last:,} of {self.tracks.path} with an offset of "
                f"{self.drawing.offset:,}. Give another --offset, or fewer --steps"
            )
        self.notes = self._notes_of_outside(self.video)

    def _notes_of_outside(self, video: VideoFrames) -> list[str]:
        """Return a warning if many positions are outside of the video's picture."""
        positions = self.tracks.tracks.positions * self.tracks.factors * (1, -1)
        positions = positions[np.isfinite(positions).all(axis=2)]
        outside = ((positions < -0.5) | (positions > np.array(video.size) - 0.5)).any(axis=1)
        if outside.mean() <= MAX_OUTSIDE:
            return []
        width, height = video.size
        low, high = positions.min(axis=0), positions.max(axis=0)
        return [
            f"{100 * outside.mean():.3g} % of positions lie outside of the video's picture, "
            f"{width} x {height} pixels: x is {low[0]:.4g} to {high[0]:.4g}, y {low[1]:.4g} to "
            f"{high[1]:.4g} pixels from its upper left corner. Are they in pixels "
            "(--px-per-unit), and is it the right video?"
        ]


def track_recording(tracks: Any, drawing: TrackDrawing = PLAIN) -> TrackRecording:
    """Return tracks as they are drawn: y upwards; over a video in its pixels. Raises ModelError."""
    if drawing.over is None:
        return TrackRecording.upright(tracks)
    if tracks.positions.shape[2] != 2:
        raise ModelError(f"over: got 3-D tracks, {tracks.path}; expected 2-D ones")
    scale = drawing.px_per_unit
    if scale is None and tracks.unit not in PIXELS:
        raise ModelError(
            f"over: got tracks in {tracks.unit}, {tracks.path}; expected pixels. Give "
            f"--px-per-unit, how many pixels of the video are 1 {tracks.unit}"
        )
    scale = 1.0 if scale is None else scale
    return TrackRecording(tracks, (scale, -scale))


def track_model(
    recording: TrackRecording, changes: Mapping[str, Any], drawing: TrackDrawing = PLAIN
) -> Model:
    """Return the model of tracks as it is shown; over a video it has its size and frame rate."""
    look = drawing.look
    fields = {} if look is None else {name: getattr(look, name) for name in look.model_fields_set}
    changes = {f"flocks.{FLOCK}.look.{name}": value for name, value in fields.items()} | dict(
        changes
    )
    if drawing.over is None:
        return recording.view_of(changes, drawing.speed)
    fixed: list[str] = [
        name for name in ("view.size", "view.camera", "view.style") if name in changes
    ]
    fixed += [name for name in changes if name.startswith(("view.camera.", "view.size."))]
    if fixed:
        raise ModelError(f"{fixed[0]}: got it with a video, whose picture is drawn on; expected "
                         "none. Leave it out, or leave out --over")  # fmt: skip
    video = video_of(drawing)
    every = int(changes.get("view.every", 1))
    width, height = (side + side % 2 for side in video.size)
    pace = float(video.rate) * drawing.speed / (recording.tracks.every * max(every, 1))
    own = {
        "view.every": 1,
        "view.frames_per_second": float(np.clip(pace, 0.01, 240.0)),
        "view.size": [width, height],
        "view.text": False,
        "view.box": False,
        "view.boid_size": max(8.0, 0.018 * min(width, height)),
        f"flocks.{FLOCK}.look.shape": "disc",
    }
    return recording.view_of(own | dict(changes))


_VIDEOS: dict[str, VideoFrames] = {}  # the latest one, which is needed twice


def video_of(drawing: TrackDrawing) -> VideoFrames:
    """Return the video that tracks are drawn over. Raises OutputError."""
    from murmurate.show.video_frames import VideoFrames

    name = os.path.abspath(os.fspath(drawing.over or ""))
    stamp = f"{name} {os.stat(name).st_mtime_ns if os.path.exists(name) else 0}"
    if stamp not in _VIDEOS:
        _VIDEOS.clear()
        _VIDEOS[stamp] = VideoFrames(drawing.over or "")
    return _VIDEOS[stamp]


def _on_pixels(size: tuple[int, int]) -> Any:
    """Return the projection that draws (x, -y) in the middle of the pixel at column x, row y."""
    from murmurate.show.projection import Orthographic

    width, height = size
    centre = (0.5 * width - 0.5, 0.5 - 0.5 * height)
    return Orthographic(width, height, 0.5 * height, centre, (0.0, 0.0), 1.0)

"""TrackPlayback: tracks with the interface of a simulation, and how they are drawn: over the
picture of a style, or over the video that they were tracked in."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from murmurate.errors import ModelError, OutputError
from murmurate.frame import Frame
from murmurate.model.model import Model
from murmurate.runs.playback import Playback
from murmurate.tracks.track_recording import FLOCK, TrackRecording

if TYPE_CHECKING:
    from murmurate.record import Recording
    from murmurate.show.annotations import Annotations
    from murmurate.show.video_frames import VideoFrames

PIXELS = ("", "px", "pixel", "pixels")
OUTSIDE = 0.01  # share of positions outside of the video's picture from which it is said


@dataclass(frozen=True)
class TrackDrawing:
    """How tracks are drawn.

    speed        times real time
    names        whether names are written beside animals
    over         a video that they are drawn over
    offset       frames of the video before frame 0 of the tracks
    px_per_unit  pixels of the video in a length unit of the tracks; 1 for tracks in pixels
    """

    speed: float = 1.0
    names: bool = False
    over: str | os.PathLike[str] | None = None
    offset: int = 0
    px_per_unit: float | None = None

    def __post_init__(self) -> None:
        """Raises ModelError for what is not allowed, or says nothing without a video."""
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
    """Tracks that are gone through as a simulation is run.

    drawing  how they are drawn
    notes    what a user should know: how much lies outside of a video
    """

    def __init__(
        self, recording: TrackRecording, model: Model, drawing: TrackDrawing = PLAIN
    ) -> None:
        self.drawing, self.notes = drawing, list[str]()
        self.tracks = recording
        self.video: VideoFrames | None = None
        if drawing.over is not None:
            self._open_video(recording, model)
        super().__init__(cast("Recording", recording), model)

    def copy(self, *, threads: int | None = None) -> TrackPlayback:
        """Another one at the same frame; neither changes the other."""
        twin = TrackPlayback(self.tracks, self.model, self.drawing)
        twin.seek(self.frame.step)
        return twin

    @property
    def annotations(self) -> Annotations:
        """Colours and names of the animals, and the video behind them."""
        from murmurate.show.annotations import Annotations

        names = tuple(self.tracks.tracks.names or ()) if self.drawing.names else ()
        if self.video is None:
            return Annotations(True, names)
        return Annotations(True, names, self._picture, _on_pixels(self.model.view.size))

    def number_of(self, step: int) -> int:
        """The number of the video's frame that belongs to a frame of the tracks."""
        tracks = self.tracks.tracks
        return round(tracks.start + step * tracks.every) + self.drawing.offset

    def _picture(self, frame: Frame) -> np.ndarray:
        assert self.video is not None
        return self.video[self.number_of(frame.step)]

    def _open_video(self, recording: TrackRecording, model: Model) -> None:
        """Raises OutputError where the video has no frame for one of the tracks'."""
        view = model.view
        if view.transparent:
            raise OutputError("transparent: got a video behind the tracks; expected none")
        self.video = video_of(self.drawing)
        first, last = view.warm_up, view.warm_up + (view.steps // view.every - 1) * view.every
        low, high = self.number_of(first), self.number_of(last)
        if low < 0 or high >= self.video.count:
            raise OutputError(
                f"{self.video.path}: got {self.video.count:,} frames, 0 to "
                f"{self.video.count - 1:,}; expected frames {low:,} to {high:,}, for frames "
                f"{first:,} to {last:,} of {recording.path} with an offset of "
                f"{self.drawing.offset:,}. Give another --offset, or fewer --steps"
            )
        self._note_outside(recording)

    def _note_outside(self, recording: TrackRecording) -> None:
        assert self.video is not None
        places = recording.tracks.positions * recording.factors * (1, -1)
        places = places[np.isfinite(places).all(axis=2)]
        outside = ((places < -0.5) | (places > np.array(self.video.size) - 0.5)).any(axis=1)
        if outside.mean() > OUTSIDE:
            width, height = self.video.size
            low, high = places.min(axis=0), places.max(axis=0)
            self.notes.append(
                f"{100 * outside.mean():.3g} % of positions lie outside of the video's picture, "
                f"{width} x {height} pixels: x is {low[0]:.4g} to {high[0]:.4g}, y {low[1]:.4g} to "
                f"{high[1]:.4g} pixels from its upper left corner. Are they in pixels "
                "(--px-per-unit), and is it the right video?"
            )


def track_recording(tracks: Any, drawing: TrackDrawing = PLAIN) -> TrackRecording:
    """Tracks as they are drawn: y upwards; over a video in its pixels. Raises ModelError."""
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


def view_of(
    recording: TrackRecording, changes: Mapping[str, Any], drawing: TrackDrawing = PLAIN
) -> Model:
    """The model of tracks as it is shown; over a video it has its size and its pace. Raises
    ModelError, OutputError."""
    if drawing.over is None:
        return recording.view_of(changes, drawing.speed)
    refused = [name for name in ("view.size", "view.camera", "view.style") if name in changes]
    refused += [name for name in changes if name.startswith(("view.camera.", "view.size."))]
    if refused:
        raise ModelError(f"{refused[0]}: got it with a video, whose picture is drawn on; expected "
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


_VIDEOS: dict[str, VideoFrames] = {}  # the latest, which is looked at twice


def video_of(drawing: TrackDrawing) -> VideoFrames:
    """The video that tracks are drawn over. Raises OutputError."""
    from murmurate.show.video_frames import VideoFrames

    name = os.path.abspath(os.fspath(drawing.over or ""))
    stamp = f"{name} {os.stat(name).st_mtime_ns if os.path.exists(name) else 0}"
    if stamp not in _VIDEOS:
        _VIDEOS.clear()
        _VIDEOS[stamp] = VideoFrames(drawing.over or "")
    return _VIDEOS[stamp]


def _on_pixels(size: tuple[int, int]) -> Any:
    """The projection that draws (x, -y) at column x, row y, whose pixels have whole numbers in
    their middle."""
    from murmurate.show.projection import Orthographic

    width, height = size
    centre = (0.5 * width - 0.5, 0.5 - 0.5 * height)
    return Orthographic(width, height, 0.5 * height, centre, (0.0, 0.0), 1.0)

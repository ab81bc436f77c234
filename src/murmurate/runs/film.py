"""Films and stills of a model, a recording or tracks.

film: open the source, check everything, simulate or play, draw and encode each frame
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from murmurate.engines.options import RunOptions, options_with_seed
from murmurate.errors import ModelError
from murmurate.frame import Frame
from murmurate.model.check import WORDS_OF_COLOURS, names_that_match, numbers_of_boids
from murmurate.model.model import Model
from murmurate.model.names import file_name
from murmurate.model.number import MAX_WHOLE
from murmurate.model.view import Look, View
from murmurate.runs.sources import (
    Progress,
    are_tracks,
    at_step,
    check_steps,
    comment,
    frame_source,
    note_tracks,
    notes,
    open_source,
    source_path,
    view_settings,
    with_view_settings,
)
from murmurate.runs.track_playback import TrackDrawing, TrackPlayback
from murmurate.tracks.track_recording import TrackRecording

if TYPE_CHECKING:
    from murmurate.runs.sources import FrameSource, Source, SourceLike
    from murmurate.show import FilmReport
    from murmurate.show.annotations import Annotations
    from murmurate.show.output import PicturePath

RANGE_FRAMES = 24
"""Frames of a recording from which the range of colours of a film is found."""
MIN_BOIDS_PREFETCH = 20_000
"""Boids from which simulating in a thread of its own is faster."""


def frames(source: FrameSource, steps: int, every: int = 1) -> Iterator[Frame]:
    """Yield the frame after every `every` of the next `steps` steps: steps // every frames.

    No step follows the last frame. Tracks begin with their present frame.
    """
    for k in range(steps // every):
        if k or not isinstance(source, TrackPlayback):
            source.step(every)
        yield source.frame


def _prefetch(coming: Iterator[Frame]) -> Iterator[Frame]:
    """Yield frames; simulate each while the one before it is drawn."""
    with ThreadPoolExecutor(1, thread_name_prefix="murmurate-simulation") as pool:
        future = pool.submit(next, coming, None)
        while (frame := future.result()) is not None:
            future = pool.submit(next, coming, None)
            yield frame


def film(
    model: SourceLike,
    path: str | os.PathLike[str] | None = None,
    *,
    preset: str | None = None,
    seed: int | None = None,
    view: View | None = None,
    options: RunOptions | None = None,
    drawing: TrackDrawing | None = None,
    passes: Sequence[str] = (),
    force: bool = False,
    progress: Progress | None = None,
) -> FilmReport:
    """Simulate a model from its start, or play a recording or tracks, and write a film.

    Parameters
    ----------
    model : Model, Recording, Tracks, str or path
        A Model, the name of a published flock, or a model file. Of a recording or its path the
        frames are drawn, interpolated where steps were not recorded. Of Tracks or their file every
        frame is drawn, in real time, with one colour per animal.
    path : path, optional
        A .mp4, .webm, .mov or .gif file, a pattern such as 'shots/%05d.png', or a folder; by
        default NAME.mp4 in the current folder.
    preset : {'film', 'reel', 'square', '4k', 'gif', 'talk'}, optional
        Settings for where the film is shown. `view` overrides it.
    seed : int, optional
        Seed of the simulation; overrides that of `options`.
    view : View, optional
        Settings of the film, such as View(steps=400, size=(1280, 720), trails=8). Those that it is
        made with override the model's. Without steps, a recording is shown to its end.
    options : RunOptions, optional
        Engine, precision and threads, such as RunOptions(engine=Slabs(workers=4)). For models only.
    drawing : TrackDrawing, optional
        How tracks are drawn: speed, names, over a video. For tracks only.
    passes : sequence of {'depth', 'motion'}, optional
        Passes for compositing, as numbered 16-bit pictures in folders beside the film:
        flight_depth/ for flight.mp4.
    force : bool, default False
        Replace an existing file.
    progress : callable, optional
        Called with (pictures done, total) after each picture.

    Returns
    -------
    FilmReport
        Path, number of pictures, playing time, size, and whether Ctrl-C ended the film early.

    Raises
    ------
    ModelError, OutputError
        An argument cannot be used. Raised before anything is simulated.
    RunError
        A boid is lost; the film up to there is kept.
    """
    from murmurate.show.presets import film_suffix

    options = options_with_seed(options, seed)
    drawing = _drawing_of(model, drawing)
    source = open_source(model, drawing)
    shown_model = with_view_settings(source, _picture_settings(preset, view), drawing)
    suffix = film_suffix(preset, shown_model.view.transparent)
    path = path or file_name(_stem(shown_model, drawing), suffix)
    return Film.check(
        source, shown_model, path, options, drawing=drawing, passes=passes, force=force,
        source_file=source_path(model),
    ).run(progress)  # fmt: skip


@dataclass(frozen=True)
class Film:
    """A film of a source from its present frame. Its model's view has steps, size and style.

    source  what is filmed
    warm_up  steps before the first picture
    """

    source: FrameSource
    path: Path
    warm_up: int = 0
    passes: Sequence[str] = ()
    force: bool = False

    @classmethod
    def check(
        cls, source: Source, shown_model: Model, path: str | os.PathLike[str], options: RunOptions,
        *, drawing: TrackDrawing | None = None, passes: Sequence[str] = (), force: bool = False,
        source_file: Path | None = None,
    ) -> Film:  # fmt: skip
        """Check what a film needs. Nothing is simulated or written.

        source_file  the file that the source was read from, which is never overwritten
        raises ModelError, OutputError  an argument cannot be used
        """
        from murmurate.show import check_output, check_passes, check_passes_output, check_view

        check_steps(shown_model)
        path = check_output(path, force, source=source_file)
        _check_not_video(path, drawing)
        check_view(path, shown_model.view)
        check_passes(passes, shown_model.space.dims)
        check_passes_output(path, passes, force, source_file)
        playing = frame_source(source, shown_model, options, drawing)
        return cls(playing, path, shown_model.view.warm_up, passes, force)

    def run(self, progress: Progress | None = None) -> FilmReport:
        """Simulate or play the source, and write the film. See `film`."""
        from murmurate.show import path_lines, write_film

        note_start(self.source, self.warm_up)
        model, view = self.source.model, _shown_view(self.source)
        check_steps(model)
        last_frame: Frame | None = None

        def drawn() -> Iterator[Frame]:
            nonlocal last_frame
            self.source.step(self.warm_up)
            coming = frames(self.source, view.steps, view.every)
            boids = sum(flock.count for flock in model.flocks.values())
            for frame in _prefetch(coming) if boids >= MIN_BOIDS_PREFETCH else coming:
                last_frame = frame
                yield frame

        report = write_film(
            drawn(), self.path, view, looks(model), total=view.steps // view.every,
            progress=progress, force=self.force, comment=comment(self.source),
            paths=path_lines(model), passes=self.passes, annotations=_annotations(self.source),
        )  # fmt: skip
        return replace(report, last_frame=last_frame)


def note_start(source: FrameSource, warm_up: int, kind: str = "film") -> None:
    """Log what precedes the first picture: the warnings of tracks, the warm-up of a simulation."""
    from murmurate.runs.playback import Playback

    note_tracks(source)
    if warm_up and not isinstance(source, Playback):
        notes.info(
            f"Simulating {warm_up:,} steps before the first picture (with a warm-up of 0, the "
            f"{kind} begins at the start) ..."
        )


@dataclass(frozen=True)
class StillReport:
    """Result of drawing a still.

    path  the .png file
    frame  the frame that is drawn
    model  the model with the settings of its view
    """

    path: PicturePath
    frame: Frame
    model: Model


def still(
    model: SourceLike,
    path: str | os.PathLike[str] | None = None,
    *,
    at: int | None = None,
    preset: str | None = None,
    seed: int | None = None,
    view: View | None = None,
    options: RunOptions | None = None,
    drawing: TrackDrawing | None = None,
    force: bool = False,
) -> PicturePath:
    """Draw the flock after a step, by default the first picture of its film, as a .png file.

    Parameters
    ----------
    model : Model, Recording, Tracks, str or path
        As for `film`.
    path : path, optional
        A .png file; NAME.png in the current folder by default.
    at : int, optional
        The step; 0 is the start. By default that after the warm-up of the view. Of a recording, its
        nearest frame is drawn; of tracks, frame `at`.
    preset, seed, view, options, drawing, force
        As for `film`.

    Returns
    -------
    PicturePath
        The path of the file, which a notebook displays as the picture.

    Raises
    ------
    ModelError, OutputError
        An argument cannot be used. Raised before anything is simulated.
    RunError
        A boid is lost before the step.
    """
    return render_still(
        model, path, at=at, seed=seed, preset=preset, view=view, options=options, drawing=drawing,
        force=force,
    ).path  # fmt: skip


def render_still(
    model: SourceLike,
    path: str | os.PathLike[str] | None = None,
    *,
    at: int | None = None,
    preset: str | None = None,
    seed: int | None = None,
    view: View | None = None,
    options: RunOptions | None = None,
    drawing: TrackDrawing | None = None,
    force: bool = False,
) -> StillReport:
    """Draw a still as `still` does, and return its frame too."""
    from murmurate.show import check_output, check_view, path_lines, write_still

    if at is not None and not 0 <= at <= MAX_WHOLE:
        raise ModelError(f"at: got {at}; expected 0 (the start) to {MAX_WHOLE:,}")
    options = options_with_seed(options, seed)
    drawing = _drawing_of(model, drawing)
    source = open_source(model, drawing)
    settings = _picture_settings(preset, view)
    if isinstance(source, TrackRecording):
        at = settings.get("warm_up", 0) if at is None else at
        settings |= _frame_settings(source, at)
    shown_model = with_view_settings(source, settings, drawing)
    path = path or file_name(_stem(shown_model, drawing), ".png")
    path = check_output(path, force, "still", source_path(model))
    check_view(path, shown_model.view)
    playing = frame_source(source, shown_model, options, drawing)
    note_tracks(playing, pace=False)
    if at is None:
        at = playing.frame.step + shown_model.view.warm_up
    try:
        *earlier, frame = _still_frames(playing, at)
    except ModelError as error:
        raise ModelError(f"at={at}: {error}") from None
    path = write_still(
        frame, path, _shown_view(playing), looks(shown_model), force=force,
        comment=comment(playing), paths=path_lines(shown_model), annotations=_annotations(playing),
        before=earlier,
    )  # fmt: skip
    return StillReport(path, frame, shown_model)


def _shown_view(source: FrameSource) -> View:
    """Return the view of a source, with the range of colours of the whole film if it is known."""
    from murmurate.runs.playback import Playback
    from murmurate.show.palette import Palette, range_in_model

    view, ends = source.model.view, range_in_model(source.model)
    numbers = chain(*numbers_of_boids(source.model).values())
    if view.colour_by not in WORDS_OF_COLOURS and not names_that_match(numbers, view.colour_by):
        return view.model_copy(update={"colour_by": "flock"})  # all boids share the number
    if not ends and isinstance(source, Playback) and view.colour_by not in WORDS_OF_COLOURS:
        palette, recording = Palette(view, looks(source.model)), source.recording
        count = min(len(recording), RANGE_FRAMES)
        for k in range(count):
            palette.update(recording[k * (len(recording) - 1) // max(1, count - 1)])
        ends = palette.range or ()
    return view.model_copy(update={"colour_range": ends})


def looks(model: Model) -> dict[str, Look]:
    """Return flock name -> how the flock is drawn."""
    return {name: flock.look for name, flock in model.flocks.items()}


def _drawing_of(model: object, drawing: TrackDrawing | None) -> TrackDrawing | None:
    """Return how tracks are drawn; None for other sources without a drawing."""
    if drawing is not None and not isinstance(drawing, TrackDrawing):
        raise ModelError(f"drawing: got {drawing!r}; expected a TrackDrawing")
    return TrackDrawing() if drawing is None and are_tracks(model) else drawing


def _picture_settings(preset: str | None, view: View | None) -> dict[str, Any]:
    """Return settings of a view, which override those of a preset."""
    from murmurate.show.presets import preset_settings

    return preset_settings(preset) | view_settings(view)


def _frame_settings(tracks: TrackRecording, at: int) -> dict[str, Any]:
    """Return the settings of a view for one frame of tracks."""
    if not 0 <= at < len(tracks):
        raise ModelError(
            f"at: got {at}; expected a frame of {tracks.path}, which has 0 to {len(tracks) - 1}"
        )
    return {"warm_up": at, "steps": 1}


def _stem(model: Model, drawing: TrackDrawing | None) -> str:
    """Return the name of a file that the user did not name."""
    return model.name if drawing is None or drawing.over is None else f"{model.name}-over-video"


def _check_not_video(path: Path, drawing: TrackDrawing | None) -> None:
    """Raise OutputError if a film would replace the video that it is drawn over."""
    if drawing is not None and drawing.over is not None:
        from murmurate.show.output import check_apart

        check_apart(path, drawing.over)


def _annotations(source: FrameSource) -> Annotations | None:
    """Return the colours and names of single animals, and the picture behind them."""
    return source.annotations if isinstance(source, TrackPlayback) else None


def _still_frames(source: FrameSource, at: int) -> list[Frame]:
    """Return the frame after a step, preceded by the frames that its trails need."""
    from murmurate.runs.playback import Playback

    view = source.model.view
    if isinstance(source, Playback):
        at, first = source.nearest(at), source.frame.step
    else:
        first = source.step_number
    count = min(view.trails, (at - first) // view.every)
    return [at_step(source, at - k * view.every).frame for k in range(count, -1, -1)]

"""Films and stills of a model, a recording or tracks.

film: open the source, check everything, simulate or play, draw and encode each frame
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from murmurate.engines.options import RunOptions, options_with_seed
from murmurate.errors import ModelError
from murmurate.frame import Frame
from murmurate.model.check import WORDS_OF_COLOURS
from murmurate.model.model import Model
from murmurate.model.names import file_name
from murmurate.model.number import MAX_WHOLE
from murmurate.model.view import Look, View
from murmurate.runs.frame_source import FrameSource, Source
from murmurate.runs.sources import (
    Progress,
    check_steps,
    note_start,
    open_source,
    view_changes,
)
from murmurate.runs.track_playback import TrackDrawing

if TYPE_CHECKING:
    from murmurate.runs.sources import SourceLike
    from murmurate.show import FilmReport
    from murmurate.show.output import PicturePath

RANGE_FRAMES = 24
"""Frames of a recording from which the range of colours of a film is found."""


def frames(source: FrameSource, steps: int, every: int = 1) -> Iterator[Frame]:
    """Yield the frame after every `every` of the next `steps` steps: steps // every frames.

    No step follows the last frame. Tracks begin with their present frame.
    """
    for k in range(steps // every):
        if k or not source.starts_shown:
            source.step(every)
        yield source.frame


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
    model : Model, Recording, Tracks, Simulation, FrameSource, str or path
        A Model, the name of a published flock, or a model file. Of a recording or its path the
        frames are drawn, interpolated where steps were not recorded. Of Tracks or their file every
        frame is drawn, in real time, with one colour per animal. A Simulation or a FrameSource is
        copied, and filmed from its present frame.
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
    passes : sequence of {'depth', 'motion', 'labels'}, optional
        Passes for compositing, as numbered 16-bit pictures in folders beside the film:
        flight_depth/ for flight.mp4. Labels for testing trackers are in flight_labels.zip.
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

    source = open_source(model, options_with_seed(options, seed), drawing)
    view = source.show(view_changes(view, preset)).view
    path = path or file_name(source.stem, film_suffix(preset, view.transparent))
    return Film.check(source, path, passes=passes, force=force).run(progress)


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
        cls, source: Source, path: str | os.PathLike[str], *, passes: Sequence[str] = (),
        force: bool = False,
    ) -> Film:  # fmt: skip
        """Check the needs of a film. Nothing is simulated or written.

        raises ModelError, OutputError  an argument cannot be used
        """
        from murmurate.show import check_output, check_passes, check_passes_output, check_view

        model = source.model
        check_steps(model)
        path = check_output(path, force, inputs=source.files)
        check_view(path, model.view)
        check_passes(passes, model.space.dims)
        check_passes_output(path, passes, force, source.files)
        return cls(source.start(), path, model.view.warm_up, passes, force)

    def run(self, progress: Progress | None = None) -> FilmReport:
        """Simulate or play the source, and write the film. See `film`."""
        from murmurate.show import path_lines, write_film

        note_start(self.source, self.warm_up)
        model, view = self.source.model, _shown_view(self.source)
        check_steps(model)

        def drawn() -> Iterator[Frame]:
            self.source.step(self.warm_up)
            yield from frames(self.source, view.steps, view.every)

        return write_film(
            drawn(), self.path, view, looks(model), total=view.steps // view.every,
            progress=progress, force=self.force, comment=self.source.comment,
            paths=path_lines(model), passes=self.passes, annotations=self.source.annotations,
        )  # fmt: skip


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
    source = open_source(model, options_with_seed(options, seed), drawing)
    source.show(view_changes(view, preset))
    return render_still(source, path, at=at, force=force).path


def render_still(
    source: Source, path: str | os.PathLike[str] | None, *, at: int | None, force: bool
) -> StillReport:
    """Draw a still as `still` does, and return its frame too."""
    from murmurate.show import check_output, check_view, path_lines, write_still

    if at is not None and not 0 <= at <= MAX_WHOLE:
        raise ModelError(f"at: got {at}; expected 0 (the start) to {MAX_WHOLE:,}")
    source.show_only(source.model.view.warm_up if at is None else at)
    path = path or file_name(source.stem, ".png")
    path = check_output(path, force, "still", source.files)
    model = source.model
    check_view(path, model.view)
    playing = source.start()
    note_start(playing, kind="still")
    if at is None:
        at = playing.step_number + model.view.warm_up
    try:
        *earlier, frame = _still_frames(playing, at)
    except ModelError as error:
        raise ModelError(f"at={at}: {error}") from None
    path = write_still(
        frame, path, _shown_view(playing), looks(model), force=force, comment=playing.comment,
        paths=path_lines(model), annotations=playing.annotations, before=earlier,
    )  # fmt: skip
    return StillReport(path, frame, model)


def _shown_view(source: FrameSource) -> View:
    """Return the view of a source, with the range of colours of the whole film if it is known."""
    from murmurate.show.palette import Palette, coloured_view

    view = coloured_view(source.model)
    if view.colour_range or view.colour_by in WORDS_OF_COLOURS:
        return view
    palette = Palette(view, looks(source.model))
    for frame in source.sample(RANGE_FRAMES):
        palette.update(frame)
    return view.model_copy(update={"colour_range": palette.range or ()})


def looks(model: Model) -> dict[str, Look]:
    """Return flock name -> how the flock is drawn."""
    return {name: flock.look for name, flock in model.flocks.items()}


def _still_frames(source: FrameSource, at: int) -> list[Frame]:
    """Return the frame after a step, preceded by the frames that its trails need."""
    view = source.model.view
    at, first = source.nearest(at), source.step_number
    count = min(view.trails, (at - first) // view.every)
    return [source.go_to(at - k * view.every) for k in range(count, -1, -1)]

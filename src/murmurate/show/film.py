"""Write films and stills.

A thread gets frames, which may simulate, and draws what is behind the boids, while the caller's
thread draws the boids of the picture before. Threads write the files of a film and of its passes:
one thread distributes the pictures of a frame, and each file has one thread that converts and one
that compresses. A frame is therefore in all files or in none, whenever Ctrl-C comes.
"""

from __future__ import annotations

import contextlib
import os
import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar

import av

from murmurate.disk import draft_path, remove_stale_drafts
from murmurate.display import render
from murmurate.errors import ShowError, WriteError
from murmurate.frame import Frame
from murmurate.model.view import Look, View
from murmurate.show.annotations import Annotations
from murmurate.show.encoders import Encoder, Gif, ImageSequence, Video, encode_png, write_bytes
from murmurate.show.labels import LabelFile
from murmurate.show.output import (
    PicturePath,
    check_output,
    check_passes_output,
    check_view,
    is_numbered,
    numbered_path,
)
from murmurate.show.painter import Painter, Stage
from murmurate.show.projection import Array
from murmurate.show.scene import Line

_FAILURES = (OSError, av.FFmpegError)
Item = TypeVar("Item")


@dataclass(frozen=True)
class FilmReport:
    """Result of writing a film.

    Attributes
    ----------
    path : Path
        The file, or the pattern of the numbered pictures.
    frames : int
        Number of pictures.
    seconds : float
        Playing time.
    bytes : int
        Size of the file, or of all numbered pictures.
    interrupted : bool
        Whether Ctrl-C ended the film early. No file exists if no picture was drawn before.
    passes : tuple of Path
        Patterns of the numbered pictures of each pass.
    last_frame : Frame or None
        The last frame that was drawn.
    """

    path: Path
    frames: int
    seconds: float
    bytes: int
    interrupted: bool
    passes: tuple[Path, ...] = ()
    last_frame: Frame | None = field(default=None, repr=False, compare=False)

    def _repr_html_(self) -> str | None:
        return render(self)


def write_film(
    frames: Iterable[Frame],
    path: str | os.PathLike[str],
    view: View | None = None,
    looks: Mapping[str, Look] | None = None,
    *,
    total: int | None = None,
    progress: Callable[[int, int], object] | None = None,
    force: bool = False,
    comment: str = "",
    paths: Sequence[Line] = (),
    passes: Sequence[str] = (),
    annotations: Annotations | None = None,
) -> FilmReport:
    """Draw every frame and write the film.

    The file appears under its name when it is complete. Ctrl-C ends the film early: the file plays,
    and the report says interrupted. If `frames` raises an error, the film so far is completed in
    the same way and the error is raised again.

    frames  frames of one space, in order
    path  A .mp4, .webm, .mov or .gif file, a pattern such as 'shots/%05d.png', or a folder
    view  size, style, frames per second, camera and more
    looks  shape, colour and scale of flocks
    total  number of frames, passed on to `progress`
    progress  called with (pictures done, total) after each picture
    force  replace an existing file
    comment  comment stored in the file, such as the model and seed
    paths  paths that boids follow: `path_lines(model)`
    passes  passes to write beside the film; see show/passes.py
    annotations  colours and names of single boids, and a backdrop
    raises OutputError  the path or view cannot be used. Raised before the first frame is requested.
    raises ShowError  there was no frame
    raises WriteError  writing failed. No file is left; numbered pictures that are complete stay.
    """
    view = view or View()
    target = check_output(path, force)
    check_view(target, view)
    pass_paths = check_passes_output(target, passes, force)
    if not is_numbered(target) and target.suffix.lower() != ".gif":
        view = view.model_copy(update={"size": tuple(n + n % 2 for n in view.size)})
    rate = Fraction(view.frames_per_second).limit_denominator(1001)
    painter: Painter | None = None

    def stages() -> Iterator[Stage]:
        nonlocal painter
        for frame in frames:
            painter = painter or Painter(frame.space, view, looks, paths, passes, annotations)
            yield painter.set_stage(frame)

    files = FilmFiles(view, rate)
    interrupted, failure, drawn, last_frame = False, None, 0, None
    try:
        for stage in _prefetch(stages()):
            assert painter is not None
            pictures = [Picture(target, painter.paint(stage), comment)]
            for name in passes:
                note = "; ".join(filter(None, [comment, painter.notes[name]]))
                pictures.append(Picture(pass_paths[name], painter.passes[name], note))
            files.put(pictures)
            drawn, last_frame = drawn + 1, stage.frame
            if progress is not None:
                progress(drawn, drawn if total is None else total)
    except KeyboardInterrupt:
        interrupted = True
    except WriteError:
        files.abort()
        raise
    except Exception as error:
        failure = error
    done = files.finish()
    if failure is not None:
        raise failure
    if not done and not interrupted:
        raise ShowError(f"{target}: got no frame; expected at least 1. No film was written")
    seconds, size = float(done / rate), _film_size(target, done)
    return FilmReport(
        target, done, seconds, size, interrupted, tuple(pass_paths.values()), last_frame
    )


def _prefetch(items: Iterator[Item]) -> Iterator[Item]:
    """Yield items; from the second on, a thread makes each while the one before it is used.

    Before the first, a simulation may compile and warm up, which Ctrl-C ends in this thread only.
    """
    item = next(items, None)
    with ThreadPoolExecutor(1, thread_name_prefix="murmurate-frames") as pool:
        while item is not None:
            future = pool.submit(next, items, None)
            yield item
            item = future.result()


def _film_size(path: Path, done: int) -> int:
    if not done:
        return 0
    if is_numbered(path):
        return sum(numbered_path(path, number).stat().st_size for number in range(1, done + 1))
    return path.stat().st_size


def write_still(
    frame: Frame,
    path: str | os.PathLike[str],
    view: View | None = None,
    looks: Mapping[str, Look] | None = None,
    *,
    force: bool = False,
    comment: str = "",
    paths: Sequence[Line] = (),
    annotations: Annotations | None = None,
    before: Iterable[Frame] = (),
) -> PicturePath:
    """Draw one frame and write it as a PNG file.

    frame  the frame to draw
    path  A .png file
    view, looks, force, comment, paths, annotations  see `write_film`
    before  the frames before it, for trails
    returns  the path of the file, which a notebook displays as the picture
    raises OutputError  the path or view cannot be used
    raises WriteError  writing failed. No file is left.
    """
    view = view or View()
    target = check_output(path, force, "still")
    check_view(target, view)
    painter = Painter(frame.space, view, looks, paths, annotations=annotations)
    for earlier in before:
        painter.remember(earlier)
    picture = painter.draw(frame)
    try:
        write_bytes(encode_png(picture, comment), target)
    except OSError as error:
        raise WriteError(
            f"{target}: writing the picture failed: {error.strerror or error}. Free some space or "
            "give another path, and run again"
        ) from error
    return PicturePath(target)


# --- the files of a film


class Picture(NamedTuple):
    """The next picture of one file. The file stores the comment."""

    path: Path
    pixels: Array
    comment: str


class FilmFiles:
    """The files of one film, which receive their pictures together."""

    def __init__(self, view: View, rate: Fraction) -> None:
        self._view, self._rate = view, rate
        self._files: dict[Path, _FilmFile | LabelFile] = {}
        self._written = 0
        self._stage: PipelineStage[Sequence[Picture]] = PipelineStage(
            self._distribute, max_waiting=1
        )

    def put(self, pictures: Sequence[Picture]) -> None:
        """Queue the next picture of every file. Raises WriteError if writing failed."""
        self._stage.put(pictures)

    def _distribute(self, pictures: Sequence[Picture]) -> None:
        for path, pixels, comment in pictures:
            if path not in self._files:
                arguments = path, self._view, self._rate, comment
                zipped = path.suffix == ".zip"
                self._files[path] = LabelFile(*arguments) if zipped else _FilmFile(*arguments)
            self._files[path].put(pixels)
        self._written += 1

    def finish(self) -> int:
        """Complete and rename the files, and return the number of pictures in each.

        If a file fails, that file and those after it are removed. The first Ctrl-C during this call
        is ignored, because the film is nearly complete; the second one discards it.
        """
        errors: list[BaseException] = []
        done = threading.Event()  # Thread.join forgets a running thread when it is interrupted
        threading.Thread(target=self._complete, args=(errors, done), daemon=True).start()
        interrupts = 0
        while True:
            try:
                while not done.wait(0.1):
                    pass
                break
            except KeyboardInterrupt:
                interrupts += 1
                if interrupts > 1:
                    self._stage.abort()
                    for file in list(self._files.values()):
                        file.stop()
        if errors:
            self.abort()
            raise KeyboardInterrupt if interrupts > 1 else errors[0]
        return self._written

    def _complete(self, errors: list[BaseException], done: threading.Event) -> None:
        try:
            self._stage.finish()
            for path in list(self._files):
                self._files[path].complete()
                del self._files[path]
        except BaseException as error:
            errors.append(error)
        finally:
            done.set()

    def abort(self) -> None:
        """Stop and remove the incomplete files."""
        self._stage.abort()
        self._stage.join()
        for file in self._files.values():
            file.abort()


class _FilmFile:
    """One file, with a thread that converts pictures and a thread that compresses them."""

    def __init__(self, path: Path, view: View, rate: Fraction, comment: str) -> None:
        self._path = path
        self._draft = path if is_numbered(path) else draft_path(path)
        remove_stale_drafts(path.parent, None if is_numbered(path) else path.name)
        try:
            self._encoder = _make_encoder(self._draft, path, view, rate, comment)
        except _FAILURES as error:
            raise _write_failed(path, error) from error
        self._compress: PipelineStage[Any] = PipelineStage(self._encoder.write)
        self._convert: PipelineStage[Array] = PipelineStage(self._prepare)

    def _prepare(self, picture: Array) -> None:
        for prepared in self._encoder.prepare(picture):
            self._compress.put(prepared)

    def put(self, picture: Array) -> None:
        try:
            self._convert.put(picture)
        except _FAILURES as error:
            raise _write_failed(self._path, error) from error

    def complete(self) -> None:
        try:
            self._convert.finish()
            self._compress.finish()
            self._encoder.close()
            if self._draft != self._path:
                os.replace(self._draft, self._path)
        except _FAILURES as error:
            raise _write_failed(self._path, error) from error

    def stop(self) -> None:
        """Drop the queued pictures."""
        self._convert.abort()
        self._compress.abort()

    def abort(self) -> None:
        """Stop and remove the incomplete file."""
        self.stop()
        self._convert.join()
        self._compress.join()
        # The file is removed, so errors of closing it do not matter.
        with contextlib.suppress(*_FAILURES):
            if self._draft != self._path:
                self._encoder.close()
        if self._draft != self._path:
            self._draft.unlink(missing_ok=True)


def _make_encoder(draft: Path, target: Path, view: View, rate: Fraction, comment: str) -> Encoder:
    if is_numbered(target):
        return ImageSequence(target, comment)
    if target.suffix.lower() == ".gif":
        return Gif(draft, view.size, rate)
    return Video(draft, target.suffix.lower(), view, rate, comment)


def _write_failed(path: Path, error: BaseException) -> WriteError:
    reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
    return WriteError(
        f"{path}: writing the film failed: {reason}. No file was left; free some space or give "
        "another path, and run again"
    )


# --- threads


class Aborted(Exception):
    """The stage was asked to drop its queue."""


class PipelineStage(Generic[Item]):
    """A thread with a bounded queue that calls `work(item)` for each item, in order.

    The first error ends the stage; the next `put` or `finish` raises it. At most `max_waiting`
    items wait, so a slow stage slows its source down instead of filling the memory.
    """

    def __init__(self, work: Callable[[Item], object], max_waiting: int = 3) -> None:
        self._work = work
        self._waiting: queue.Queue[tuple[Item] | None] = queue.Queue(max_waiting)
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="film", daemon=True)
        self._thread.start()

    def put(self, item: Item) -> None:
        """Queue an item. Blocks while the queue is full."""
        self._put((item,))

    def finish(self) -> None:
        """Wait until all items are processed."""
        self._put(None)
        self._thread.join()
        self._check()

    def abort(self) -> None:
        """Drop the queued items. Does not wait for the item in progress."""
        self._error = self._error or Aborted()

    def join(self) -> None:
        """Wait for the item in progress, after `abort`."""
        self._thread.join()

    def _put(self, item: tuple[Item] | None) -> None:
        while True:
            self._check()
            try:
                self._waiting.put(item, timeout=0.1)
                return
            except queue.Full:
                continue

    def _check(self) -> None:
        if self._error is not None:
            raise self._error

    def _run(self) -> None:
        while self._error is None:
            try:
                item = self._waiting.get(timeout=0.1)
            except queue.Empty:
                continue
            if item is None:
                return
            try:
                self._work(item[0])
            except BaseException as error:
                self._error = self._error or error

"""One self-contained HTML file that replays a run: no network, no other files, any browser.

The file is the viewer and the frames, both compressed, and metadata as JSON: see html_file.py.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from murmurate.disk import atomic_write
from murmurate.frame import Frame
from murmurate.model.model import Model
from murmurate.show import html_file
from murmurate.show.errors import WriteFailed
from murmurate.show.output import check_output
from murmurate.show.replay_builder import Replay, ReplayBuilder, check_size

IFRAME_HEIGHT = 480


class Page(str):
    """The text of a page. A notebook displays it as the page.

    frames       frames of the flight in it
    flies        whether the flock flies in it; there are no frames then
    path         the file that it was written to, None before that
    interrupted  whether Ctrl-C ended the flight early
    height       pixels that it has in a notebook
    """

    frames: int = 0
    flies: bool = False
    path: Path | None = None
    interrupted: bool = False
    height: int = IFRAME_HEIGHT

    @property
    def bytes(self) -> int:
        """Its size as a file."""
        return len(self) if self.isascii() else len(self.encode())

    def __repr__(self) -> str:
        where = f" in {self.path}" if self.path else ""
        what = "a flock that flies" if self.flies else f"{self.frames} frames"
        return f"<Page: {what}, {self.bytes / 1e6:.1f} MB{where}>"

    def _repr_html_(self) -> str:
        return in_iframe(self, self.height)

    def write(self, path: str | os.PathLike[str], force: bool = False) -> Path:
        """Writes the file; it appears under its name when it is complete.

        Raises OutputRefused for a path that cannot be written to or a file that is there (unless
        force), WriteFailed when writing began and failed; no file is left then.
        """
        whole = check_output(path, force, "page")
        try:
            with atomic_write(whole) as draft:
                draft.write_text(self, encoding="utf-8", newline="\n")
        except OSError as error:
            raise WriteFailed(
                f"{whole}: writing the page failed: {error.strerror or error}. No file was left; "
                "free some space or give another path, and run again"
            ) from error
        self.path = whole
        return whole


def page_of(
    frames: Iterable[Frame],
    model: Model | None = None,
    *,
    toml: str = "",
    comment: str = "",
    frames_per_second: float | None = None,
    gaps: bool = False,
) -> Page:
    """The page of a flight.

    frames             of the same boids in the same space; taken one by one
    model              whose flight it is: its names, looks and view are the page's
    toml               its text, for the page's 'copy model'
    comment            kept in the file: which program and seed made it
    frames_per_second  how fast it plays; as the model's view says unless given
    gaps               whether boids may be unseen in some frames: they are hidden there

    Raises ShowError when there is no frame, or the page would be too large. Ctrl-C while frames
    are made ends the run there, and the page says interrupted; with no frame by then it is raised.
    """
    html_file.viewer_text()
    builder, interrupted = ReplayBuilder(gaps), False
    try:
        for frame in frames:
            builder.add(frame)
    except KeyboardInterrupt:
        if not len(builder):
            raise
        interrupted = True
    made = builder.build(model, toml=toml, comment=comment, frames_per_second=frames_per_second)
    page = page_of_replay(made)
    page.interrupted = interrupted
    return page


def page_of_replay(replay: Replay) -> Page:
    """The page of a replay. Raises ShowError where the viewer was not built."""
    page = Page(
        html_file.html_page(
            "mountReplay",
            replay.head,
            {"flight": replay.payload},
            title=replay.head["scene"]["title"] or "A flock",
            made=replay.head["comment"] or "murmurate",
        )
    )
    page.frames = replay.head["frames"]
    return page


def in_iframe(page: str, height: int = IFRAME_HEIGHT) -> str:
    """The page inside another one, such as a notebook's: an iframe that holds its text."""
    inside = page.replace("&", "&amp;").replace('"', "&quot;")
    return (
        f'<iframe srcdoc="{inside}" title="A flock in flight" allow="clipboard-write; fullscreen" '
        f'sandbox="allow-scripts allow-downloads" '
        f'style="width:100%;height:{height}px;border:0"></iframe>'
    )


def check_page(boids: int, frames: int, dims: int) -> None:
    """Raises where no page can be made: OutputRefused for one too large, ShowError where the
    viewer was not built."""
    check_size(boids, frames, dims)
    html_file.viewer_text()

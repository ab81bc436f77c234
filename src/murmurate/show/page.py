"""Make a page: a self-contained HTML file that replays a run in any browser, offline.

The file contains the viewer and the frames, both compressed, and metadata as JSON; see
html_file.py.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from murmurate.disk import atomic_write
from murmurate.errors import WriteError
from murmurate.frame import Frame
from murmurate.model.model import Model
from murmurate.show import html_file
from murmurate.show.output import check_output
from murmurate.show.replay import Replay, ReplayBuilder, check_size

IFRAME_HEIGHT = 480


@dataclass
class Page:
    """A page. A notebook displays it, and `save` writes it to a file.

    Attributes
    ----------
    html : str
        The text of the page.
    frames : int
        Number of frames.
    live : bool
        Whether the page simulates the flock itself; it has no frames then.
    path : Path or None
        The file it was written to.
    interrupted : bool
        Whether Ctrl-C ended the run early.
    height : int
        Height in a notebook, pixels.
    last_frame : Frame or None
        The last frame, if the run was made for the page.
    """

    html: str
    frames: int = 0
    live: bool = False
    path: Path | None = field(default=None, compare=False)
    interrupted: bool = False
    height: int = field(default=IFRAME_HEIGHT, compare=False)
    last_frame: Frame | None = field(default=None, compare=False)

    @property
    def bytes(self) -> int:
        """The size of the file in bytes."""
        return len(self.html) if self.html.isascii() else len(self.html.encode())

    def __str__(self) -> str:
        return self.html

    def __repr__(self) -> str:
        where = f" in {self.path}" if self.path else ""
        contents = "a live flock" if self.live else f"{self.frames} frames"
        return f"<Page: {contents}, {self.bytes / 1e6:.1f} MB{where}>"

    def _repr_html_(self) -> str:
        return in_iframe(self.html, self.height)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> Path:
        """Write the page to a file, which appears under its name when it is complete.

        Parameters
        ----------
        path : path
            A .html file.
        force : bool, default False
            Replace an existing file.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        OutputError
            The path cannot be written to, or the file exists.
        WriteError
            Writing failed. No file is left.
        """
        target = check_output(path, force, "page")
        try:
            with atomic_write(target) as draft:
                draft.write_text(self.html, encoding="utf-8", newline="\n")
        except OSError as error:
            raise WriteError(
                f"{target}: writing the page failed: {error.strerror or error}. No file was left; "
                "free some space or give another path, and run again"
            ) from error
        self.path = target
        return target


def page_of(
    frames: Iterable[Frame],
    model: Model | None = None,
    *,
    toml: str = "",
    comment: str = "",
    frames_per_second: float | None = None,
    gaps: bool = False,
) -> Page:
    """Return the page of a run.

    Ctrl-C ends the run, and the page is interrupted. Before the first frame it is raised.

    frames  frames of one space, and of the same boids unless they join and leave by the model
    model  gives the names, looks and view of the page
    toml  text of the model, for the button 'copy model'
    comment  comment stored in the file, such as program and seed
    frames_per_second  playing speed; that of the model's view by default
    gaps  allow nan positions of boids that are not observed in some frames, and hide them there
    raises ShowError  there is no frame, or a frame does not fit the others
    raises OutputError  the page would be too large
    """
    html_file.viewer_text("replay.js")
    changing = model is not None and model.changes_numbers
    builder, interrupted = (
        ReplayBuilder(
            gaps, changing=changing, charts=model.view.charts if model is not None else ()
        ),
        False,
    )
    try:
        for frame in frames:
            builder.add(frame)
    except KeyboardInterrupt:
        if not len(builder):
            raise
        interrupted = True
    replay = builder.build(model, toml=toml, comment=comment, frames_per_second=frames_per_second)
    page = page_of_replay(replay)
    page.interrupted = interrupted
    return page


def page_of_replay(replay: Replay) -> Page:
    """Return the page of a replay. Raises ShowError if the viewer was not built."""
    page = Page(
        html_file.html_page(
            "mountReplay",
            replay.head,
            {"flight": replay.payload},
            title=replay.head["scene"]["title"] or "A flock",
            generator=replay.head["comment"] or "murmurate",
            scenes=[replay.head["scene"]],
            language=replay.head["scene"]["view"].get("language", ""),
        )
    )
    page.frames = replay.head["frames"]
    return page


def in_iframe(page: str, height: int = IFRAME_HEIGHT) -> str:
    """Return an iframe with the text of a page, for another page such as a notebook."""
    inside = page.replace("&", "&amp;").replace('"', "&quot;")
    return (
        f'<iframe srcdoc="{inside}" title="A flock in flight" allow="clipboard-write; fullscreen" '
        f'sandbox="allow-scripts allow-downloads" '
        f'style="width:100%;height:{height}px;border:0"></iframe>'
    )


def check_page(boids: int, frames: int, dims: int) -> None:
    """Raise OutputError if a page would be too large, ShowError if the viewer was not built."""
    check_size(boids, frames, dims)
    html_file.viewer_text("replay.js")

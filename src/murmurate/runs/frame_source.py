"""Sources of films, stills and pages: frames, and the model in whose view they are shown.

Source       a model, a recording or tracks that were opened; `start` returns its frames
FrameSource  frames one after another: a Simulation, a Playback, or a user's class
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from murmurate.activity import doing
from murmurate.errors import ModelError
from murmurate.frame import Frame
from murmurate.model.files import to_toml
from murmurate.model.model import Model
from murmurate.version import __version__

if TYPE_CHECKING:
    from murmurate.record import Recording
    from murmurate.show.annotations import Annotations

PARTS = 200  # of steps that are simulated before a picture, for progress


class Source:
    """Something to show that may not have begun.

    model  its space, flocks and view
    files  what it is read from, which no output may overwrite
    every  steps between its frames
    simulated  whether steps are computed
    stored  the recording that its frames are read from, or tracks with the interface of one
    """

    model: Model
    files: Sequence[Path] = ()
    every: int = 1
    simulated = True
    stored: Recording | None = None

    @property
    def stem(self) -> str:
        """The name of a film of it, without an ending."""
        return self.model.name

    def show(self, changes: Mapping[str, Any]) -> Model:
        """Change numbers of the view, dotted path -> value; return the model. Raises ModelError."""
        self.model = self.model.set(changes) if changes else self.model
        return self.model

    def show_only(self, at: int) -> None:
        """Change the view for a picture of step `at` alone. Raises ModelError."""

    def live(self) -> Model | FrameSource:
        """Return the source of a live view: a model to simulate, or a recording to play.

        raises ModelError  live views do not show it
        """
        raise ModelError(
            f"{self.model.title or self.model.name}: got a {type(self).__name__}; expected a model "
            "or a recording. murmurate page and murmurate film show it"
        )

    def start(self) -> FrameSource:
        """Return the frames. Raises ModelError or OutputError without frames."""
        raise NotImplementedError


class FrameSource(Source):
    """Frames one after another, and the model in whose space and view they are shown.

    `film`, `still`, `replay_page`, `export` and `measure` read simulations, recordings and tracks
    through it, and objects of your own class that derives from it: frames of another simulator, for
    instance.
    Your class has `model`, `frame` and `step`; everything else has a default.

    Attributes
    ----------
    model : Model
        Space, flocks and view.
    frame : Frame
        The present frame.
    files : sequence of Path
        Files that it is read from, which no output overwrites. None by default.
    every : int
        Steps between its frames. 1 by default.
    seed : int or None
        The seed of random numbers. None by default.
    simulated : bool
        Whether steps are computed, so that a warm-up takes time. True by default.
    starts_shown : bool
        Whether a film begins with the present frame, not with the next. False by default.
    gaps : bool
        Whether positions may be nan: an animal is not seen. False by default.
    notes : sequence of str
        Warnings for the user. None by default.
    """

    frame: Frame
    seed: int | None = None
    starts_shown = False
    gaps = False
    notes: Sequence[str] = ()
    pace: str = ""  # how fast its film plays, in words
    annotations: Annotations | None = None

    def step(self, steps: int = 1) -> object:
        """Move on by some steps."""
        raise NotImplementedError

    @property
    def step_number(self) -> int:
        """The step of the present frame."""
        return self.frame.step

    def copy(self, *, threads: int | None = None) -> Self:
        """Return another source at the same step, which shares nothing."""
        return copy.deepcopy(self)

    def start(self) -> FrameSource:
        """Return self."""
        return self

    @property
    def toml(self) -> str:
        """The text of the model for a page that shows it, or ''."""
        return to_toml(self.model)

    @property
    def comment(self) -> str:
        """The comment in a picture's file, with all that is needed to repeat it."""
        model, seed = self.model, "" if self.seed is None else f", seed {self.seed}"
        return f"murmurate {__version__}, {model.name}{seed}, {model.fingerprint()}"

    def nearest(self, step: int) -> int:
        """Return the step nearest to `step` that has a frame."""
        return step

    def sample(self, count: int) -> Iterator[Frame]:
        """Yield at most `count` frames out of all; none if they are not known yet."""
        yield from ()

    def go_to(self, step: int) -> Frame:
        """Move on to a step not before the present one, and return its frame."""
        steps = step - self.step_number
        with doing(f"Simulating {steps:,} step{'' if steps == 1 else 's'}", steps) as work:
            while work.done < steps:
                block = min(-(-steps // PARTS), steps - work.done)
                self.step(block)
                work.done += block
        return self.frame

"""live: a flock that flies in a cell's output by itself, with no kernel."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from murmurate.errors import NotebookError
from murmurate.model.model import Model
from murmurate.runs.pages import to_html

if TYPE_CHECKING:
    from murmurate.show import Page

LOWEST, HIGHEST = 100, 10_000  # pixels


def live(
    model: Model | str | os.PathLike[str],
    seed: int = 0,
    *,
    max_boids: int | None = None,
    beside: Model | str | os.PathLike[str] | None = None,
    height: int = 560,
    every: int | None = None,
    frames_per_second: float | None = None,
    fps: float | None = None,
    style: str | None = None,
    colour_by: str | None = None,
    trails: int | None = None,
) -> Page:
    """A page in which a model flies, for a cell's output: in a notebook that is opened again,
    exported or published it flies on, where no Python runs.

    model      a Model, the name of a published flock, or a model file
    max_boids  how many boids there may be: 2,000 or twice the model's unless given
    beside     another model or its name, which flies beside it
    height     of the output, in pixels, 100 to 10,000

    The rest is as for to_html. Returns the page, which shows itself; `page.write("flock.html")`
    keeps it as a file. Raises ModelError for what cannot fly in a page, RuleError for a rule that
    does not compile, NotebookError for another height.
    """
    if isinstance(height, bool) or not isinstance(height, int):
        raise NotebookError(f"height is {height!r}: give a whole number of pixels, such as 560")
    if not LOWEST <= height <= HIGHEST:
        raise NotebookError(
            f"height is {height}: a live page is {LOWEST} to {HIGHEST:,} pixels high in a cell"
        )
    page = to_html(
        model,
        seed=seed,
        every=every,
        frames_per_second=frames_per_second,
        fps=fps,
        style=style,
        colour_by=colour_by,
        trails=trails,
        live=True,
        max_boids=max_boids,
        beside=beside,
    )
    page.height = height
    return page

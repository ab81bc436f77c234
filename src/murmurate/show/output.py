"""Output paths: checked before anything is simulated, written under a draft name, then renamed."""

from __future__ import annotations

import difflib
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from murmurate.disk import not_a_file
from murmurate.model.view import View
from murmurate.show.errors import OutputRefused
from murmurate.show.fonts import unwritable

FILMS = (".mp4", ".webm", ".mov", ".gif")
TRANSPARENT = (".webm", ".mov", ".png")  # formats that keep what is not covered
STILLS = (".png",)
PAGES = (".html", ".htm")

PATTERN = re.compile(r"((?:[^%]|%%)*)%0?[0-9]{0,2}[di]((?:[^%]|%%)*)", re.DOTALL)
"""Names of numbered pictures: what stands before the number, and behind it."""

Kind = Literal["film", "still", "page"]


def check_output(
    path: str | os.PathLike[str],
    force: bool = False,
    kind: Kind = "film",
    source: str | os.PathLike[str] | None = None,
) -> Path:
    """Whether this output can be written; raises OutputRefused when not. Writes nothing.

    source  what it is made from, which stays as it is

    A film is .mp4, .webm, .mov, .gif, or numbered pictures: 'shots/%05d.png', or a folder
    ('shots/'). A still is .png, a page .html. Returns the path, for numbered pictures with the
    pattern spelled out.
    """
    whole = expand_folder(path) if kind == "film" else Path(path)
    suffix = whole.suffix.lower()
    if kind == "still" and suffix not in STILLS:
        raise OutputRefused(f"{path}: a picture is written as .png, not {suffix or 'without one'}")
    if kind == "page" and suffix not in PAGES:
        raise OutputRefused(f"{path}: a page is written as .html, not {suffix or 'without one'}")
    if kind == "film" and not is_numbered(whole):
        _check_film_suffix(whole, suffix)
    folder = whole.parent
    if folder.exists() and not folder.is_dir():
        raise OutputRefused(f"{path}: {folder} is a file, not a folder; give another path")
    if not folder.exists() and not (is_numbered(whole) and folder.parent.is_dir()):
        raise OutputRefused(f"{path}: there is no folder {folder}; make it, or give another path")
    there = folder if folder.exists() else folder.parent
    if not os.access(there, os.W_OK | os.X_OK):
        raise OutputRefused(f"{path}: no permission to write in {there}; give another path")
    pictures = existing_pictures(whole) if is_numbered(whole) else []
    if source is not None:
        for one in (whole, *pictures):
            check_apart(one, source)
    if whole.is_dir():
        raise OutputRefused(f"{path} is a folder; give the name of a file")
    for one in (whole, *pictures):
        check_replaceable(one)
    taken = pictures or ([whole] if whole.exists() else [])
    if taken and not force:
        raise OutputRefused(
            f"{taken[0]} exists and is kept; give another name, or --force to replace it"
        )
    return whole


def check_replaceable(path: Path) -> None:
    """Raise OutputRefused where something is there that is no file: no force replaces it."""
    if problem := not_a_file(path):
        raise OutputRefused(f"{path}: {problem}. Give another path")


def check_view(path: Path, view: View) -> None:
    """Raises OutputRefused where a file of that name cannot hold the pictures of a view, or where
    the font has no letters for what is written in them."""
    if view.transparent and path.suffix.lower() not in TRANSPARENT:
        raise OutputRefused(
            f"{path}: {path.suffix} keeps no transparency; a transparent film can be .webm, .mov "
            f"or numbered pictures such as {path.stem}_%05d.png"
        )
    for name in ("caption", "watermark"):
        text = getattr(view, name)
        if missing := text and unwritable(text):
            raise OutputRefused(
                f"view.{name}: the font has no {' '.join(missing)}; write it otherwise. Letters "
                'with accents, Greek and Cyrillic need matplotlib: pip install "murmurate[plot]"'
            )


def check_passes_output(
    path: Path,
    passes: Sequence[str],
    force: bool = False,
    source: str | os.PathLike[str] | None = None,
) -> dict[str, Path]:
    """Pass -> its numbered pictures beside a film: flight.mp4 has its depth in flight_depth/, and
    shots/%05d.png in shots/depth/. Raises OutputRefused as check_output does."""
    found = PATTERN.fullmatch(path.name) if is_numbered(path) else None
    name = (found[1] if found else path.stem).rstrip("_-. ")
    outputs = {}
    for each in passes:
        folder = path.parent / "_".join(filter(None, [name, each]))
        if path.parent.is_dir():
            check_output(folder / "%05d.png", force, "film", source)
        outputs[each] = folder / "%05d.png"
    return outputs


def check_apart(path: str | os.PathLike[str], source: str | os.PathLike[str]) -> None:
    """Raises OutputRefused where an output is what it is made from, lies in it or holds it, however
    the two are spelled: no force is enough to replace what is being read."""
    new, old = Path(path).resolve(), Path(source).resolve()
    same = new == old or (new.exists() and old.exists() and new.samefile(old))
    if same or old in new.parents or new in old.parents:
        where = "is" if same else "lies in" if old in new.parents else "holds"
        raise OutputRefused(
            f"{path}: {where} {source}, from which it is made, and what is read is never replaced; "
            "give another path"
        )


def _check_film_suffix(path: Path, suffix: str) -> None:
    if suffix in FILMS:
        return
    allowed = (
        ", ".join(FILMS) + " or numbered pictures such as " + f"{path.stem or 'film'}_%05d.png"
    )
    if suffix == ".png":
        raise OutputRefused(f"{path}: a film is many pictures; it can be {allowed}")
    close = difflib.get_close_matches(suffix, FILMS, n=1, cutoff=0.5)
    hint = f" (did you mean {path.with_suffix(close[0]).name}?)" if close else ""
    found = f"its suffix is {suffix}" if suffix else "it has no suffix"
    raise OutputRefused(f"{path}: {found}; a film can be {allowed}{hint}")


def expand_folder(path: str | os.PathLike[str]) -> Path:
    """The path; a folder stands for numbered pictures in it."""
    text = os.fspath(path)
    if text.endswith(("/", os.sep)) or (Path(text).is_dir() and not Path(text).suffix):
        return Path(text) / "%05d.png"
    return Path(text)


def is_numbered(path: Path) -> bool:
    """Whether the name is a pattern such as %05d.png."""
    return path.suffix.lower() == ".png" and PATTERN.fullmatch(path.name) is not None


def numbered_path(path: Path, number: int) -> Path:
    return path.with_name(path.name % number)


def existing_pictures(path: Path) -> list[Path]:
    """The numbered pictures that are there, in order, beyond gaps too."""
    found = PATTERN.fullmatch(path.name)
    if found is None or not path.parent.is_dir():
        return []
    before, after = (re.escape(part.replace("%%", "%")) for part in found.groups())
    numbered = re.compile(rf"{before}([0-9]{{1,18}}){after}", re.DOTALL)
    matches = filter(None, map(numbered.fullmatch, os.listdir(path.parent)))
    numbers = sorted(int(match[1]) for match in matches if path.name % int(match[1]) == match[0])
    return [numbered_path(path, number) for number in numbers]

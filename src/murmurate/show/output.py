"""Check output paths before anything is simulated."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from murmurate.disk import as_path, check_folder, check_writable, read_bytes
from murmurate.errors import OutputError
from murmurate.model.messages import closest
from murmurate.model.view import View

FILMS = (".mp4", ".webm", ".mov", ".gif")
TRANSPARENT = (".webm", ".mov", ".png")  # formats with an alpha channel
STILLS = (".png",)
PAGES = (".html", ".htm")

PATTERN = re.compile(r"((?:[^%]|%%)*)%0?[0-9]{0,2}[di]((?:[^%]|%%)*)", re.DOTALL)
"""Name of numbered pictures: groups are the text before and after the number."""

SUFFIXES = {"still": STILLS, "page": PAGES, "package": (".zip",)}
NAMES = {"still": "picture", "page": "page", "package": "SCORM package"}

Kind = Literal["film", "still", "page", "package"]


def check_output(
    path: str | os.PathLike[str],
    force: bool = False,
    kind: Kind = "film",
    inputs: Sequence[Path] = (),
) -> Path:
    """Check that an output can be written. Writes nothing.

    path  a film is .mp4, .webm, .mov, .gif, or numbered pictures: 'shots/%05d.png', or a folder
        ('shots/'). A still is .png, a page .html and a package .zip.
    force  allow existing files, which are going to be replaced
    inputs  files that are read, which the output must not replace
    returns  the path; for a folder the pattern of the pictures in it
    """
    target = as_path(path, OutputError)
    target = expand_folder(path) if kind == "film" else target
    _check_suffix(path, target, kind)
    check_folder(target, OutputError, can_create=is_numbered(target))
    pictures = existing_pictures(target) if is_numbered(target) else []
    for source in inputs:
        for file in (target, *pictures):
            check_apart(file, source)
    for file in pictures or ([] if is_numbered(target) else [target]):
        check_writable(file, force, OutputError)
    return target


def check_view(path: Path, view: View) -> None:
    """Raise OutputError if a file cannot hold the pictures of a view, or a font lacks its
    letters."""
    if view.transparent and path.suffix.lower() not in TRANSPARENT:
        raise OutputError(
            f"{path}: got {path.suffix}, which has no transparency; expected .webm, .mov or "
            f"numbered pictures such as {path.stem}_%05d.png for a transparent film"
        )
    texts = {name: getattr(view, name) for name in ("caption", "watermark")}
    for name, text in texts.items():
        if not text:
            continue
        from murmurate.show.text import missing_letters

        if missing := missing_letters(text):
            raise OutputError(
                f"view.{name}: the font has no {' '.join(missing)}. Use other letters; letters "
                'with accents, Greek and Cyrillic need matplotlib: pip install "murmurate[plot]"'
            )


def check_passes_output(
    path: Path,
    passes: Sequence[str],
    force: bool = False,
    inputs: Sequence[Path] = (),
) -> dict[str, Path]:
    """Return the pattern of the numbered pictures of each pass of a film, or the file of labels.

    The depth of flight.mp4 is in flight_depth/, and that of shots/%05d.png in shots/depth/. Labels
    are in flight_labels.zip, or shots/labels.zip. Raises OutputError as `check_output` does.
    """
    match = PATTERN.fullmatch(path.name) if is_numbered(path) else None
    name = (match[1] if match else path.stem).rstrip("_-. ")
    outputs = {}
    for each in passes:
        folder = path.parent / "_".join(filter(None, [name, each]))
        if each == "labels":
            outputs[each] = folder.with_name(f"{folder.name}.zip")
            for read in inputs:
                check_apart(outputs[each], read)
            if path.parent.is_dir():
                check_writable(outputs[each], force, OutputError)
            continue
        if path.parent.is_dir():
            check_output(folder / "%05d.png", force, "film", inputs)
        outputs[each] = folder / "%05d.png"
    return outputs


def check_apart(path: str | os.PathLike[str], source: str | os.PathLike[str]) -> None:
    """Raise OutputError if an output is, contains or is inside its own input, even with `force`."""
    new, old = as_path(path, OutputError).resolve(), Path(source).resolve()
    same = new == old or (new.exists() and old.exists() and new.samefile(old))
    if same or old in new.parents or new in old.parents:
        relation = "is" if same else "is inside" if old in new.parents else "contains"
        raise OutputError(
            f"{path}: {relation} the input {source}, which is never replaced. Give another path"
        )


def _check_suffix(path: str | os.PathLike[str], target: Path, kind: Kind) -> None:
    suffix = target.suffix.lower()
    if kind == "film":
        if not is_numbered(target):
            _check_film_suffix(target, suffix)
        return
    if suffix not in SUFFIXES[kind]:
        raise OutputError(
            f"{path}: got {suffix or 'no suffix'}; expected {SUFFIXES[kind][0]}, the format of a "
            f"{NAMES[kind]}"
        )


def _check_film_suffix(path: Path, suffix: str) -> None:
    if suffix in FILMS:
        return
    allowed = f"{', '.join(FILMS)} or numbered pictures such as {path.stem or 'film'}_%05d.png"
    if suffix == ".png":
        raise OutputError(f"{path}: got one picture; expected a film: {allowed}")
    close = closest(suffix, FILMS)
    hint = f" (did you mean {path.with_suffix(close).name}?)" if close else ""
    raise OutputError(f"{path}: got {suffix or 'no suffix'}; expected {allowed}{hint}")


def expand_folder(path: str | os.PathLike[str]) -> Path:
    """Return the path; for a folder, the pattern of numbered pictures in it."""
    text = os.fspath(path)
    if text.endswith(("/", os.sep)) or (Path(text).is_dir() and not Path(text).suffix):
        return Path(text) / "%05d.png"
    return Path(text)


def is_numbered(path: Path) -> bool:
    """Return whether the name is a pattern such as %05d.png."""
    return path.suffix.lower() == ".png" and PATTERN.fullmatch(path.name) is not None


MAX_SHOWN_BYTES = 24 * 2**20  # of a file that a notebook displays, and stores


class PicturePath(type(Path())):  # type: ignore[misc]
    """Path of a .png file, which a notebook displays as the picture."""

    def _repr_png_(self) -> bytes | None:
        try:
            fits = self.suffix.lower() == ".png" and self.stat().st_size <= MAX_SHOWN_BYTES
            return read_bytes(self) if fits else None
        except OSError:
            return None


def numbered_path(path: Path, number: int) -> Path:
    """Return the path of one numbered picture of a pattern."""
    return path.with_name(path.name % number)


def existing_pictures(path: Path) -> list[Path]:
    """Return the existing pictures of a pattern by ascending number, across gaps."""
    match = PATTERN.fullmatch(path.name)
    if match is None or not path.parent.is_dir():
        return []
    before, after = (re.escape(part.replace("%%", "%")) for part in match.groups())
    numbered = re.compile(rf"{before}([0-9]{{1,18}}){after}", re.DOTALL)
    matches = filter(None, map(numbered.fullmatch, os.listdir(path.parent)))
    numbers = sorted(int(m[1]) for m in matches if path.name % int(m[1]) == m[0])
    return [numbered_path(path, number) for number in numbers]

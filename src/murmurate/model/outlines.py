"""Outlines of shapes: of a text in a font, and of the filled elements of an SVG file.

They are read by fontTools, curves as polygons. Nothing but the given file is read.
"""

from __future__ import annotations

import io
import logging
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import numpy as np

from murmurate.errors import ModelError
from murmurate.model.messages import format_value, shorten
from murmurate.model.named_files import read_file
from murmurate.number_text import parse_number
from murmurate.optional import optional

Array = np.ndarray
Matrix = tuple[float, float, float, float, float, float]
GEOMETRY = {
    "d", "points", "x", "y", "width", "height", "r", "rx", "ry", "cx", "cy", "x1", "y1", "x2", "y2",
}  # fmt: skip
"""Attributes of SVG with numbers, of which fontTools reads those of Python."""

MAX_BYTES = 16 << 20  # of a font or an SVG file
MAX_LETTERS = 200
MAX_CORNERS = 200_000  # of all polygons
MAX_TRANSFORM = 10_000  # characters of a `transform` attribute
CURVE_PARTS = 12  # sides of the polygon for one Bezier curve
LINE_HEIGHT = 1.2  # distance of the lines of a text, in heights of the font
IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


class Area(NamedTuple):
    """A filled area: polygons, and the rule for their inside.

    polygons  (V, 2) corners. The last is connected with the first.
    even_odd  whether a point is inside if it is within an odd number of polygons; otherwise if the
        polygons wind around it
    """

    polygons: list[Array]
    even_odd: bool


def _read(file: Path) -> bytes:
    """Return the content of a font or an SVG file. Raises ModelError."""
    missing = "no such file. Check its name"
    return read_file(file, MAX_BYTES, "Simplify it", name=file.name, missing=missing)


def _polygon_pen(glyphs: Any = None) -> Any:
    """Return a pen of fontTools that collects polygons (V, 2), which its `take` returns.

    Its methods raise ModelError for more than MAX_CORNERS corners or parts of letters.
    """
    from fontTools.pens.basePen import BasePen

    class PolygonPen(BasePen):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__(glyphs)
            self.polygons: list[list[tuple[float, float]]] = []
            self.n_corners = 0

        def _count(self, n_corners: int = 1) -> None:
            self.n_corners += n_corners
            if self.n_corners > MAX_CORNERS:
                raise ModelError(
                    f"got more than {MAX_CORNERS:,} corners; expected fewer. Simplify its paths"
                )

        def take(self) -> list[Array]:
            """Return the polygons that have an area, and clear the list."""
            polygons, self.polygons = self.polygons, []
            return [np.array(polygon, float) for polygon in polygons if len(polygon) > 2]

        def addComponent(self, name: str, matrix: Any) -> None:
            self._count()
            super().addComponent(name, matrix)

        def _moveTo(self, point: tuple[float, float]) -> None:
            self._count()
            self.polygons.append([point])

        def _lineTo(self, point: tuple[float, float]) -> None:
            self._count()
            self.polygons[-1].append(point)

        def _curveToOne(self, *controls: tuple[float, float]) -> None:
            self._count(CURVE_PARTS)
            corners = np.array([self._getCurrentPoint(), *controls])
            t = np.arange(1, CURVE_PARTS + 1)[:, None] / CURVE_PARTS
            weights = [(1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3]
            with np.errstate(over="ignore", invalid="ignore"):
                points = sum(w * p for w, p in zip(weights, corners, strict=True))
            self.polygons[-1] += map(tuple, points.tolist())

    return PolygonPen()


def check_areas(areas: list[Area], what: str) -> list[Area]:
    """Return areas of finite size that are not empty. Raises ModelError."""
    corners = [polygon for area in areas for polygon in area.polygons]
    if not corners:
        raise ModelError(f"{what}: got nothing that is filled; expected a shape with an area")
    if not np.isfinite(np.concatenate(corners)).all():
        raise ModelError(f"{what}: got an infinite coordinate; expected finite numbers")
    return areas


def _reason(error: Exception) -> str:
    return shorten(" ".join(str(error).split())) or type(error).__name__


# --- text


def text_areas(text: str, font: Path | None) -> list[Area]:
    """Return the outlines of a text, whose lines are centred.

    text  at most 200 characters, in one line or several
    font  A .ttf or .otf file; None for the font of Pillow, which has Latin letters without accents
    raises ModelError  the font cannot be read or lacks a character, or fontTools is not installed
    """
    what = f"text {format_value(text)}"
    if not text.strip() or len(text) > MAX_LETTERS:
        raise ModelError(f"{what}: got {len(text)} characters; expected 1 to {MAX_LETTERS}")
    with optional(what, ModelError):
        from fontTools.misc.transform import Offset
        from fontTools.pens.transformPen import TransformPen
        from fontTools.ttLib import TTFont
    logging.getLogger("fontTools").addHandler(logging.NullHandler())  # not to standard error
    data = _default_font() if font is None else _read(font)
    name = font.name if font is not None else "font"
    if data[:4] in (b"wOFF", b"wOF2"):
        raise ModelError(
            f"{name}: got a compressed font of web pages; expected .ttf or .otf. Take the font "
            "from its download for computers, or decompress it: fonttools ttLib.woff2 decompress"
        )
    areas = []
    try:
        file = TTFont(io.BytesIO(data), lazy=True)
        glyphs, names = file.getGlyphSet(), file.getBestCmap() or {}
        height = LINE_HEIGHT * file["head"].unitsPerEm
        _check_letters(text, names, font)
        pen = _polygon_pen(glyphs)
        for row, line in enumerate(text.splitlines()):
            letters = [glyphs[names[ord(letter)]] for letter in line]
            x = -0.5 * sum(letter.width for letter in letters)
            for letter in letters:
                letter.draw(TransformPen(pen, Offset(x, -row * height)))
                areas.append(Area(pen.take(), False))
                x += letter.width
    except ModelError:
        raise
    except Exception as error:  # fontTools raises many kinds of errors for damaged files
        raise ModelError(
            f"{name}: got a file that is not a font: {_reason(error)}; expected .ttf or .otf"
        ) from None
    return check_areas(areas, what)


def _check_letters(text: str, names: dict[int, str], font: Path | None) -> None:
    lacks = sorted({letter for letter in text if letter not in "\r\n" and ord(letter) not in names})
    if lacks:
        remedy = "Name a font that has them: font = 'NAME.ttf'" if font is None else "Use others"
        raise ModelError(
            f"text: got characters {' '.join(lacks)!r}, which the font "
            f"{font.name + ' ' if font is not None else ''}lacks; expected others. {remedy}"
        )


def _default_font() -> bytes:
    """Return the font that is part of Pillow: Aileron, in the public domain (CC0)."""
    from PIL import ImageFont

    try:
        data: bytes = ImageFont.load_default(10).font_bytes  # type: ignore[union-attr]
    except (AttributeError, ImportError, OSError):
        raise ModelError(
            "text: this build of Pillow has no font. Name one: font = 'NAME.ttf'"
        ) from None
    return data


# --- SVG

REFUSED = ("use", "text", "image", "foreignobject", "switch")
IGNORED = (
    "defs", "symbol", "clippath", "mask", "pattern", "marker", "metadata", "title", "desc",
    "script", "lineargradient", "radialgradient", "filter", "line",
)  # fmt: skip
DRAWN = ("path", "rect", "circle", "ellipse", "polygon", "polyline")


def svg_areas(file: Path) -> list[Area]:
    """Return the filled elements of an SVG file, with y up.

    Elements count whatever their colour, except those with `fill: none` or `display: none`. Lines
    have no area. Raises ModelError for a file that is not SVG, or has text, images, copies, masks
    or style sheets that hide elements.
    """
    with optional(file.name, ModelError):
        import fontTools.svgLib.path  # noqa: F401
    try:
        text = _read(file).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ModelError(f"{file.name}: got other bytes; expected text in UTF-8") from None
    if "<!ENTITY" in text:
        raise ModelError(f"{file.name}: got entities; expected SVG without them. Save as plain SVG")
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", text)
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as error:
        raise ModelError(f"{file.name}: got no SVG: {error}; expected an SVG file") from None
    if _tag(root) != "svg":
        raise ModelError(f"{file.name}: got <{shorten(_tag(root))}>; expected an SVG file")
    try:
        areas = list(_element_areas(root, (1.0, 0.0, 0.0, -1.0, 0.0, 0.0), {}, _polygon_pen()))
    except ModelError as error:
        raise ModelError(f"{file.name}: {error}") from None
    except Exception as error:  # fontTools raises many kinds of errors
        raise ModelError(
            f"{file.name}: got an element that is not valid: {_reason(error)}; expected plain "
            "SVG, with numbers without units. Save it as plain SVG, with objects converted to paths"
        ) from None
    return check_areas(areas, file.name)


def _tag(element: Any) -> str:
    return element.tag.rpartition("}")[2].lower() if isinstance(element.tag, str) else ""


def _style(element: Any, inherited: dict[str, str]) -> dict[str, str]:
    """Return the style of an element: fill, fill-rule, display, clip-path and mask."""
    style = {k: v for k, v in inherited.items() if k in ("fill", "fill-rule")}
    named = dict(
        part.split(":", 1) for part in element.attrib.get("style", "").split(";") if ":" in part
    )
    for key in ("fill", "fill-rule", "display", "clip-path", "mask"):
        value = named.get(key, element.attrib.get(key))
        if value is not None:
            style[key] = value.strip()
    return style


def _element_areas(
    element: Any, matrix: Matrix, inherited: dict[str, str], pen: Any
) -> Iterator[Area]:
    """Yield the filled areas of an element and its children."""
    tag, style = _tag(element), _style(element, inherited)
    if not tag or tag in IGNORED or style.get("display") == "none":
        return
    if tag in REFUSED:
        raise ModelError(
            f"got an element <{tag}>; expected shapes only. Convert objects to paths, and save "
            "as plain SVG"
        )
    if tag == "style" and "none" in (element.text or ""):
        raise ModelError(
            "got a style sheet that hides elements; expected attributes. Save as plain SVG"
        )
    for key in ("clip-path", "mask"):
        if style.get(key, "none") != "none":
            raise ModelError(f"got {key}; expected shapes without it. Apply it, and save again")
    matrix = _multiply(matrix, parse_transform(element.attrib.get("transform", "")))
    if tag in DRAWN and style.get("fill") != "none":
        yield Area(_drawn(element, matrix, pen), style.get("fill-rule") == "evenodd")
    for child in element:
        yield from _element_areas(child, matrix, style, pen)


def _drawn(element: Any, matrix: Matrix, pen: Any) -> list[Array]:
    """Return the polygons of a path or of another shape, drawn with a pen."""
    from fontTools.pens.transformPen import TransformPen
    from fontTools.svgLib.path import parse_path
    from fontTools.svgLib.path.shapes import PathBuilder

    builder, plain = PathBuilder(), ElementTree.Element(element.tag, dict(element.attrib))
    plain.attrib.pop("transform", None)
    for name in GEOMETRY & set(plain.attrib):
        if not plain.attrib[name].isascii() or "_" in plain.attrib[name]:
            raise ValueError(f"{name} {shorten(plain.attrib[name])}")
    builder.add_path_from_element(plain)
    for path in builder.paths:
        parse_path(path, TransformPen(pen, matrix))
    polygons: list[Array] = pen.take()
    return polygons


def _multiply(first: Matrix, second: Matrix) -> Matrix:
    """Return the matrix of `second`, then `first`."""
    a, b, c, d, e, f = first
    p, q, r, s, t, u = second
    return (
        a * p + c * q, b * p + d * q, a * r + c * s, b * r + d * s,
        a * t + c * u + e, b * t + d * u + f,
    )  # fmt: skip


def parse_transform(text: str) -> Matrix:
    """Return the matrix of a `transform` attribute. Raises ValueError."""
    result = IDENTITY
    if len(text) > MAX_TRANSFORM or re.sub(r"[A-Za-z]+\s*\([^()]*\)[\s,]*", "", text).strip():
        raise ValueError(f"transform {shorten(text)}")
    for word, inside in re.findall(r"([A-Za-z]+)\s*\(([^()]*)\)", text):
        numbers = [parse_number(part) for part in re.split(r"[\s,]+", inside.strip()) if part]
        result = _multiply(result, _function(word, numbers))
    return result


def _function(word: str, numbers: list[float]) -> Matrix:
    """Return the matrix of one function of a `transform` attribute. Raises ValueError."""
    match word, numbers:
        case "matrix", [a, b, c, d, e, f]:
            return a, b, c, d, e, f
        case "translate", [x, *rest] if len(rest) < 2:
            return 1.0, 0.0, 0.0, 1.0, x, (rest or [0.0])[0]
        case "scale", [x, *rest] if len(rest) < 2:
            return x, 0.0, 0.0, (rest or [x])[0], 0.0, 0.0
        case "rotate", [angle, *rest] if len(rest) in (0, 2):
            x, y = rest or (0.0, 0.0)
            c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            return c, s, -s, c, x - c * x + s * y, y - s * x - c * y
        case "skewX", [angle]:
            return 1.0, 0.0, math.tan(math.radians(angle)), 1.0, 0.0, 0.0
        case "skewY", [angle]:
            return 1.0, math.tan(math.radians(angle)), 0.0, 1.0, 0.0, 0.0
    raise ValueError(f"transform {word}{tuple(numbers)}")

"""Points inside texts and SVG files: counts, evenness, closed forms, model files and refusals."""

from __future__ import annotations

import math
import random
import re
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import cKDTree

import murmurate as mm
from murmurate.model.outlines import parse_transform, svg_areas, text_areas

SVG = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg">{}</svg>'
RING = "M0 0h60v60h-60z M20 20h20v20h-20z"
MODEL = """
[space]
size = {size}

[flocks.boids]
count = 40
{start}

[rules.word]
kind = "tend-to-place"
place = {target}
"""


def svg(folder: Path, content: str, name: str = "a.svg") -> Path:
    (folder / name).write_text(SVG.format(content), encoding="utf-8")
    return folder / name


def spacing(points: np.ndarray) -> np.ndarray:
    """Return the distance (N,) of each point to the nearest other one."""
    return cKDTree(points).query(points, k=2)[0][:, 1]


def test_points_fill_a_disc_evenly(tmp_path) -> None:
    file = svg(tmp_path, '<circle cx="7" cy="-3" r="5"/>')
    points = mm.shape_points(500, file=file, width=20, centre=(1, 2))
    assert points.shape == (500, 2)
    radii = np.linalg.norm(points - [1, 2], axis=1)
    assert radii.max() <= 10.0 and radii.max() > 9.3
    np.testing.assert_allclose(points.mean(axis=0), [1, 2], atol=0.05)
    for part in (0.25, 0.5, 0.75):  # of the area
        assert np.mean(radii < 10 * math.sqrt(part)) == pytest.approx(part, abs=0.03)
    near = spacing(points)
    triangular = math.sqrt(2 / math.sqrt(3) * math.pi * 100 / 500)  # the largest possible spacing
    assert 0.8 * triangular < near.mean() < triangular and near.std() < 0.2 * near.mean()
    assert (np.diff(points[:, 0]) >= 0).all()  # from left to right
    np.testing.assert_array_equal(points, mm.shape_points(500, file=file, width=20, centre=(1, 2)))


@pytest.mark.parametrize(
    ("rule", "hole"), [("evenodd", True), ("nonzero", False)]
)  # both squares wind the same way
def test_transforms_and_fill_rules(tmp_path, rule, hole) -> None:
    """A square ring, turned by 90 degrees, whose left part is to the right of a small square."""
    content = (
        f'<g transform="translate(100 0) rotate(90)"><path fill-rule="{rule}" d="{RING}"/></g>'
        '<rect fill="none" x="-500" width="90" height="90"/>'
        '<g style="display: none"><rect width="900" height="900"/></g>'
        '<defs><rect width="900" height="900"/></defs>'
        '<rect x="0" y="0" width="20" height="20"/>'
    )
    points = mm.shape_points(300, file=svg(tmp_path, content), width=100)
    x, y = points.T + np.array([[50], [-30]])  # now as in the file, with y up: 0 to 100, -60 to 0
    small = x < 30
    assert ((x[small] <= 20) & (y[small] >= -20)).all()
    assert ((x[~small] >= 40) & (y >= -60)[~small]).all()
    inner = (abs(x - 70) < 9) & (abs(y + 30) < 9)
    assert inner.any() != hole
    area = 3600 - 400 * hole
    assert np.mean(~small) == pytest.approx(area / (area + 400), abs=0.02)


def test_transform_functions_compose_from_left_to_right() -> None:
    matrix = parse_transform("translate(10,20) scale(2) matrix(1 0 0 1 3 4)")
    assert matrix == (2, 0, 0, 2, 16, 28)
    np.testing.assert_allclose(parse_transform("rotate(90 5 5)"), (0, 1, -1, 0, 10, 0), atol=1e-12)
    with pytest.raises(ValueError, match="transform"):
        parse_transform("turn(3)")


def test_text_has_its_width_and_plane() -> None:
    flat = mm.shape_points(200, text="HI", width=12, centre=(5, 6))
    assert 11 < np.ptp(flat[:, 0]) <= 12 and abs(np.median(flat[:, 1]) - 6) < 1
    gap = np.sort(flat[:, 0])
    assert np.diff(gap).max() > 0.5  # between H and I
    for plane, axes in (("xz", [0, 2]), ("yz", [1, 2]), ("xy", [0, 1])):
        solid = mm.shape_points(200, text="HI", width=12, centre=(5, 5, 5), plane=plane)
        np.testing.assert_allclose(solid[:, axes] - 5, flat - [5, 6], atol=1e-12)
    upright = mm.shape_points(200, text="HI", width=12, centre=(5, 5, 5))
    assert set(upright[:, 1]) == {5.0}
    lines = mm.shape_points(200, text="I\nL", height=10)
    assert np.mean(lines[:, 1] > 0) == pytest.approx(0.4, abs=0.1)


def test_bars_get_points_inside_them(tmp_path) -> None:
    """Of two thin bars that are far apart, hardly any evenly spaced scan line meets one."""
    bars = '<rect y="0.01" width="9" height="0.009"/><rect y="9" width="9" height="0.009"/>'
    points = mm.shape_points(100, file=svg(tmp_path, bars), width=1)
    assert len(np.unique(points, axis=0)) == 100
    assert np.mean(points[:, 1] > 0) == pytest.approx(0.5, abs=0.05)
    assert (abs(abs(points[:, 1]) - 0.5) < 0.0011).all()


def test_thin_letters_get_exactly_as_many_points() -> None:
    for count in (1, 2, 7, 33):
        points = mm.shape_points(count, text="l.", height=3)
        assert len(np.unique(points, axis=0)) == count


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"count": 0, "text": "A", "width": 1}, r"count: got 0; expected .* 1 to 20,000"),
        ({"count": 9, "width": 1}, "got neither; expected one of the two"),
        ({"count": 9, "text": "A"}, "width, height: got neither"),
        ({"count": 9, "text": "A", "width": -1}, "width: got -1; expected a length above 0"),
        ({"count": 9, "text": "é", "width": 1}, "got characters 'é', which the font lacks"),
        ({"count": 9, "text": "  ", "width": 1}, "expected 1 to 200"),
        ({"count": 9, "text": "A", "width": 1, "plane": "xz"}, "plane: got 'xz'"),
        ({"count": 9, "text": "A", "width": 1, "centre": (1,)}, "expected 2 or 3 numbers"),
    ],
)
def test_wrong_arguments(options, message) -> None:
    with pytest.raises(mm.ModelError, match=message):
        mm.shape_points(**options)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("<text>A</text>", "<text>; expected shapes only. Convert objects to paths"),
        ('<use href="#a"/>', "<use>"),
        ('<rect width="9mm" height="4"/>', "numbers without units"),
        ('<rect width="9" height="4" clip-path="url(#a)"/>', "got clip-path"),
        ('<rect fill="none" width="9" height="4"/>', "got nothing that is filled"),
        ("<style>rect { fill: none }</style>", "style sheet"),
        ('<path d="M0 0 L9 9 L3 3z"/>', "without area|too thin"),
        ("<rect", "got no SVG"),
        ('<circle r="1_0"/>', "r 1_0"),
        ('<path d="M 0 0 L \u0661 0 L 0 9 Z"/>', "d M 0"),
        ('<g transform="translate(1_0)"><circle r="5"/></g>', "'1_0' is not a number"),
        ('<path d="M0 0 A1 1e-300 0 0 1 3 3z"/>', "an element that is not valid"),
        pytest.param(
            '<rect width="1" height="1"/>' * 50_001,
            "got more than 200,000 corners",
            marks=pytest.mark.slow,
        ),
        (f'<path transform="{"a" * 20_000}" d="M0 0L9 0L0 9z"/>', "transform a"),
    ],
    ids=lambda value: value[:40],
)
def test_svg_that_is_refused(tmp_path, content, message) -> None:
    with pytest.raises(mm.ModelError, match=rf"a\.svg: .*({message})"):
        mm.shape_points(9, file=svg(tmp_path, content), width=1)


def test_svg_with_entities_is_refused(tmp_path) -> None:
    text = '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg>&a;</svg>'
    (tmp_path / "a.svg").write_text(text)
    with pytest.raises(mm.ModelError, match="got entities"):
        mm.shape_points(9, file=tmp_path / "a.svg", width=1)


def test_files_that_are_no_font(tmp_path) -> None:
    font = default_font()
    for content, message in ((b"wOF2" + font, "a compressed font"), (font[:5000], "not a font")):
        (tmp_path / "a.ttf").write_bytes(content)
        with pytest.raises(mm.ModelError, match=rf"a\.ttf: got .*{message}"):
            mm.shape_points(9, text="AB", font=tmp_path / "a.ttf", width=1)


def default_font() -> bytes:
    from PIL import ImageFont

    return ImageFont.load_default(10).font_bytes


@pytest.mark.slow
def test_damaged_files_are_refused_or_read(tmp_path, capfd) -> None:
    """Bytes of fonts, in their tables and anywhere; numbers of drawings."""
    dice, font, file = random.Random(1), default_font(), tmp_path / "a"
    path = "M0 0 A1 2 30 0 1 3 3 C1 1 2 2 3 0 Q1 2 3 4 T5 5 H5 V6z"
    drawing = f'<path d="{path}" transform="scale(2)"/>'
    numbers = ("1e-300", "1e300", "-1", "0", "nan", "inf", "", "1e154", "x", "--1", "9" * 400)
    for _ in range(300):
        damaged = bytearray(font)
        for _ in range(dice.choice([1, 3, 30])):
            table = 12 + 16 * dice.randrange(int.from_bytes(font[4:6], "big"))
            first = int.from_bytes(font[table + 8 : table + 12], "big")
            at = dice.choice([first + dice.randrange(60), dice.randrange(len(font))])
            damaged[min(at, len(font) - 1)] = dice.choice([0, 127, 255, dice.randrange(256)])
        file.write_bytes(damaged[: dice.choice([len(font), len(font), dice.randrange(len(font))])])
        number = dice.choice(list(re.finditer(r"\d+", drawing)))
        content = drawing[: number.start()] + dice.choice(numbers) + drawing[number.end() :]
        picture = svg(tmp_path, content, "b")
        for read, *arguments in ((text_areas, "AB", file), (svg_areas, picture)):
            with suppress(mm.ModelError):
                read(*arguments)
    assert capfd.readouterr() == ("", "")


# --- model files


def load(folder: Path, target: str, start: str = "", size: str = "[60, 30]") -> mm.Model:
    file = folder / "mine.toml"
    file.write_text(MODEL.format(target=target, start=start, size=size), encoding="utf-8")
    return mm.load(file)


def test_a_model_file_has_the_points(tmp_path) -> None:
    svg(tmp_path, '<circle r="5"/>')
    model = load(
        tmp_path, '{ file = "a.svg", height = 8, centre = [20, 10] }',
        'start = { kind = "shape", text = "HI", width = 20, velocity = [1, 0] }',
    )  # fmt: skip
    points = mm.shape_points(40, file=tmp_path / "a.svg", height=8, centre=(20, 10))
    np.testing.assert_array_equal(
        np.transpose([x.values for x in model.rules["word"].place]), points
    )
    start = model.flocks["boids"].start
    word = mm.shape_points(40, text="HI", width=20, centre=(30, 15))
    np.testing.assert_array_equal(start.positions, word)
    assert set(start.velocities) == {(1.0, 0.0)}
    assert mm.parse(mm.to_toml(model)) == model and "a.svg" not in mm.to_toml(model)


@pytest.mark.slow
def test_boids_come_to_rest_on_their_points(tmp_path) -> None:
    """A spring of weight 1 with a brake of weight 2 is critically damped."""
    text = MODEL.format(target='{ text = "HI", width = 20 }', start="", size="[60, 30, 30]")
    model = mm.parse(
        text + 'weight = 1\n[rules.brake]\nkind = "tend-to-velocity"\nvelocity = [0, 0, 0]\n'
        "weight = 2\n"
    ).set({"dt": 0.2})
    points = mm.shape_points(40, text="HI", width=20, centre=(30, 15, 15))
    flock = mm.Simulation(model, seed=1, engine="reference").step(110).frame["boids"]
    np.testing.assert_allclose(flock.positions, points, atol=1e-4)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ('{ file = "../a.svg", width = 9 }', "file: .*expected a file in the folder of the model"),
        ('{ file = "b.svg", width = 9 }', "b.svg: cannot be read"),
        ('{ text = "HI", wdth = 9 }', "no key of a shape named 'wdth': did you mean 'width'"),
        ('{ text = "HI", width = 9, centre = [1] }', "centre: got .* expected 2 numbers"),
        ('{ text = "HI", width = 9, font = "a.svg" }', "a.svg: got a file that is not a font"),
    ],
)
def test_wrong_tables(tmp_path, target, message) -> None:
    svg(tmp_path, '<circle r="5"/>')
    with pytest.raises(mm.ModelError, match=rf"mine\.toml: rules\.word\.place: .*{message}"):
        load(tmp_path, target)


def test_a_wrong_start_is_reported_with_other_errors(tmp_path) -> None:
    with pytest.raises(mm.ModelError) as caught:
        load(tmp_path, "[1, 2]\nwieght = 3", 'start = { kind = "shape", text = "HI" }')
    assert "flocks.boids.start: width, height: got neither" in str(caught.value)
    assert "wieght" in str(caught.value)


def test_a_shape_for_the_start_of_a_wire_is_no_start_of_a_flock(tmp_path) -> None:
    wire = """[1, 2]
[rules.wire]
kind = "perch"
start = { text = "HI", width = 9 }
end = [20, 20]
reach = 1
"""
    perching = "perching = { shortest = 1, longest = 2 }"
    with pytest.raises(mm.ModelError, match=r"rules\.wire\.start: got each.*expected a number"):
        load(tmp_path, wire, perching)


def test_texts_from_elsewhere_name_no_files() -> None:
    text = MODEL.format(target='{ file = "a.svg", width = 9 }', start="", size="[60, 30]")
    with pytest.raises(mm.ModelError, match="Only model files on disk name files"):
        mm.parse(text)

"""Colours that show a number of each boid: tables, ranges, legends and who has which colour."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from small_frames import cloud, empty, flock, frame, plain, space, where

import murmurate as mm
from murmurate.frame import FlockFrame
from murmurate.model.view import Camera, Look, View
from murmurate.runs import record_run
from murmurate.runs.film import _shown_view
from murmurate.runs.playback import Playback
from murmurate.show.density import Density
from murmurate.show.painter import Painter
from murmurate.show.palette import Hue, Palette, range_in_model
from murmurate.show.styles import STYLES, to_lab
from murmurate.show.text import range_text

# Colour blindness, the matrices for full severity of G. M. Machado, M. M. Oliveira and
# L. A. F. Fernandes, IEEE Trans. Vis. Comput. Graph. 15, 1291 (2009), doi:10.1109/TVCG.2009.113.
BLINDNESS = {
    "protanopia": [
        [0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}  # fmt: skip


def with_traits(boids: FlockFrame, **traits: object) -> FlockFrame:
    named = {f"rules.go.{name}": np.asarray(each, float) for name, each in traits.items()}
    return replace(boids, traits=named)


def as_seen(colours: np.ndarray, blindness: str) -> np.ndarray:
    """Return OKLab colours (P, 3) of sRGB colours, as colour-blind people see them."""
    part = colours / 255.0
    light = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    light = np.clip(light @ np.array(BLINDNESS[blindness]).T, 0.0, 1.0)
    back = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return to_lab(255.0 * back)


def steps(lab: np.ndarray) -> np.ndarray:
    return np.linalg.norm(np.diff(lab, axis=0), axis=1)


@pytest.mark.parametrize("style", STYLES)
class TestTables:
    def test_equal_steps_look_equal(self, style):
        sequential = steps(to_lab(STYLES[style].colours("sequential", 128)))
        assert sequential.max() < 1.15 * sequential.min()
        table = STYLES[style].colours("cyclic", 128)
        closed = steps(to_lab(np.concatenate([table, table[:1]])))
        assert closed.max() < 1.02 * closed.min()

    @pytest.mark.parametrize("blindness", BLINDNESS)
    def test_sequential_colours_are_in_order_for_everyone(self, style, blindness):
        table = STYLES[style].colours("sequential", 128)
        for lab in (to_lab(table), as_seen(table, blindness)):
            lightness = np.diff(lab[:, 0])
            assert (lightness > 0).all() or (lightness < 0).all()
            assert steps(lab).sum() > 0.4
        assert np.ptp(to_lab(table)[:, 0]) > 0.4

    @pytest.mark.parametrize("blindness", BLINDNESS)
    def test_a_quarter_of_the_circle_is_visible_for_everyone(self, style, blindness):
        lab = as_seen(STYLES[style].colours("cyclic", 128), blindness)
        apart = [np.linalg.norm(lab - np.roll(lab, k, axis=0), axis=1).min() for k in range(32, 97)]
        assert min(apart) > 0.12

    @pytest.mark.parametrize("colour_map", ["sequential", "cyclic"])
    def test_every_colour_stands_out_from_the_background(self, style, colour_map):
        table = to_lab(STYLES[style].colours(colour_map, 128))
        sky = to_lab(STYLES[style].sky)
        middle = sky[len(sky) // 2 :]  # of a sky with several colours: the part with the flock
        apart = np.linalg.norm(table[:, None] - middle, axis=2)
        assert apart.min() > 0.12

    @pytest.mark.parametrize("colour_map", ["sequential", "cyclic"])
    def test_no_colour_is_clipped(self, style, colour_map):
        table = STYLES[style].colours(colour_map, 128)
        assert table.min() > 0.5 and table.max() < 254.5


def palette_of(moment, **view):
    palette = Palette(View(**view), {})
    palette.update(moment)
    return palette


class TestNumbers:
    def test_the_range_is_that_of_the_boids(self):
        boids = with_traits(cloud(5), weight=[2.0, 0.0, 1.0, 0.5, 2.0])
        palette = palette_of(frame(boids), colour_by="weight")
        assert palette.range == (0.0, 2.0)
        assert palette.numbers(boids).tolist() == [127, 0, 64, 32, 127]
        assert palette.legend.name == "weight"

    def test_the_range_of_the_view_clips(self):
        boids = with_traits(cloud(3), weight=[-9.0, 1.0, 9.0])
        palette = palette_of(frame(boids), colour_by="rules.go.weight", colour_range=(0, 2))
        assert palette.numbers(boids).tolist() == [0, 64, 127]
        assert palette.legend[:3] == ("weight", 0.0, 2.0)

    def test_the_range_grows_and_never_shrinks(self):
        palette = palette_of(frame(with_traits(cloud(2), weight=[0.0, 1.0])), colour_by="weight")
        palette.update(frame(with_traits(cloud(2), weight=[0.4, 3.0])))
        palette.update(frame(with_traits(cloud(2), weight=[0.4, 0.5])))
        assert palette.range == (0.0, 3.0)

    def test_phases_wrap(self):
        turn = 2.0 * np.pi
        boids = with_traits(cloud(4), phase=[0.0, 0.5 * turn, turn, -0.25 * turn])
        palette = palette_of(frame(boids), colour_by="phase", colour_map="cyclic")
        assert palette.numbers(boids).tolist() == [0, 64, 0, 96]
        assert palette.legend.cyclic and palette.legend.high == pytest.approx(turn)

    def test_speeds_take_a_range_and_a_map(self):
        boids = flock([(1, 1), (2, 2)], [(1.0, 0.0), (0.0, 3.0)])
        palette = palette_of(frame(boids), colour_by="speed", colour_range=(1, 5))
        assert palette.numbers(boids).tolist() == [0, 64]

    def test_state_of_boids_is_a_number_too(self):
        boids = replace(cloud(2), memory=np.array([[1.0], [2.0]]), state_names=("rules.go.energy",))
        assert palette_of(frame(boids), colour_by="energy").numbers(boids).tolist() == [0, 127]

    @pytest.mark.parametrize("scale", [1.0, 3.0])
    def test_others_keep_the_colour_of_their_flock(self, scale):
        """Flocks without the number, and boids whose number is not finite."""
        looks = {"hawks": Look(colour="#ff0000", scale=scale), "boids": Look(colour="#00ff00")}
        boids = with_traits(cloud(3), weight=[0.0, np.nan, 1.0])
        hawks = replace(cloud(2), name="hawks")
        palette = Palette(View(colour_by="weight"), looks)
        palette.update(frame(boids, hawks))
        assert palette.hue(hawks) is None
        red = palette.colours(scale)[palette.numbers(hawks)]
        assert (red == [255, 0, 0]).all()
        table = palette.colours(1.0)
        first, green, last = table[palette.numbers(boids)]
        assert (green == [0, 255, 0]).all()
        assert (first == table[0]).all() and (last == table[127]).all()

    def test_large_boids_show_their_number(self):
        """Flocks with a scale above 1 keep their colour when others show heading or speed only."""
        hawks = with_traits(replace(cloud(2), name="hawks"), hunger=[0.0, 1.0])
        palette = Palette(View(colour_by="hunger"), {"hawks": Look(scale=3)})
        palette.update(frame(hawks))
        assert palette.numbers(hawks).tolist() == [0, 127]

    def test_names_that_frames_do_not_have(self):
        boids = with_traits(cloud(3), weight=[0, 1, 2])
        twice = replace(boids, traits={**boids.traits, "rules.stay.weight": np.zeros(3)})
        for moment, name in ((frame(boids), "wait"), (frame(twice), "weight")):
            with pytest.raises(mm.ShowError, match=r"view\.colour_by: got .*rules\.go\.weight"):
                palette_of(moment, colour_by=name)
        with pytest.raises(mm.ShowError, match="these frames have none"):
            palette_of(frame(cloud(3)), colour_by="weight")
        assert palette_of(frame(empty(2)), colour_by="weight").range is None


def colour_at(painter, picture, point):
    x, y = where(painter, point)
    return picture[int(y), int(x)]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("shading", ["darts", "density"])
@pytest.mark.parametrize("dims", [2, 3])
def test_boids_have_the_colour_of_their_number(style, shading, dims):
    points = np.repeat([[20.0] * dims, [80.0] * dims], 60 if shading == "density" else 1, axis=0)
    boids = with_traits(flock(points), weight=points[:, 0])
    view = plain(style=style, shading=shading, colour_by="weight", boid_size=12)
    painter = Painter(boids.space, view)
    picture = painter.draw(frame(boids)).astype(int)
    table = STYLES[style].colours("sequential", 128)
    low, high = (colour_at(painter, picture, [x] * dims) for x in (20.0, 80.0))
    for colour, own, other in ((low, table[0], table[-1]), (high, table[-1], table[0])):
        assert np.linalg.norm(colour - own) < np.linalg.norm(colour - other)
    assert np.abs(low - high).sum() > 60


def test_density_of_boids_without_a_number():
    """Pixels of boids without a number have the flock's colour, and do not dilute the others."""
    x = np.repeat([5.0, 15.0, 25.0], 2)
    numbers = np.array([0, 0, -1, -1, 127, -1])
    table = np.linspace(0, 255, 128)[:, None] * [1.0, 0.0, 0.0]
    picture = np.zeros((11, 32, 3), np.uint8)
    density = Density([0.0, 0.0, 255.0], [0.0, 0.0, 255.0], 1.0)
    density.draw(picture, x, np.full(6, 5.0), 1.0, Hue(numbers, table, False))
    assert picture[5, 15].tolist() == [0, 0, 255]
    assert picture[5, 25, 0] > 150 > picture[5, 25, 2]
    assert picture[5, 5, 0] == 0


class TestLegend:
    def legend(self, **view):
        """Return the pixels that the legend changes, and the columns."""
        boids = with_traits(cloud(30, spread=3.0), weight=np.linspace(0, 1, 30))
        settings = {"text": True, "size": (640, 360), **view}
        drawn, bare = (
            Painter(space(), plain(**settings, colour_by=by), {"boids": Look(colour="#808080")})
            for by in ("weight", "flock")
        )
        changed = drawn.draw(frame(boids)).astype(int) - bare.draw(frame(boids)).astype(int)
        rows, columns = np.nonzero(np.abs(changed[: int(drawn.writing_above)]).sum(axis=2))
        return rows, columns

    @pytest.mark.parametrize("style", STYLES)
    @pytest.mark.parametrize("colour_map", ["sequential", "cyclic"])
    def test_it_is_in_the_upper_right_corner(self, style, colour_map):
        rows, columns = self.legend(style=style, colour_map=colour_map)
        assert len(rows) > 100
        assert columns.min() > 320 and columns.max() < 640
        assert rows.max() < 40

    def test_the_bar_is_left_out_where_it_does_not_fit(self):
        _, columns = self.legend(size=(100, 300))
        assert not len(columns)

    def test_no_legend_without_text(self):
        rows, _ = self.legend(text=False)
        assert not len(rows)

    def test_scenery_leaves_room_for_the_legend_alone(self):
        for view, room in (
            ({"colour_by": "speed"}, True),
            ({"colour_by": "flock"}, False),
            ({"colour_by": "speed", "transparent": True}, False),
            ({"colour_by": "speed", "text": False}, False),
        ):
            painter = Painter(space(), plain(**{"text": "auto", "scenery": "land", **view}))
            assert (painter.writing_above > 0) == room, view

    def test_a_turn_is_written_with_pi(self):
        turn = 2 * np.pi
        words = {(0.0, turn): "0 to 2 pi", (-np.pi, np.pi): "-pi to pi", (0.0, 24.0): "0 to 24"}
        for ends, text in words.items():
            assert range_text(*ends) == text

    def test_the_ring_of_headings_rotates_with_the_camera(self):
        """A boid to the right of the picture has the colour on the right of the ring."""
        for dims, azimuth in ((2, 0.0), (3, 0.0), (3, 65.0)):
            camera = Camera(azimuth=azimuth, elevation=0, follow="space")
            view = plain(text=True, size=(640, 360), colour_by="heading", camera=camera)
            painter = Painter(space(dims), view)
            projection = painter.next_projection(frame(empty(dims)))
            right = np.eye(2)[0] if dims == 2 else projection.axes()[0]
            picture = painter.draw(frame(flock([[50.0] * dims], [right]))).astype(int)
            ring = picture[16, 627]  # in the corner, letters are 9 pixels high
            boid = picture[100:300, 200:440].reshape(-1, 3)
            boid = boid[np.ptp(boid, axis=1).argmax()]
            vivid = [colour - colour.mean() for colour in (ring, boid)]
            cosine = vivid[0] @ vivid[1] / np.prod([np.linalg.norm(v) for v in vivid])
            assert cosine > 0.95, (dims, azimuth)


class TestRangeOfFilms:
    """Films know the range of numbers before they begin."""

    def test_distributions_of_flocks_that_grow(self):
        def model(weight, **flock):
            return mm.Model(
                space=mm.Space(size=(20.0, 20.0)), flocks={"boids": mm.Flock(count=3)},
                rules={"cohesion": mm.Cohesion(weight=weight, radius=5)},
                population={"in": mm.BoidSource(rate=1.0)}, view=mm.View(colour_by="weight"),
            )  # fmt: skip

        normal = mm.Normal(mean=1.0, sd=0.1, min=0.0)
        low, high = range_in_model(model(normal))
        assert (low, high) == pytest.approx((1 - 0.2576, 1 + 0.2576), abs=1e-3)
        assert range_in_model(model(mm.Uniform(min=0.5, max=2.0))) == (0.5, 2.0)
        assert range_in_model(model(mm.Choice(values=(0.0, 3.0)))) == (0.0, 3.0)
        fixed = model(normal).set({"view.colour_range": [0, 9]})
        assert range_in_model(fixed) == (0.0, 9.0)
        same = model(normal).set({"population.in": None})
        assert range_in_model(same) == ()
        assert range_in_model(model(normal).set({"view.colour_map": "cyclic"})) == ()
        assert range_in_model(model(normal).set({"view.colour_by": "speed"})) == ()

    def test_state_of_recordings(self, tmp_path):
        """A film of a part of a recording has the range of all of it."""
        changes = {"view.colour_by": "spin_z", "flocks.boids.count": 30, "view.size": [64, 64],
                   "flocks.boids.start": mm.InBox(velocity=mm.Directions(speed=0.1))}  # fmt: skip
        model = mm.load("inertial-spin").set(changes)
        rec = record_run.record(mm.Simulation(model, 2, engine="reference"), tmp_path / "a.zarr", 9)
        spins = np.array([frame["boids"].per_boid("spin_z") for frame in rec])
        drawn = _shown_view(Playback(rec)).colour_range
        assert drawn == pytest.approx((spins.min(), spins.max()))
        assert mm.still(rec, tmp_path / "a.png").exists()

    @pytest.mark.filterwarnings("ignore::murmurate.model.warnings.ModelWarning")
    def test_a_number_that_all_boids_share(self, tmp_path):
        """Colours are those of the flock, and there is no legend, in films and scenes."""
        model = mm.load("jolles-2017").set({"flocks.boids.motion.speed": 1.0})
        by_flock = model.set({"view.colour_by": "flock"})
        reference = mm.RunOptions(engine="reference")
        few: dict[str, Any] = {"view": mm.View(size=(160, 90)), "at": 2, "options": reference}
        pictures = [mm.still(each, tmp_path / f"{k}.png", **few).read_bytes()[200:]
                    for k, each in enumerate((model, by_flock))]  # fmt: skip
        assert pictures[0][-500:] == pictures[1][-500:]
        simulation = mm.Simulation(model, 2, engine="reference")
        rec = record_run.record(simulation, tmp_path / "a.zarr", 2)
        assert mm.export(rec, tmp_path / "a.glb").boids == 20


@pytest.mark.parametrize("style", STYLES)
def test_a_glow_brightens_the_sky_only_around_it(style: str) -> None:
    """Between the colours of the sky and of the glow: a gradient is dithered by one level."""
    look = STYLES[style]
    picture = look.background(160, 90).astype(int)
    colours = np.array([*look.sky, look.glow[0] if look.glow[1] else look.sky[0]])
    assert (picture >= colours.min(axis=0)).all() and (picture <= colours.max(axis=0) + 1).all()
    assert np.abs(picture[0] - look.sky[0]).max() <= 2  # far from it

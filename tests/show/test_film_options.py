"""Films for editing: transparency, presets, captions, and identical files."""

import av
import numpy as np
import pytest
from PIL import Image
from small_frames import FOLLOW, cloud, film_of, flock, frame, plain, space

import murmurate as mm
from murmurate.errors import OutputError
from murmurate.model.view import View
from murmurate.show import write_film, write_still
from murmurate.show.canvas import new_picture
from murmurate.show.painter import Painter
from murmurate.show.presets import PRESETS, parse_size
from murmurate.show.styles import STYLES
from murmurate.show.text import TextRenderer


def large():
    """Return a boid so large that its centre is opaque."""
    return frame(flock([[50.0, 50.0]]))


def opened(path):
    with Image.open(path) as picture:
        return np.asarray(picture)


BARE = plain(size=(160, 120), boid_size=40, transparent=True)


def with_alpha(path, decoder):
    """Return the first picture (H, W, 4) of a film, decoded with its alpha channel."""
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        context = stream.codec_context
        if decoder:
            context = av.CodecContext.create(decoder, "r")
        for packet in container.demux(stream):
            for decoded in context.decode(packet):
                return decoded.reformat(format="rgba").to_ndarray()
    raise AssertionError("no picture")


class TestTransparent:
    @pytest.mark.parametrize(("suffix", "decoder"), [(".webm", "libvpx-vp9"), (".mov", "")])
    def test_films_keep_alpha(self, tmp_path, suffix, decoder):
        path = tmp_path / f"film{suffix}"
        write_film([large()] * 3, path, BARE)
        picture = with_alpha(path, decoder)
        assert picture[60, 80, 3] > 200 and picture[60, 80, 2] > 200
        assert picture[5, 5, 3] < 3

    def test_pictures_keep_alpha(self, tmp_path):
        write_film([large()], tmp_path / "%05d.png", BARE)
        write_still(large(), tmp_path / "still.png", BARE)
        for name in ("00001.png", "still.png"):
            picture = opened(tmp_path / name)
            assert picture.shape == (120, 160, 4)
            assert picture[60, 80, 3] > 200 and (picture[5, 5] == 0).all()

    @pytest.mark.parametrize("name", ["film.mp4", "film.gif"])
    def test_formats_without_alpha_are_refused(self, tmp_path, name):
        with pytest.raises(
            OutputError, match=r"no transparency; expected \.webm, \.mov or numbered"
        ):
            write_film([large()], tmp_path / name, BARE)

    @pytest.mark.parametrize("dims", [2, 3])
    @pytest.mark.parametrize("shading", ["darts", "density"])
    @pytest.mark.parametrize("colour_by", ["flock", "heading", "speed"])
    def test_composited_on_the_sky_it_is_the_opaque_picture(self, dims, shading, colour_by):
        view = plain(
            text=True, box=True, shading=shading, colour_by=colour_by, caption="A caption",
            camera=FOLLOW, trails=3,
        )  # fmt: skip
        moment = frame(cloud(200, dims))
        opaque = Painter(moment.space, view).draw(moment).astype(float)
        clear = Painter(moment.space, view.model_copy(update={"transparent": True})).draw(moment)
        sky = np.array([13, 17, 26.0])
        part = clear[..., 3:] / 255.0
        assert 0.01 < part.mean() < 0.6
        over = clear[..., :3] * part + sky * (1 - part)
        assert np.abs(over - opaque).max() < 8


class TestTitles:
    @pytest.mark.parametrize("size", [(320, 180), (180, 320), (240, 240)])
    def test_nothing_is_cut_and_no_boid_is_under_them(self, size):
        ball = flock(np.random.default_rng(1).uniform(42, 58, (400, 2)))
        view = plain(size=size, camera=FOLLOW, boid_size=0.2)
        words = {
            "caption": "What a long caption this is, which takes some lines",
            "watermark": "me",
        }
        painter = Painter(ball.space, view.model_copy(update=words))
        painter.draw(frame(ball))
        lowest = painter.projection.project(painter.projection.nearest_offsets(ball.positions)).y
        empty = flock(np.full((1, 2), np.nan), where=space(2))
        bare = Painter(ball.space, view).draw(frame(empty))
        written = Painter(ball.space, view.model_copy(update=words)).draw(frame(empty))
        y, x = np.nonzero((written != bare).any(axis=2))
        assert lowest.max() < y.min() and y.max() < size[1] - 2
        assert x.min() > 2 and x.max() < size[0] - 2

    def test_letters_are_bright_on_dark_ground(self):
        empty = flock(np.full((1, 3), np.nan), where=space(3))
        view = plain(style="dusk", scenery="land", camera=FOLLOW)
        texts = {"caption": "At dusk", "watermark": "me"}
        bare, written = (
            Painter(empty.space, view.model_copy(update=update)).draw(frame(empty)).astype(int)
            for update in ({}, texts)
        )
        assert (written - bare).max() > 110  # dark letters differ by less, as the camera moves

    def test_letters_that_the_font_lacks_are_named(self, tmp_path):
        with pytest.raises(OutputError, match=r"view.caption: the font has no 鳥 群"):
            write_still(large(), tmp_path / "still.png", plain(caption="鳥群 of birds"))

    def test_letters_with_accents_are_written(self, tmp_path):
        pytest.importorskip("matplotlib")
        pictures = []
        for name, words in (("a", "Étourneaux à Zürich"), ("b", "Etourneaux a Zurich")):
            write_still(large(), tmp_path / f"{name}.png", plain(caption=words))
            pictures.append(np.asarray(Image.open(tmp_path / f"{name}.png"), float))
        assert 0 < np.abs(pictures[0] - pictures[1]).mean() < 5, "the marks alone make a difference"

    @pytest.mark.parametrize("text", ["two\nlines", "x" * 201])
    def test_other_text_is_refused(self, text):
        with pytest.raises(mm.ModelError, match=r"view.caption"):
            mm.load("ucl").set({"view.caption": text})


class TestPresets:
    @pytest.mark.parametrize("name", PRESETS)
    def test_each_is_a_view(self, name):
        view = View(**PRESETS[name])
        assert view.size == PRESETS[name]["size"]

    def test_arguments_come_after_it(self, tmp_path):
        model = mm.load("ucl").set({"flocks.boids.count": 5})
        mm.still(
            model,
            tmp_path / "a.png",
            preset="reel",
            view=mm.View(size=(128, 96)),
            options=mm.RunOptions(engine="reference"),
        )
        assert opened(tmp_path / "a.png").shape == (96, 128, 3)
        mm.still(
            model,
            tmp_path / "b.png",
            preset="square",
            view=mm.View(text=True),
            options=mm.RunOptions(engine="reference"),
        )
        assert opened(tmp_path / "b.png").shape == (1080, 1080, 3)

    def test_an_unknown_one_is_refused(self):
        with pytest.raises(mm.ModelError, match=r"preset: got 'real'.*did you mean reel"):
            mm.still(mm.load("ucl"), preset="real")
        with pytest.raises(mm.ModelError, match="size: got huge; expected WIDTHxHEIGHT"):
            parse_size("huge")


@pytest.mark.parametrize(
    "suffix", [".mp4", ".webm", pytest.param(".mov", marks=pytest.mark.slow), ".gif"]
)
def test_the_same_film_is_the_same_file(tmp_path, suffix):
    """The film has moving boids and is longer than the lookahead of the encoder."""
    for name in ("one", "two"):
        write_film(film_of(40, boids=200), tmp_path / f"{name}{suffix}", plain(), comment="same")
    first, second = ((tmp_path / f"{name}{suffix}").read_bytes() for name in ("one", "two"))
    assert first == second


def luminance(colours):
    """Relative luminance of sRGB colours (..., 3) of 0 to 255, as WCAG 2.1 defines it."""
    share = np.asarray(colours, float) / 255
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


@pytest.mark.parametrize("style", STYLES.values(), ids=STYLES)
@pytest.mark.parametrize(("what", "min_contrast"), [("title", 7), ("mark", 4)])
def test_caption_and_watermark_have_enough_contrast(style, what, min_contrast):
    sky = luminance(style.background(90, 160)[136:])
    ink = luminance(getattr(style, what))
    contrast = (np.maximum(sky, ink) + 0.05) / (np.minimum(sky, ink) + 0.05)
    assert contrast.min() > min_contrast


def test_a_halo_is_invisible_on_a_gradient():
    sky = np.tile(np.linspace(240, 80, 400)[None, :, None], (60, 1, 3)).astype(np.uint8)
    picture, text = new_picture(*sky.shape), "a word" + 20 * " " + "another"
    picture[:] = sky
    writer = TextRenderer(STYLES["dark"], 1000, 1400)
    assert 240 < writer.width(text) < 370
    writer.write(picture, 20, 10, text, (0, 0, 0))
    change = picture.astype(int) - sky
    assert change[:, 240:].min() < -60  # letters are there
    assert change.max() < 8  # and nothing around them is lighter than the sky

"""Output paths are checked before the simulation; stills."""

import os
import sys

import numpy as np
import pytest
from PIL import Image
from small_frames import cloud, frame, plain

from murmurate.errors import OutputError, WriteError
from murmurate.model.view import Look, colour_rgb
from murmurate.show import Painter, check_output, write_still
from murmurate.show import film as film_module


@pytest.mark.parametrize("name", ["a.mp4", "a.MP4", "a.webm", "a.gif", "a_%05d.png", "new/", "."])
def test_allowed(tmp_path, name):
    check_output(f"{tmp_path}/{name}")
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("a.mp5", "did you mean a.mp4"),
        ("a.wbm", "did you mean a.webm"),
        ("a.avi", r"\.mp4, \.webm, \.mov, \.gif"),
        ("a", "no suffix"),
        ("a.png", r"a_%05d\.png"),
        ("a_%s_%s.png", "%05d"),
        ("nowhere/a.mp4", "no folder"),
        ("nowhere/deeper/%05d.png", "no folder"),
    ],
)
def test_refused(tmp_path, name, says):
    with pytest.raises(OutputError, match=says):
        check_output(tmp_path / name)


def test_a_file_as_folder(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(OutputError, match="not a folder"):
        check_output(tmp_path / "file" / "a.mp4")


def test_a_folder_as_file(tmp_path):
    (tmp_path / "a.mp4").mkdir()
    with pytest.raises(OutputError, match="got a folder"):
        check_output(tmp_path / "a.mp4", force=True)


def test_existing(tmp_path):
    (tmp_path / "a.mp4").touch()
    with pytest.raises(OutputError, match="--force"):
        check_output(tmp_path / "a.mp4")
    assert check_output(tmp_path / "a.mp4", force=True) == tmp_path / "a.mp4"


@pytest.mark.skipif(sys.platform == "win32", reason="folders have no such permission there")
def test_no_permission(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda path, mode: False)  # the tests may run as root
    with pytest.raises(OutputError, match="no permission"):
        check_output(tmp_path / "a.mp4")


class TestStill:
    def test_is_what_the_painter_draws(self, tmp_path):
        moment = frame(cloud(50, 3))
        path = write_still(moment, tmp_path / "a.png", plain(), comment="why")
        with Image.open(path) as image:
            assert image.info["Comment"] == "why"
            assert (np.asarray(image) == Painter(moment.space, plain()).draw(moment)).all()
        assert os.listdir(tmp_path) == ["a.png"]

    def test_refusals(self, tmp_path):
        moment = frame(cloud(5))
        with pytest.raises(OutputError, match=r"\.png"):
            write_still(moment, tmp_path / "a.jpg", plain())
        write_still(moment, tmp_path / "a.png", plain())
        with pytest.raises(OutputError, match="--force"):
            write_still(moment, tmp_path / "a.png", plain())
        write_still(moment, tmp_path / "a.png", plain(), force=True)

    def test_a_full_disk(self, tmp_path, monkeypatch):
        def full(data, path):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(film_module, "write_bytes", full)
        with pytest.raises(WriteError, match="No space left"):
            write_still(frame(cloud(5)), tmp_path / "a.png", plain())


class TestColours:
    @pytest.mark.parametrize(
        ("text", "rgb"),
        [
            ("#e63946", (230, 57, 70)),
            ("#E63", (238, 102, 51)),
            ("steelblue", (70, 130, 180)),
            (" SteelBlue ", (70, 130, 180)),
        ],
    )
    def test_read(self, text, rgb):
        assert colour_rgb(text) == rgb
        assert Look(colour=text).colour == text

    @pytest.mark.parametrize("text", ["#12345", "#12345g", "rgb(1,2,3)", "stealblue", "#"])
    def test_refused(self, text):
        with pytest.raises(ValueError, match="#rrggbb"):
            Look(colour=text)

    def test_a_near_miss_is_named(self):
        with pytest.raises(ValueError, match="did you mean steelblue"):
            Look(colour="stealblue")

    @pytest.mark.parametrize("scale", [0, -1, float("nan"), 1000])
    def test_scale(self, scale):
        with pytest.raises(ValueError):
            Look(scale=scale)

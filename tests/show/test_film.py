"""Films: files play, even if interrupted, and nothing is overwritten without force."""

import os
import signal
import sys
import threading
from types import SimpleNamespace

import av
import numpy as np
import pytest
from PIL import Image
from small_frames import cloud, empty, film_of, flock, frame, plain

from murmurate.errors import OutputError, ShowError, WriteError
from murmurate.model.view import Look
from murmurate.show import FilmReport, write_film
from murmurate.show import film as film_module
from processes import LIMIT, small_files

needs_signals = pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to send")


def read(path):
    """Return the pictures (T, H, W, 3) of a film, and its pictures per second."""
    with av.open(str(path)) as container:
        rate = container.streams.video[0].average_rate
        pictures = [f.to_ndarray(format="rgb24") for f in container.decode(video=0)]
    return np.array(pictures), float(rate)


def leftovers(folder):
    return [name for name in os.listdir(folder) if ".part" in name]


@pytest.mark.parametrize("suffix", [".mp4", ".webm", ".gif"])
@pytest.mark.parametrize("count", [1, 30])
def test_frames_size_and_rate(tmp_path, suffix, count):
    path = tmp_path / f"film{suffix}"
    calls = []
    report = write_film(
        film_of(count), path, plain(frames_per_second=25), total=count,
        progress=lambda done, total: calls.append((done, total)), comment="a test",
    )  # fmt: skip
    pictures, rate = read(path)
    assert pictures.shape == (count, 240, 320, 3)
    if count > 1:
        assert rate == pytest.approx(25)
    assert report == FilmReport(path, count, count / 25, path.stat().st_size, False)
    assert calls == [(k + 1, count) for k in range(count)]
    assert not leftovers(tmp_path)


@pytest.mark.parametrize("suffix", [".mp4", ".webm", ".gif"])
def test_the_film_shows_what_the_painter_drew(tmp_path, suffix):
    path = tmp_path / f"film{suffix}"
    film_frames = [frame(flock([(20 + 6.0 * k, 50)]), step=k) for k in range(10)]
    view = plain(boid_size=12)
    write_film(film_frames, path, view, {"boids": Look(colour="#ff0000")})
    pictures, _ = read(path)
    painter = film_module.Painter(film_frames[0].space, view, {"boids": Look(colour="#ff0000")})
    for decoded, moment in zip(pictures, film_frames, strict=True):
        drawn = painter.draw(moment).astype(int)
        assert np.abs(decoded.astype(int) - drawn).mean() < 2.0
        assert np.hypot(*(centre(decoded.astype(int)) - centre(drawn))) < 1.0
        brightest = decoded.reshape(-1, 3)[decoded[..., 0].argmax()].astype(int)
        assert brightest[0] > 150 and brightest[1] < 90


def centre(picture):
    y, x = np.nonzero(picture[..., 0] > 100)
    return np.array([x.mean(), y.mean()])


@pytest.mark.parametrize("style", ["dark", "light", "dusk"])
def test_colours_survive_the_encoder(tmp_path, style):
    path = tmp_path / "film.mp4"
    view = plain(style=style)
    write_film([frame(empty(2))] * 3, path, view)
    with av.open(str(path)) as container:
        decoded = next(iter(container.decode(video=0)))
        assert decoded.colorspace == 1  # BT.709
        decoded = decoded.reformat(format="rgb24", src_colorspace="ITU709").to_ndarray()
    drawn = film_module.Painter(empty(2).space, view).draw(frame(empty(2)))
    assert np.abs(decoded.astype(float) - drawn).mean() < 2.0


@pytest.mark.skipif(not hasattr(os, "sched_setaffinity"), reason="only Linux chooses processors")
@pytest.mark.parametrize("suffix", [".mp4", pytest.param(".webm", marks=pytest.mark.slow)])
def test_a_film_does_not_depend_on_the_number_of_processors(tmp_path, suffix):
    processors = sorted(os.sched_getaffinity(0))
    files = []
    for number in {1, len(processors)}:
        os.sched_setaffinity(0, processors[:number])
        try:
            report = write_film(film_of(9), tmp_path / f"{number}{suffix}", plain())
        finally:
            os.sched_setaffinity(0, processors)
        files.append(report.path.read_bytes())
    assert files[0] == files[-1]


@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
def test_odd_sizes_are_rounded_up(tmp_path, suffix):
    path = tmp_path / f"film{suffix}"
    write_film(film_of(3), path, plain(size=(101, 75)))
    assert read(path)[0].shape == (3, 76, 102, 3)


def test_gif_keeps_odd_sizes_and_repeats(tmp_path):
    path = tmp_path / "film.gif"
    write_film(film_of(20), path, plain(size=(101, 75)))
    with Image.open(path) as gif:
        assert gif.size == (101, 75) and gif.n_frames == 20
        assert gif.info["loop"] == 0


def test_gif_keeps_its_speed_at_any_rate(tmp_path):
    for rate, seconds in ((24, 2), (100, 0.5)):
        path = tmp_path / f"{rate}.gif"
        write_film(film_of(int(rate * seconds)), path, plain(frames_per_second=rate))
        with Image.open(path) as gif:
            total = 0
            for k in range(gif.n_frames):
                gif.seek(k)
                total += gif.info["duration"]
                assert gif.info["duration"] >= 20
        assert total / 1000 == pytest.approx(seconds, abs=0.05)


def test_numbered_pictures(tmp_path):
    report = write_film(film_of(3), tmp_path / "shot_%03d.png", plain(size=(101, 75)))
    assert sorted(os.listdir(tmp_path)) == ["shot_001.png", "shot_002.png", "shot_003.png"]
    with Image.open(tmp_path / "shot_002.png") as image:
        assert image.size == (101, 75)
    sizes = [(tmp_path / name).stat().st_size for name in os.listdir(tmp_path)]
    assert (report.frames, report.bytes) == (3, sum(sizes))


def test_a_folder_stands_for_numbered_pictures(tmp_path):
    write_film(film_of(2), f"{tmp_path}/shots/", plain())
    assert sorted(os.listdir(tmp_path / "shots")) == ["00001.png", "00002.png"]


def test_a_shorter_sequence_leaves_no_pictures_of_the_longer_one(tmp_path):
    path = tmp_path / "%04d.png"
    write_film(film_of(5), path, plain())
    with pytest.raises(OutputError, match=r"0001\.png exists"):
        write_film(film_of(2), path, plain())
    write_film(film_of(2), path, plain(), force=True)
    assert sorted(os.listdir(tmp_path)) == ["0001.png", "0002.png"]


def test_pictures_beyond_a_gap_are_kept(tmp_path):
    (tmp_path / "shot_0007.png").write_text("mine")
    (tmp_path / "shot_008.png").write_text("of another name")
    with pytest.raises(OutputError, match=r"shot_0007\.png exists and is kept"):
        write_film(film_of(9), tmp_path / "shot_%04d.png", plain())
    assert sorted(os.listdir(tmp_path)) == ["shot_0007.png", "shot_008.png"]


@pytest.mark.parametrize("suffix", [".mp4", ".webm", ".gif"])
@pytest.mark.parametrize("after", [1, 9])
def test_ctrl_c_leaves_a_film_that_plays(tmp_path, suffix, after):
    def frames():
        yield from film_of(after)
        raise KeyboardInterrupt

    path = tmp_path / f"film{suffix}"
    report = write_film(frames(), path, plain())
    assert (report.frames, report.interrupted) == (after, True)
    assert len(read(path)[0]) == after
    assert not leftovers(tmp_path)


def test_ctrl_c_while_drawing(tmp_path, monkeypatch):
    paint = film_module.Painter.paint

    def stopped(self, stage):
        if stage.frame.step == 4:
            raise KeyboardInterrupt
        return paint(self, stage)

    monkeypatch.setattr(film_module.Painter, "paint", stopped)
    report = write_film(film_of(10), tmp_path / "film.mp4", plain())
    assert report.interrupted
    assert len(read(report.path)[0]) == 4


def test_ctrl_c_while_a_picture_is_handed_over(tmp_path, monkeypatch):
    put = film_module.FilmFiles.put

    def stopped(self, pictures):
        put(self, pictures)
        files_written.append(len(pictures))
        if len(files_written) == 4:
            raise KeyboardInterrupt

    files_written: list[int] = []
    monkeypatch.setattr(film_module.FilmFiles, "put", stopped)
    report = write_film(film_of(10), tmp_path / "film.mp4", plain(), passes=("motion",))
    assert (report.frames, report.interrupted) == (4, True)
    assert len(read(report.path)[0]) == 4
    assert len(os.listdir(report.passes[0].parent)) == 4


def test_ctrl_c_before_the_first_picture(tmp_path):
    def frames():
        raise KeyboardInterrupt
        yield

    report = write_film(frames(), tmp_path / "film.mp4", plain())
    assert report == FilmReport(tmp_path / "film.mp4", 0, 0.0, 0, True)
    assert os.listdir(tmp_path) == []


@pytest.fixture
def pressed_while_waiting(monkeypatch):
    """Press Ctrl-C n times while the main thread waits for the file; then set the event."""

    def press(times):
        done, left = threading.Event(), [times]

        class Interrupted(threading.Event):
            def wait(self, timeout=None):
                if left[0] and threading.current_thread() is threading.main_thread():
                    left[0] -= 1
                    if not left[0]:
                        done.set()
                    signal.raise_signal(signal.SIGINT)
                return super().wait(timeout)

        namespace = SimpleNamespace(Thread=threading.Thread, Event=Interrupted)
        monkeypatch.setattr(film_module, "threading", namespace)
        return done

    return press


@needs_signals
@pytest.mark.parametrize("name", ["film.mp4", "film.gif", "%04d.png"])
def test_ctrl_c_while_the_file_is_completed(tmp_path, name, monkeypatch, pressed_while_waiting):
    pressed = pressed_while_waiting(1)
    for encoder in (film_module.Video, film_module.Gif, film_module.ImageSequence):

        def close(self, own=encoder.close):
            assert pressed.wait(LIMIT)
            own(self)

        monkeypatch.setattr(encoder, "close", close)
    report = write_film(film_of(4), tmp_path / name, plain())
    assert (report.frames, report.interrupted) == (4, False)
    assert not leftovers(tmp_path)
    assert len(read(report.path)[0]) == 4


@needs_signals
def test_a_second_ctrl_c_gives_up(tmp_path, monkeypatch, pressed_while_waiting):
    pressed = pressed_while_waiting(2)
    monkeypatch.setattr(film_module.Video, "write", lambda *_: pressed.wait(LIMIT))
    with pytest.raises(KeyboardInterrupt):
        write_film(film_of(4), tmp_path / "film.mp4", plain())
    assert os.listdir(tmp_path) == []


def test_a_failing_simulation_keeps_the_film_so_far(tmp_path):
    def frames():
        yield from film_of(5)
        raise RuntimeError("boid 3 is lost")

    with pytest.raises(RuntimeError, match="boid 3 is lost"):
        write_film(frames(), tmp_path / "film.mp4", plain())
    assert len(read(tmp_path / "film.mp4")[0]) == 5


def test_no_frames(tmp_path):
    with pytest.raises(ShowError, match="no frame"):
        write_film([], tmp_path / "film.mp4", plain())
    assert os.listdir(tmp_path) == []


def test_an_existing_film_is_kept_until_the_new_one_is_complete(tmp_path):
    path = tmp_path / "film.mp4"
    path.write_bytes(b"precious")
    with pytest.raises(OutputError, match="--force"):
        write_film(film_of(3), path, plain())

    def watched():
        for moment in film_of(3):
            assert path.read_bytes() == b"precious"
            yield moment

    write_film(watched(), path, plain(), force=True)
    assert len(read(path)[0]) == 3


def test_refused_before_anything_is_simulated(tmp_path):
    def frames():
        pytest.fail("a frame was asked for")
        yield

    (tmp_path / "film.mp4").touch()
    with pytest.raises(OutputError):
        write_film(frames(), tmp_path / "film.mp4", plain())


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no file size limits")
@pytest.mark.parametrize(
    "name", ["film.mp4", pytest.param("film.webm", marks=pytest.mark.slow), "film.gif", "%04d.png"]
)
def test_a_full_disk_is_reported(tmp_path, name):
    old = tmp_path / name
    if "%" not in name:
        old.write_bytes(b"precious")
    failing = pytest.raises(WriteError, match=r"writing the film failed: .*space")
    with small_files(20_000), failing:
        film_frames = (frame(cloud(4000, seed=k), step=k) for k in range(120))
        write_film(film_frames, old, plain(size=(640, 480)), force=True)
    assert not leftovers(tmp_path)
    if "%" not in name:
        assert old.read_bytes() == b"precious"


@pytest.mark.parametrize("name", ["film.mp4", "%04d.png"])
def test_an_error_in_the_encoder_stops_the_simulation(tmp_path, name, monkeypatch):
    def full(self, prepared):
        raise OSError(28, "No space left on device")

    for encoder in (film_module.Video, film_module.ImageSequence):
        monkeypatch.setattr(encoder, "write", full)
    requested = 0

    def frames():
        nonlocal requested
        for moment in film_of(500):
            requested += 1
            yield moment

    with pytest.raises(WriteError, match="No space left on device"):
        write_film(frames(), tmp_path / name, plain())
    assert requested < 100
    assert os.listdir(tmp_path) == []

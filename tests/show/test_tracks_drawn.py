"""Films and stills of tracks: frames, speed and colours; markers over the tracked video."""

from __future__ import annotations

import shutil
from pathlib import Path

import av
import numpy as np
import pytest
from PIL import Image
from tracked_video import (
    ANIMALS,
    FRAMES,
    HEIGHT,
    HIDDEN,
    RATE,
    WIDTH,
    paths,
    pictures,
    seen,
    write_tracks,
    write_video,
)  # fmt: skip

import murmurate as mm
from murmurate.runs.film import still
from murmurate.runs.track_playback import TrackDrawing, TrackPlayback
from murmurate.show.annotations import boid_colours
from murmurate.show.styles import STYLES, to_lab
from murmurate.show.video_frames import VideoFrames
from murmurate.tracks.track_recording import TrackRecording

SMALL = (320, 240)


def wandering(frames: int = 20, animals: int = 5, dims: int = 2) -> np.ndarray:
    random = np.random.default_rng(3)
    return np.cumsum(random.normal(size=(frames, animals, dims)), axis=0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("video")
    write_video(folder / "fish.mkv")
    write_tracks(folder / "fish.csv")
    return folder


def in_folder(path: Path) -> Path:
    """Create a folder; a film in it is numbered pictures."""
    path.mkdir()
    return path


def shots(folder: Path) -> np.ndarray:
    return np.stack([np.asarray(Image.open(path)) for path in sorted(folder.iterdir())])


class TestOverAVideo:
    @pytest.mark.slow
    def test_markers_lie_on_the_dots(self, folder: Path, tmp_path: Path) -> None:
        film = mm.film(
            folder / "fish.csv",
            in_folder(tmp_path / "shots"),
            view=mm.View(trails=0),
            drawing=mm.TrackDrawing(over=folder / "fish.mkv"),
        )
        drawn_frames = shots(tmp_path / "shots").astype(int)
        assert film.frames == FRAMES and drawn_frames.shape == (FRAMES, HEIGHT, WIDTH, 3)
        assert film.seconds == FRAMES / RATE
        colours = np.round(boid_colours(ANIMALS, STYLES["dark"], vivid=True))
        rows, columns = np.mgrid[:HEIGHT, :WIDTH]
        for picture, positions in zip(drawn_frames, seen(), strict=True):
            for animal, (x, y) in enumerate(positions):
                marker = np.abs(picture - colours[animal]).max(axis=2) < 12
                if np.isnan(x):
                    assert not marker.any()
                    continue
                # its middle is the dot's, to less than half a pixel
                assert marker.sum() > 8
                assert abs(columns[marker].mean() - x) < 0.5 and abs(rows[marker].mean() - y) < 0.5
                dark = picture.sum(axis=2) < 60
                assert dark[np.hypot(columns - x, rows - y) < 6].any()  # its rim

    def test_the_video_is_visible_elsewhere(self, folder: Path, tmp_path: Path) -> None:
        mm.film(
            folder / "fish.csv",
            in_folder(tmp_path / "shots"),
            view=mm.View(trails=0),
            drawing=mm.TrackDrawing(over=folder / "fish.mkv"),
        )
        drawn_frames, video = shots(tmp_path / "shots").astype(int), pictures().astype(int)
        rows, columns = np.mgrid[:HEIGHT, :WIDTH]
        for picture, original, positions in zip(drawn_frames, video, seen(), strict=True):
            away = [np.hypot(columns - x, rows - y) for x, y in positions if np.isfinite(x)]
            free = np.min(away, axis=0) > 8
            assert (picture[free] == original[free]).all()
        animal, when = HIDDEN
        x, y = np.round(paths()[when, animal].mean(axis=0)).astype(int)
        assert (drawn_frames[when.start + 2, y, x] == video[when.start + 2, y, x]).all()

    @pytest.mark.slow
    def test_offset_and_the_numbers_of_frames(self, folder: Path, tmp_path: Path) -> None:
        """Frame k of the file is drawn on frame k, or k + offset, of the video."""
        part = mm.Tracks(seen()[5:9], RATE, start=5)
        for tracks, offset in ((part, 0), (mm.Tracks(seen()[5:9], RATE), 5)):
            target = in_folder(tmp_path / f"o{offset}")
            mm.film(
                tracks,
                target,
                view=mm.View(trails=0),
                drawing=mm.TrackDrawing(over=folder / "fish.mkv", offset=offset),
            )
            drawn_frames = shots(tmp_path / f"o{offset}").astype(int)
            corner = (
                np.hypot(*(np.mgrid[:HEIGHT, :WIDTH] - np.array([90, 120])[:, None, None])) < 20
            )
            assert (
                len(drawn_frames) == 4
                and (drawn_frames[:, corner] == pictures()[5:9][:, corner]).all()
            )
            for picture, original in zip(drawn_frames, pictures()[5:9].astype(int), strict=True):
                assert 0 < (picture != original).any(axis=2).sum() < 900
        wrong = VideoFrames(folder / "fish.mkv")[7]
        assert (wrong == pictures()[7]).all()

    def test_a_still_has_the_trails_of_the_film(self, folder: Path, tmp_path: Path) -> None:
        over = folder / "fish.mkv"
        mm.film(
            folder / "fish.csv",
            in_folder(tmp_path / "shots"),
            drawing=mm.TrackDrawing(over=over, names=True),
        )
        still(
            folder / "fish.csv",
            tmp_path / "a.png",
            at=15,
            drawing=mm.TrackDrawing(over=over, names=True),
        )
        picture = np.asarray(Image.open(tmp_path / "a.png"))
        assert (picture == shots(tmp_path / "shots")[15]).all()
        without = VideoFrames(over)[15]
        assert (picture != without).any(axis=2).sum() > 1000  # trails and names

    def test_other_units(self, folder: Path, tmp_path: Path) -> None:
        in_cm = mm.Tracks(seen() / 20, RATE, unit="cm")
        with pytest.raises(mm.ModelError, match=r"over: got tracks in cm.*Give --px-per-unit"):
            mm.film(in_cm, tmp_path / "a.mp4", drawing=mm.TrackDrawing(over=folder / "fish.mkv"))
        for name, tracks, scale in (("cm", in_cm, 20.0), ("px", mm.Tracks(seen(), RATE), None)):
            mm.film(
                tracks,
                in_folder(tmp_path / name),
                drawing=mm.TrackDrawing(over=folder / "fish.mkv", px_per_unit=scale),
            )
        assert (shots(tmp_path / "cm") == shots(tmp_path / "px")).all()

    def test_a_warning_for_tracks_outside_the_picture(self, folder: Path) -> None:
        drawing = TrackDrawing(over=folder / "fish.mkv", px_per_unit=9.0)
        (note,) = TrackPlayback(mm.Tracks(seen(), RATE), drawing).start().notes
        assert "100 % of positions lie outside" in note and "240 x 180 pixels" in note
        drawing = TrackDrawing(over=folder / "fish.mkv")
        assert not TrackPlayback(mm.Tracks(seen(), RATE), drawing).start().notes

    def test_a_video_that_is_too_short(self, folder: Path, tmp_path: Path) -> None:
        write_video(tmp_path / "short.mkv", 10)
        with pytest.raises(mm.OutputError, match="got 10 frames, 0 to 9; expected frames 0 to"):
            mm.film(
                folder / "fish.csv",
                tmp_path / "a.mp4",
                drawing=mm.TrackDrawing(over=tmp_path / "short.mkv"),
            )
        with pytest.raises(mm.OutputError, match=r"expected frames -1 to 22"):
            mm.film(
                folder / "fish.csv",
                tmp_path / "a.mp4",
                drawing=mm.TrackDrawing(over=folder / "fish.mkv", offset=-1),
            )
        assert not (tmp_path / "a.mp4").exists()
        film = mm.film(
            folder / "fish.csv",
            in_folder(tmp_path / "b"),
            view=mm.View(steps=10),
            drawing=mm.TrackDrawing(over=tmp_path / "short.mkv"),
        )
        assert film.frames == 10
        still(
            folder / "fish.csv",
            tmp_path / "c.png",
            at=9,
            drawing=mm.TrackDrawing(over=tmp_path / "short.mkv"),
        )

    def test_other_files_are_refused(self, folder: Path, tmp_path: Path) -> None:
        for name in ("fish.csv", "none.mp4", "."):
            with pytest.raises(mm.OutputError, match="expected a video that can be decoded"):
                mm.film(
                    folder / "fish.csv",
                    tmp_path / "a.mp4",
                    drawing=mm.TrackDrawing(over=folder / name),
                )
        shutil.copy(folder / "fish.mkv", folder / "fish.mp4")
        with pytest.raises(mm.OutputError, match="which is never replaced"):
            mm.film(
                folder / "fish.csv",
                folder / "fish.mp4",
                force=True,
                drawing=mm.TrackDrawing(over=folder / "fish.mp4"),
            )

    def test_settings_that_do_not_apply_to_a_video(self, folder: Path, tmp_path: Path) -> None:
        tracks, over = mm.Tracks(seen(), RATE), folder / "fish.mkv"
        for settings, says in (
            ({"view": mm.View(size=(640, 480))}, r"view\.size: got it with a video"),
            ({"view": mm.View(style="light")}, r"view\.style: got it with a video"),
            ({"view": mm.View(transparent=True)}, "transparent: got a video behind"),
        ):
            with pytest.raises(mm.MurmurateError, match=says):
                mm.film(tracks, tmp_path / "a.mov", drawing=mm.TrackDrawing(over=over), **settings)
        with pytest.raises(mm.ModelError, match="over: got 3-D tracks"):
            mm.film(
                mm.Tracks(wandering(dims=3), RATE),
                tmp_path / "a.mp4",
                drawing=mm.TrackDrawing(over=over),
            )
        for settings in ({"offset": 3}, {"px_per_unit": 2.0}):
            with pytest.raises(mm.ModelError, match="without a video; expected none"):
                mm.TrackDrawing(**settings)

    def test_odd_sizes_are_padded(self, tmp_path: Path) -> None:
        with av.open(str(tmp_path / "odd.mkv"), "w") as file:
            stream = file.add_stream("ffv1", rate=5)
            stream.width, stream.height, stream.pix_fmt = 101, 75, "bgr0"
            picture = np.full((75, 101, 3), 90, np.uint8)
            for _ in range(3):
                file.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="rgb24")))
            file.mux(stream.encode())
        tracks = mm.Tracks(np.full((3, 1, 2), 40.0), 5)
        mm.film(tracks, tmp_path / "a.mp4", drawing=mm.TrackDrawing(over=tmp_path / "odd.mkv"))
        with av.open(str(tmp_path / "a.mp4")) as film:
            assert (film.streams.video[0].width, film.streams.video[0].height) == (102, 76)
            assert film.streams.video[0].average_rate == 5


class TestVideoFrames:
    @pytest.mark.slow
    def test_random_access(self, folder: Path) -> None:
        video = VideoFrames(folder / "fish.mkv")
        assert (video.size, video.rate, video.count) == ((WIDTH, HEIGHT), RATE, FRAMES)
        for number in (0, 3, 3, 1, 23, 0):
            assert (video[number] == pictures()[number]).all()
        with pytest.raises(mm.ShowError, match="ends after 24 frames; expected frame 24"):
            video[24]


class TestFilms:
    def test_every_frame_is_a_picture_in_real_time(self, tmp_path: Path) -> None:
        film = mm.film(mm.Tracks(wandering(), 25.0), tmp_path / "a.mp4", view=mm.View(size=SMALL))
        assert film.frames == 20 and film.seconds == 20 / 25

    @pytest.mark.parametrize(
        ("rate", "speed", "every", "pictures_a_second", "times"),
        [
            (25.0, 1.0, 1, 25.0, 1.0),
            (25.0, 2.0, 1, 50.0, 2.0),
            (25.0, 0.5, 1, 12.5, 0.5),
            (120.0, 1.0, 2, 60.0, 1.0),
            (500.0, 0.1, 1, 50.0, 0.1),
            (30.0, 10.0, 5, 60.0, 10.0),
            (1.0, 1.0, 1, 1.0, 1.0),
            (1 / 600, 1.0, 1, 25.0, 15000.0),  # a fix in ten minutes
            (1 / 600, 6000.0, 1, 10.0, 6000.0),
            (None, 1.0, 1, 25.0, None),
        ],
    )
    def test_playing_speed(self, rate, speed, every, pictures_a_second, times) -> None:
        recording = TrackRecording(mm.Tracks(wandering(40), rate))
        model = recording.view_of({}, speed)
        assert model.view.every == every
        assert model.view.frames_per_second == pytest.approx(pictures_a_second)
        assert recording.speed_of(model) == (times and pytest.approx(times))

    def test_selected_frames(self, tmp_path: Path) -> None:
        positions = wandering()
        film = mm.film(
            mm.Tracks(positions, 25.0),
            in_folder(tmp_path / "a"),
            view=mm.View(size=SMALL, every=3, warm_up=4, trails=0, text=False),
        )
        assert film.frames == 5  # 4, 7, 10, 13, 16
        still(
            mm.Tracks(positions, 25.0),
            tmp_path / "b.png",
            at=10,
            view=mm.View(size=SMALL, text=False),
        )
        plain = mm.Tracks(positions[10:11], 25.0)
        space = TrackRecording(mm.Tracks(positions, 25.0)).space
        assert TrackRecording(plain).space != space
        third = shots(tmp_path / "a")[2].astype(int)
        picture = np.asarray(Image.open(tmp_path / "b.png")).astype(int)
        drawn = (third != third[0, 0]).any(axis=2)
        assert drawn.sum() > 100 and (picture[drawn] == third[drawn]).mean() > 0.9

    def test_unobserved_animals_are_not_drawn(self, tmp_path: Path) -> None:
        positions = np.zeros((6, 2, 2))
        positions[:, 0] = [0, 0]
        positions[:, 1] = [10, 5]
        positions[2:4, 1] = np.nan
        mm.film(
            mm.Tracks(positions, 25.0),
            in_folder(tmp_path / "a"),
            view=mm.View(size=SMALL, text=False, trails=0),
        )
        drawn = [(p != p[0, 0]).any(axis=2) for p in shots(tmp_path / "a").astype(int)]
        right = [half[:, 160:].any() for half in drawn]
        assert right == [True, True, False, False, True, True] and all(d.any() for d in drawn)

    def test_the_status_line_counts_observed_animals(self, tmp_path: Path) -> None:
        both = np.array([[[0.0, 0.0], [9.0, 5.0]]])
        lines = []
        for k, positions in enumerate((both, both * [[[1], [np.nan]]], both[:, :1])):
            still(mm.Tracks(positions), tmp_path / f"{k}.png", view=mm.View(size=(640, 360)))
            lines.append(np.asarray(Image.open(tmp_path / f"{k}.png"))[:26, :120].astype(int))
        assert (lines[0] != lines[1]).any() and (lines[1] == lines[2]).all()

    def test_y_down_is_drawn_as_in_the_picture(self) -> None:
        positions = wandering()
        down = TrackRecording.upright(mm.Tracks(positions, y_down=True))
        up = TrackRecording.upright(mm.Tracks(positions * [1, -1]))
        assert np.array_equal(down[3]["boids"].positions, up[3]["boids"].positions)
        assert np.allclose(down[3]["boids"].velocities, up[3]["boids"].velocities)
        assert down.space.lower == pytest.approx(up.space.lower)

    def test_three_dimensions_and_other_settings(self, tmp_path: Path) -> None:
        tracks = mm.Tracks(wandering(8, dims=3), 25.0, list("abcde"))
        film = mm.film(
            tracks,
            tmp_path / "a.mp4",
            view=mm.View(size=SMALL, motion_blur=180),
            passes=["depth"],
            drawing=mm.TrackDrawing(names=True),
        )
        assert film.frames == 8
        assert (
            mm.film(tracks, tmp_path / "b.gif", view=mm.View(size=SMALL, colour_by="speed")).frames
            == 8
        )

    def test_a_periodic_space_stays_periodic(self, tmp_path: Path) -> None:
        """The space is rotated with its tracks, and a step across a seam leaves no line."""
        positions = np.array([[[x % 10.0, 2.0]] for x in np.arange(6.0, 14.0)])
        tracks = mm.Tracks(positions, 25.0, y_down=True)
        tracks.__dict__["space"] = mm.Space(size=(10.0, 4.0), boundary="periodic")
        recording = TrackRecording.upright(tracks)
        assert recording.space.lower == (0.0, -4.0) and all(recording.space.periodic)
        still(tracks, tmp_path / "a.png", at=7, view=mm.View(size=SMALL, text=False))
        picture = np.asarray(Image.open(tmp_path / "a.png")).astype(int)
        assert not (picture[:, 150:170] != picture[0, 0]).any(axis=2)[110:130].any()

    def test_animals_at_a_point_and_on_a_line(self, tmp_path: Path) -> None:
        for k, positions in enumerate(
            (np.ones((3, 1, 2)), np.stack([np.arange(6.0)] * 2, 1)[:, None])
        ):
            still(
                mm.Tracks(positions * [1, 0]), tmp_path / f"{k}.png", at=1, view=mm.View(size=SMALL)
            )
            picture = np.asarray(Image.open(tmp_path / f"{k}.png"))
            assert (picture != picture[0, 0]).any()  # something is drawn

    def test_refusals(self, tmp_path: Path) -> None:
        tracks = mm.Tracks(wandering(), 25.0)
        for settings, says in (
            (
                {"view": mm.View(steps=21)},
                r"view\.steps: got 21 from frame 0 on; expected at most 20",
            ),
            ({"view": mm.View(warm_up=5, steps=16)}, "got 16 from frame 5 on"),
            ({"drawing": mm.TrackDrawing(speed=0.0)}, "speed: got 0; expected a number above 0"),
            ({"seed": 3}, "engine, seed, dtype, threads"),
        ):
            with pytest.raises(mm.ModelError, match=says):
                mm.film(tracks, tmp_path / "a.mp4", **settings)
        with pytest.raises(mm.ModelError, match="at: got 20; expected a frame of tracks, which"):
            still(tracks, tmp_path / "a.png", at=20)
        with pytest.raises(mm.ModelError, match="got no position"):
            mm.film(mm.Tracks(np.full((3, 2, 2), np.nan)), tmp_path / "a.mp4")
        with pytest.raises(mm.ModelError, match="drawing: got it for a model"):
            mm.film("ucl", tmp_path / "a.mp4", drawing=mm.TrackDrawing(names=True))
        with pytest.raises(mm.ModelError, match="got a change of the simulation"):
            TrackRecording(tracks).view_of({"dt": 0.5})


class TestColours:
    @pytest.mark.parametrize("style", sorted(STYLES))
    def test_consecutive_ids_have_distinct_visible_colours(self, style: str) -> None:
        lab = to_lab(boid_colours(24, STYLES[style]))
        sky = to_lab(STYLES[style].sky)
        apart = np.linalg.norm(lab[:, None] - lab[None], axis=2)
        ids = np.arange(24)
        near = (np.abs(ids[:, None] - ids) <= 5) & (ids[:, None] != ids)
        assert apart[near].min() > 0.06
        assert np.abs(lab[:, None, 0] - sky[None, -1:, 0]).min() > 0.15

    def test_colours_do_not_depend_on_the_number_of_animals(self) -> None:
        small, large = (boid_colours(count, STYLES["dark"]) for count in (3, 400))
        assert np.array_equal(small, large[:3]) and len(large) == 256

    def test_an_animal_keeps_its_colour(self, tmp_path: Path) -> None:
        """Its colour does not depend on the other observed animals."""
        positions = np.tile([[[0.0, 0.0], [9.0, 5.0], [4.0, 2.0]]], (2, 1, 1))
        positions[1, 0] = np.nan
        mm.film(
            mm.Tracks(positions, 25.0),
            in_folder(tmp_path / "a"),
            view=mm.View(size=SMALL, text=False, trails=0),
        )
        first, second = shots(tmp_path / "a").astype(int)
        same = (second != second[0, 0]).any(axis=2)
        assert same.sum() > 100 and (first[same] == second[same]).all()

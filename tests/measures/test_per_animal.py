"""Measures per animal against paths with known values: lines, circles, random walks, zones
crossed at known times, hulls and clouds of known area; gaps, and periodic axes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flocks_for_measures import space_of, wrap
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from murmurate.errors import MeasureError
from murmurate.measures import (
    PerAnimal,
    approaches,
    home_range,
    kernel_home_range,
    measure_frames,
    of_tracks,
    path_length,
    share_in_zone,
    sinuosity,
    straightness,
    time_in_zone,
    turning_angles,
    turning_cosine,
    wall_distance,
)
from murmurate.measures.zones import Circle, Polygon, parse_zone
from murmurate.model.space import Space

nan = math.nan
AGREE = pytest.approx
SQUARE = "box 0 0 10 10"


def path(points, dt=1.0, space=None):
    """Return frames of one animal with (T, D) positions."""
    return list(of_tracks(np.array(points, float)[:, None], dt, space))


def circle(steps=360, radius=2.0, rounds=1.0):
    angles = np.linspace(0, 2 * np.pi * rounds, steps + 1)
    return radius * np.stack([np.cos(angles), np.sin(angles)], 1)


def walk(lengths, angles):
    """Return a path with these step lengths and turning angles."""
    headings = np.cumsum(angles)
    steps = lengths[:, None] * np.stack([np.cos(headings), np.sin(headings)], 1)
    return np.concatenate([np.zeros((1, 2)), np.cumsum(steps, axis=0)])


class TestShapeOfPaths:
    def test_a_straight_line(self):
        frames = path([(3 * t, 4 * t) for t in range(11)], dt=0.1)
        for measure, value, counts in (
            (path_length, 50.0, 10),
            (straightness, 1.0, 10),
            (turning_cosine, 1.0, 9),
            (sinuosity, 0.0, 10),
        ):
            result = measure(frames)
            assert result[0] == AGREE(value, abs=1e-12) and list(result.counts) == [counts]
        angles = turning_angles(frames, bins=9)
        assert angles.count[4] == 9 == angles.count.sum()

    def test_a_circle(self):
        frames, step = path(circle(360)), 4.0 * math.sin(math.pi / 360)
        assert path_length(frames)[0] == AGREE(360 * step)
        assert straightness(frames)[0] == AGREE(0, abs=1e-12)
        assert turning_cosine(frames)[0] == AGREE(math.cos(math.pi / 180))
        c = math.cos(math.pi / 180)
        assert sinuosity(frames)[0] == AGREE(2 / math.sqrt(step * (1 + c) / (1 - c)), rel=1e-6)
        half = path(circle(180, rounds=0.5))
        assert straightness(half)[0] == AGREE(4 / (180 * step))

    def test_left_is_above_0(self):
        result = turning_angles(path(circle(8)), bins=8)  # 45 degrees to the left each time
        assert result.count[5] == 7 == result.count.sum() and result.edges[5] == AGREE(np.pi / 4)
        assert result.y[5] * (np.pi / 4) == AGREE(1)
        right = turning_angles(path(circle(8)[::-1]), bins=8)
        assert right.count[2] + right.count[3] == 7

    def test_angles_in_3d_are_positive(self):
        points = np.concatenate([circle(8), np.zeros((9, 1))], axis=1)
        for way in (points, points[::-1]):
            result = turning_angles(path(way), bins=8)
            assert result.edges[0] == 0 and result.count.sum() == result.count[1:3].sum() == 7
        assert turning_cosine(path(points))[0] == AGREE(math.sqrt(0.5))

    @pytest.mark.parametrize(
        "spread", [0.8, *(pytest.param(x, marks=pytest.mark.slow) for x in (0.2, 2.0))]
    )
    def test_sinuosity_of_a_correlated_random_walk(self, spread):
        """Normal turning angles of this deviation: c = exp(-spread^2 / 2); exponential steps:
        b = 1. Of many animals, so that the error is known."""
        random = np.random.default_rng(3)
        walks = [
            walk(random.exponential(0.5, 4000), random.normal(0, spread, 4000)) for _ in range(20)
        ]
        result = sinuosity(of_tracks(np.stack(walks, axis=1))).mean
        c = math.exp(-(spread**2) / 2)
        assert result.agrees(2 / math.sqrt(0.5 * ((1 + c) / (1 - c) + 1)))
        assert result.error < 0.02 * result.value

    @pytest.mark.slow
    def test_sinuosity_of_a_levy_walk(self):
        """Steps of density ~ l^-5 from 1 on, in any direction: p = 4/3, b^2 = 1/8, c = 0."""
        random = np.random.default_rng(4)
        walks = [
            walk(random.pareto(4, 4000) + 1, random.uniform(-np.pi, np.pi, 4000)) for _ in range(20)
        ]
        result = sinuosity(of_tracks(np.stack(walks, axis=1))).mean
        assert result.agrees(2 / math.sqrt(4 / 3 * (1 + 1 / 8)))

    def test_sinuosity_predicts_the_spread_of_a_walk(self):
        """The mean of D^2 after a long path is 4 L / S^2."""
        random = np.random.default_rng(5)
        walks = [walk(np.full(400, 1.0), random.normal(0, 1, 400)) for _ in range(1000)]
        squares = np.array([(animal[-1] ** 2).sum() for animal in walks])
        frames = of_tracks(np.stack(walks, axis=1))
        expected = 4 * 400 / sinuosity(frames).mean.value ** 2
        assert squares.mean() == AGREE(expected, abs=4 * squares.std() / math.sqrt(1000))

    def test_the_distribution_of_angles(self):
        random = np.random.default_rng(6)
        walks = [walk(np.ones(500), random.uniform(-np.pi, np.pi, 500)) for _ in range(30)]
        result = turning_angles(of_tracks(np.stack(walks, axis=1)), bins=12)
        width = result.edges[1] - result.edges[0]
        assert (result.y * width).sum() == AGREE(1)
        # independent angles: the error is that of a share of n
        binomial = np.sqrt((1 / 12) * (11 / 12) / result.count.sum()) / width
        assert result.error.mean() == AGREE(binomial, rel=0.2)
        assert np.abs((result.y - 1 / (2 * np.pi)) / result.error).max() < 4

    def test_resting(self):
        frames = path([(1, 1)] * 5)
        assert path_length(frames)[0] == 0
        for measure in (straightness, turning_cosine, sinuosity):
            assert math.isnan(measure(frames)[0])
        assert not len(turning_angles(frames))
        back_and_forth = path([(0, 0), (1, 0)] * 4)
        assert turning_cosine(back_and_forth)[0] == -1 and sinuosity(back_and_forth)[0] == math.inf


class TestGaps:
    """A line along x, of steps of 1, without its positions 4 and 5."""

    frames = path([(t, 0) if t not in (4, 5) else (nan, nan) for t in range(12)])

    def test_no_step_leads_across_a_gap(self):
        result = path_length(self.frames)
        assert result[0] == 8 and list(result.counts) == [8]  # 3 before the gap, 5 after it
        angles = turning_cosine(self.frames)
        assert angles[0] == 1 and list(angles.counts) == [6]
        assert turning_angles(self.frames).count.sum() == 6
        assert list(sinuosity(self.frames).counts) == [8]

    def test_straightness_is_that_of_the_longest_stretch(self):
        points = [(0, 0), (1, 0), (0, 0), (nan, nan), (0, 0), (1, 0), (2, 0), (3, 0)]
        result = straightness(path(points))
        assert result[0] == 1 and list(result.counts) == [3]
        first = straightness(path(points[:3] + points[3:7]))  # of equal length: the first
        assert first[0] == 0 and list(first.counts) == [2]

    def test_time_in_a_zone(self):
        result = time_in_zone(self.frames, zone="box 2.5 -1 7 1")
        assert result[0] == AGREE(0.5 + 1.0) and list(result.counts) == [8]
        assert share_in_zone(self.frames, zone="box 2.5 -1 7 1")[0] == AGREE(1.5 / 8)

    def test_frames_that_are_seen(self):
        result = wall_distance(self.frames, wall="box -100 -2 100 2")
        assert result[0] == 2 and list(result.counts) == [10]
        assert list(home_range(self.frames).counts) == [10]

    def test_half_a_position_counts_as_unseen(self):
        tracks = np.zeros((3, 1, 2))
        tracks[:, 0, 0] = [0, 1, 2]
        tracks[1, 0, 1] = nan
        assert math.isnan(path_length(of_tracks(tracks))[0])

    def test_animals_that_were_never_seen(self):
        tracks = np.zeros((3, 3, 2))
        tracks[:, 1] = nan
        tracks[:, 2, 0] = [5, nan, 6]
        result = path_length(of_tracks(tracks))
        assert list(result.ids) == [0, 2] and list(result.counts) == [2, 0]
        assert result.values[0] == 0 and math.isnan(result.values[1])
        assert result.mean.value == 0 and result.mean.independent == 1
        with pytest.raises(KeyError):
            result[1]

    @given(arrays(bool, (12, 4)), st.integers(0, 10))
    def test_hidden_frames_are_left_out(self, hidden, seed):
        """For any gaps the length is the sum of the steps with both ends seen."""
        x = np.random.default_rng(seed).normal(size=(12, 4, 2))
        x[hidden] = nan
        steps = np.linalg.norm(np.diff(x, axis=0), axis=2)
        result = path_length(of_tracks(x))
        seen = ~hidden.all(axis=0)
        assert list(result.ids) == list(np.flatnonzero(seen))
        assert list(result.counts) == list(np.isfinite(steps).sum(axis=0)[seen])
        sums = np.nansum(steps, axis=0)[seen]
        np.testing.assert_allclose(np.nan_to_num(result.values), sums, rtol=1e-12)


class TestZones:
    @pytest.mark.parametrize(
        ("zone", "time"),
        [
            ("circle 5 0 2", 4 / 2.5),
            ("circle, 5, 1.2; 2", 2 * math.sqrt(4 - 1.44) / 2.5),
            ("box 3 -1 6.5 1", 3.5 / 2.5),
            ("polygon 2 -1, 2 1, 9 1, 9 -1", 7 / 2.5),
            ("polygon 4 -1 4 3 6 -1", 1.5 / 2.5),
            ([[2, -1], [2, 1], [9, 1], [9, -1], [2, -1]], 7 / 2.5),
            # a U, which is left and entered again: 2 to 3 and 5 to 7
            ("polygon 2 -1 2 2 3 2 3 -0.5 5 -0.5 5 2 7 2 7 -1", 3 / 2.5),
            ("circle 0 50 2", 0.0),
        ],
    )
    @pytest.mark.parametrize("steps", [1, 3, 40])
    def test_exact_times(self, zone, time, steps):
        """An animal crosses zones at 2.5 a second, seen at any rate."""
        points = [(x, 0.0) for x in np.linspace(-1, 11.5, steps + 1)]
        frames = path(points, dt=5.0 / steps)
        assert time_in_zone(frames, zone=zone)[0] == AGREE(time, abs=1e-9)
        assert share_in_zone(frames, zone=zone)[0] == AGREE(time / 5, abs=1e-9)

    def test_resting(self):
        inside, outside = path([(1, 1)] * 4, dt=0.5), path([(5, 5)] * 4, dt=0.5)
        for zone in ("circle 0 0 2", "box 0 0 2 2"):
            assert time_in_zone(inside, zone=zone)[0] == AGREE(1.5)
            assert time_in_zone(outside, zone=zone)[0] == 0

    @given(
        arrays(float, (5, 2), elements=st.floats(-5, 5).map(lambda x: round(x, 3))),
        st.integers(0, 99),
    )
    @settings(max_examples=30)
    def test_shares_are_those_of_many_points(self, corners, seed):
        """Any polygon, also self-crossing, and any circle, against points along the segments."""
        random = np.random.default_rng(seed)
        start, step = random.normal(size=(2, 8, 2)) * 4
        points = (start[:, None] + np.linspace(0, 1, 4001)[:, None] * step[:, None]).reshape(-1, 2)
        zones = [Circle((corners[0, 0], corners[0, 1]), 2.5)]
        if np.linalg.matrix_rank(corners - corners[0]) == 2:
            zones.append(Polygon(corners))
        for zone in zones:
            resting = zone.pieces(points, np.zeros_like(points)).shares(len(points))
            expected = resting.reshape(8, -1).mean(axis=1)
            np.testing.assert_allclose(zone.pieces(start, step).shares(8), expected, atol=2e-3)

    def test_points_are_inside_as_matplotlib_has_it(self):
        matplotlib = pytest.importorskip("matplotlib.path")
        random = np.random.default_rng(0)
        corners, points = random.normal(size=(7, 2)), random.normal(size=(500, 2))
        hull = corners[np.argsort(np.arctan2(*corners.T))]
        expected = matplotlib.Path(hull).contains_points(points)
        inside = Polygon(hull).pieces(points, np.zeros_like(points)).shares(500)
        assert np.array_equal(inside == 1, expected)

    def test_a_file_of_corners(self, tmp_path):
        frames = path([(0, 5), (10, 5)])
        texts = {
            "plain.txt": "2 0\n2 10\n4 10\n4 0\n",
            "header.csv": "x,y\n2,0\n2,10\n4,10\n4,0\n2,0\n",
            "words.dat": "# a box\nbox 2 0\n4 10\n",
        }
        for name, text in texts.items():
            (tmp_path / name).write_text(text, encoding="utf-8")
            for given_as in (tmp_path / name, str(tmp_path / name)):
                assert time_in_zone(frames, zone=given_as)[0] == AGREE(0.2)

    @pytest.mark.parametrize(
        ("zone", "says"),
        [
            ("circle 1 2", r"with 2 numbers; expected 'circle X Y RADIUS'"),
            ("circle 1 2 -3", "got a radius of -3; expected a number above 0"),
            ("triangle 1 2 3", "got 'triangle 1 2 3'; expected 'circle X Y RADIUS'"),
            ("circle a b c", "expected 'circle X Y RADIUS'"),
            ("box 0 0 nan 1", "expected 'box X1 Y1 X2 Y2'"),
            ("box 0 0 0 1", "corners that do not lie on a line"),
            ("polygon 0 0 1 1 2 2", "corners that do not lie on a line"),
            ("", "expected 'circle X Y RADIUS'"),
            (3.0, "got 3.0; expected"),
            (None, "got None; expected"),
            ([1, 2, 3], "expected"),
            ([[1, 2], [3]], "expected"),
            ([[0, 0], [1, 1]], "got 2 corners; expected 3 to 1,000 corners"),
            (np.full((4, 2), np.inf), "expected 3 to 1,000 corners of two finite numbers"),
            ("there is no such file.csv", "which cannot be read"),
        ],
    )
    def test_invalid_zones(self, zone, says):
        with pytest.raises(MeasureError, match=rf"^zone: got .*{says}|^zone: {says}"):
            time_in_zone(path([(0, 0), (1, 1)]), zone=zone)

    def test_invalid_zone_files(self, tmp_path):
        file = tmp_path / "zone.csv"
        for text, says in (
            ("1,2,3\n", "expected two numbers in each line"),
            ("1,2\n3,x\n", "expected two numbers in each line"),
            ("", "expected 3 to 1,000 corners"),
        ):
            file.write_text(text, encoding="utf-8")
            with pytest.raises(MeasureError, match=says):
                parse_zone(str(file), "zone")
        file.write_bytes(b"\xff\xfe\x00")
        with pytest.raises(MeasureError, match="expected a text of at most"):
            parse_zone(str(file), "zone")

    @pytest.mark.parametrize(
        ("wall", "expected"),
        [
            (SQUARE, [1.0, 3.0, 1.0, math.sqrt(2)]),
            ("circle 5 5 5", [1.0, 3.0, 1.0, math.sqrt(72) - 5]),
            ("polygon 0 0 10 0 10 10 0 10", [1.0, 3.0, 1.0, math.sqrt(2)]),
        ],
    )
    def test_wall_distance(self, wall, expected):
        points = [(1, 5), (5, 7), (11, 5), (-1, 11)]
        for point, distance in zip(points, expected, strict=True):
            assert wall_distance(path([point]), wall=wall)[0] == AGREE(distance)
        assert wall_distance(path(points), wall=wall)[0] == AGREE(np.mean(expected))


class TestApproaches:
    @staticmethod
    def line(*points):
        """Return frames of animals on a line, from the positions of each."""
        x = np.array(points, float).T
        return list(of_tracks(np.stack([x, np.where(np.isnan(x), nan, 0.0)], axis=2), 0.5))

    def test_each_approach_counts_once(self):
        frames = self.line([0] * 8, [5, 3, 1, 0.5, 2, 5, 1, 1])
        result = approaches(frames, radius=1)
        assert list(result.values) == [2, 2] and list(result.counts) == [8, 8]
        events = result.events
        assert list(events["start"]) == [2, 6] and list(events["end"]) == [4, -1]
        assert list(events["time"]) == [1.0, 3.0] and list(events["closest"]) == [0.5, 1.0]
        assert list(events["first"]) == [0, 0] and list(events["second"]) == [1, 1]

    def test_a_pair_near_in_the_first_frame_does_not_count(self):
        result = approaches(self.line([0] * 4, [0.5, 0.5, 3, 0.5]), radius=1)
        assert list(result.values) == [1, 1] and list(result.events["start"]) == [3]

    def test_leave(self):
        frames = self.line([0] * 7, [3, 1, 1.5, 1, 1.5, 2.5, 1])
        assert list(approaches(frames, radius=1).events["start"]) == [1, 3, 6]
        result = approaches(frames, radius=1, leave=2)
        assert list(result.events["start"]) == [1, 6] and list(result.events["end"]) == [5, -1]

    def test_gaps(self):
        frames = self.line([0] * 7, [3, 1, nan, 1, 3, nan, 1])
        result = approaches(frames, radius=1)
        # near again after a gap: the approach was not seen
        assert list(result.events["start"]) == [1] and list(result.events["end"]) == [2]
        assert list(result.values) == [1, 1] and list(result.counts) == [7, 5]

    def test_a_gap_ends_no_other_approach(self):
        result = approaches(self.line([0] * 4, [3, 1, 1, 1], [9, 9, nan, 9]), radius=1)
        assert list(result.values) == [1, 1, 0] and list(result.events["end"]) == [-1]

    @pytest.mark.slow
    @given(st.integers(0, 200), st.sampled_from(["open", "torus"]), st.sampled_from([1.0, 1.5]))
    def test_against_the_definition(self, seed, kind, ratio):
        random = np.random.default_rng(seed)
        x = np.cumsum(random.normal(0, 0.7, (12, 5, 2)), axis=0) % 6
        x[random.random((12, 5)) < 0.1] = nan
        space, radius = space_of(kind, 2, 6.0), 1.2
        leave = ratio * radius
        away = x[:, :, None] - x[:, None]
        if kind == "torus":
            away -= 6 * np.round(away / 6)
        apart = np.linalg.norm(away, axis=3)
        expected = []
        for i in range(5):
            for j in range(i + 1, 5):
                near = False
                for t, d in enumerate(apart[:, i, j]):
                    was, near = near, bool(d <= radius or (near and d <= leave))
                    if near and not was and t and np.isfinite(apart[t - 1, i, j]):
                        expected.append((t, i, j))
        result = approaches(of_tracks(x, space=space), radius=radius, leave=leave)
        keys = np.stack([result.events[key] for key in ("start", "first", "second")], axis=1)
        assert sorted(map(tuple, keys.tolist())) == sorted(expected)
        assert result.values.sum() == 2 * len(expected)

    def test_leave_below_radius(self):
        with pytest.raises(MeasureError, match=r"^leave: got 0\.5; expected at least radius, 1"):
            approaches([], radius=1, leave=0.5)


class TestHomeRange:
    def test_a_square(self):
        x = np.array([(a, b) for a in range(11) for b in range(11)], float)
        assert home_range(path(x), percent=100)[0] == AGREE(100)

    def test_percentages_leave_out_distant_positions(self):
        near = [(a, b) for a in range(11) for b in range(11)][:95]
        ring = [(100, 0), (-100, 0), (0, 100), (0, -100), (5, 100)]
        ninety_five = home_range(path([*near, *ring]), percent=95)[0]
        assert ninety_five == AGREE(home_range(path(near), percent=100)[0])
        assert home_range(path([*near, *ring]), percent=100)[0] > 10_000

    def test_points_in_a_disc(self):
        share = (np.arange(5_000) + 0.5) / 5_000
        radius, angle = np.sqrt(share), np.pi * (3.0 - math.sqrt(5.0)) * np.arange(5_000)
        points = np.stack([radius * np.cos(angle), radius * np.sin(angle)], 1)
        assert home_range(path(points), percent=100)[0] == AGREE(np.pi, rel=0.01)
        assert home_range(path(points), percent=50)[0] == AGREE(np.pi / 2, rel=0.02)

    @pytest.mark.parametrize("percent", [95, 50])
    @pytest.mark.parametrize("n", [500, pytest.param(3000, marks=pytest.mark.slow)])
    def test_the_kernel_of_a_normal_cloud(self, percent, n):
        """The ellipse that holds a share q of a normal density has the area
        -2 pi ln(1 - q) sqrt(det C); the kernel adds n^(-1/3) C to C."""
        random = np.random.default_rng(2)
        shape = np.array([[3.0, 0.0], [1.5, 0.4]])
        tracks = random.normal(size=(n, 12, 2)) @ shape.T + 1000.0
        result = kernel_home_range(of_tracks(tracks), percent=percent).mean
        area = -2 * np.pi * math.log(1 - percent / 100) * abs(np.linalg.det(shape))
        assert result.value == AGREE(area * (1 + n ** (-1 / 3)), rel=0.03)

    def test_the_density_is_that_of_scipy(self):
        """Against the share of a density within a level, drawn from gaussian_kde."""
        from scipy.stats import gaussian_kde

        random = np.random.default_rng(7)
        points = random.normal(size=(60, 2)) @ [[2.0, 0.5], [0.0, 0.3]]
        points[::3] += [8.0, 1.0]
        density = gaussian_kde(points.T)
        assert density.factor == AGREE(60 ** (-1 / 6))
        sides = [np.linspace(x.min() - 6, x.max() + 6, 700) for x in points.T]
        heights = np.sort(density(np.stack(np.meshgrid(*sides)).reshape(2, -1)))[::-1]
        cell = np.prod([side[1] - side[0] for side in sides])
        for percent in (50, 95):
            area = cell * np.searchsorted(np.cumsum(heights) * cell, percent / 100)
            assert kernel_home_range(path(points), percent=percent)[0] == AGREE(area, rel=0.01)

    def test_two_clouds_are_not_one(self):
        random = np.random.default_rng(3)
        points = random.normal(size=(2000, 2))
        points[::2, 0] += 30
        animal = kernel_home_range(path(points), percent=50)[0]
        assert animal < 0.5 * home_range(path(points))[0]

    def test_paths_without_an_area(self):
        for points in ([(0, 0)], [(0, 0), (1, 1)]):
            assert math.isnan(home_range(path(points))[0])
        line = path([(t, 2 * t) for t in range(30)])
        assert home_range(line)[0] == 0 and math.isnan(kernel_home_range(line)[0])

    def test_percentages(self):
        for measure in (home_range, kernel_home_range):
            for percent in (0, -1, 101, "50", nan):
                with pytest.raises(MeasureError, match=r"^percent: got"):
                    measure([], percent=percent)
        with pytest.raises(MeasureError, match=r"^percent: got 100; expected a number below 100"):
            kernel_home_range([], percent=100)


class TestPeriodicSpaces:
    """A path across the edge of a torus equals the same path in open space."""

    torus = space_of("torus", 2, 10.0)

    def both(self, points, space=None):
        points, space = np.array(points, float), space or self.torus
        return path(points), path(wrap(points, space), space=space)

    @pytest.mark.parametrize(
        "measure",
        [path_length, straightness, turning_cosine, sinuosity, home_range, kernel_home_range],
    )
    def test_paths(self, measure):
        points = circle(40, 1.5, 0.8) + np.array([9.5, 0.2])
        flat, around = self.both(points)
        assert measure(around)[0] == AGREE(measure(flat)[0], rel=1e-9)

    def test_a_line_around_the_torus(self):
        flat, around = self.both([(0.9 * t, 0.4 * t) for t in range(60)])
        assert straightness(around)[0] == AGREE(1)
        assert path_length(around)[0] == AGREE(path_length(flat)[0])
        assert np.array_equal(
            turning_angles(around, bins=9).count, turning_angles(flat, bins=9).count
        )
        assert math.isnan(home_range(around)[0])  # it wraps around

    def test_zones_across_the_edge(self):
        _, around = self.both([(0.7 * t, 5.0) for t in range(101)])  # 70 long: 7 times around
        for zone in ("circle 0 5 2", "circle 10 5 2", "circle 30 -5 2", "box -2 4 2 6"):
            assert time_in_zone(around, zone=zone)[0] == AGREE(7 * 4 / 0.7)
        with pytest.raises(MeasureError, match=r"zone: got a zone that is 12 wide; .* at most 10"):
            time_in_zone(around, zone="circle 5 5 6")

    def test_walls_across_the_edge(self):
        frames = path([(9.5, 5.0)], space=self.torus)
        assert wall_distance(frames, wall="circle 1 5 1")[0] == AGREE(0.5)
        channel = space_of("channel", 2, 10.0)
        frames = path([(9.5, 5.0)], space=channel)
        assert wall_distance(frames, wall="box 0.5 -100 3 100")[0] == AGREE(1.0)

    def test_a_box_that_does_not_begin_at_0(self):
        space = Space(size=(10.0, 10.0), origin=(-5.0, -5.0), boundary="periodic")
        frames = path([(4.5, 0.0), (-4.5, 0.0)], space=space)
        assert time_in_zone(frames, zone="circle 5 0 0.25")[0] == AGREE(0.5)
        assert wall_distance(frames, wall="circle 5 0 0.25")[0] == AGREE(0.25)


class TestResults:
    def test_the_mean_is_over_animals(self):
        tracks = np.zeros((2, 9, 2))
        tracks[1, :, 0] = np.arange(9)
        result = path_length(of_tracks(tracks))
        assert isinstance(result, PerAnimal) and list(result) == list(range(9)) and len(result) == 9
        assert result.mean.value == 4
        assert result.mean.error == AGREE(np.arange(9).std(ddof=1) / 3)
        assert result.mean.freedom == 8 and result.mean.method == "animals"
        assert "9 animals, mean 4.0 ± 0.9" in repr(result)

    def test_no_animal(self):
        for frames in ([], list(of_tracks(np.full((3, 2, 2), nan)))):
            for result in (path_length(frames), straightness(frames), sinuosity(frames),
                          home_range(frames), approaches(frames, radius=1),
                          time_in_zone(frames, zone=SQUARE)):  # fmt: skip
                assert not len(result) and math.isnan(result.mean.value)
                assert repr(result) == "<PerAnimal: no animal>"

    def test_unequal_time_steps(self):
        frames = path([(t, 0) for t in range(5)])
        for measure in (path_length, straightness, turning_cosine, sinuosity, turning_angles):
            with pytest.raises(MeasureError, match="expected equal steps of time"):
                measure([frames[0], frames[1], frames[4]])

    def test_in_one_pass(self):
        frames = path(circle())
        names = ["path_length", "turning_angles", "polarization", "home_range"]
        result = measure_frames(iter(frames), names)
        assert result["path_length"].value[0] == path_length(frames)[0]
        assert list(result["home_range"].steps) == list(range(361))

    def test_boids_that_appear_later(self):
        """Flocks of frames differ: an id belongs to one animal."""
        late = np.array([[[0.0, 0], [nan, nan]], [[1.0, 0], [nan, nan]], [[2.0, 0], [5, 5]],
                         [[3.0, 0], [5, 9]]])  # fmt: skip
        result = path_length(of_tracks(late))
        assert list(result.values) == [3, 4] and list(result.counts) == [3, 1]
        angles = turning_angles(of_tracks(late), bins=4)
        assert angles.count.sum() == 2

"""Clusters, networks and hunts with known values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from flocks_for_measures import gas, hunt, run, space_of

from murmurate.errors import MeasureError
from murmurate.measures import (
    algebraic_connectivity,
    captures,
    cluster_count,
    cluster_size_distribution,
    cluster_sizes,
    clusters,
    largest_cluster,
    merges,
    neighbour_overlap,
    of_arrays,
    of_tracks,
    predator_distance,
    predator_distances,
    regrouping_time,
    relative_connectivity,
    splits,
    track_clusters,
)
from murmurate.measures.connectivity import neighbour_network

AGREE = pytest.approx
TORUS = space_of("torus", 2)
OPEN = space_of("open", 2)


def line(*coordinates, space=OPEN, ids=None):
    """Return boids along x."""
    x = np.array(coordinates, dtype=float)
    return of_arrays(np.stack([x, 0 * x + 5], axis=1), space=space, ids=ids)


class TestClusters:
    def test_known_groups(self):
        flock = line(1, 2, 8, 9.0, 10, 30)
        assert list(clusters(flock, link=1.0)) == [1, 1, 0, 0, 0, 2]
        assert list(cluster_sizes(flock, link=1.0)) == [3, 2, 1]
        assert cluster_count(flock, link=1.0) == 3
        assert largest_cluster(flock, link=1.0) == 0.5
        assert cluster_count(flock, link=0.99) == 6
        curve = cluster_size_distribution(flock, link=1.0)
        assert list(curve.edges) == [1, 2, 4, 8]
        assert curve.y == AGREE([1 / 3, 2 / 3, 0])
        assert list(curve.count) == [1, 2, 0]

    def test_across_the_edge(self):
        coordinates = (0.2, 0.9, 9.8, 5.0)
        assert list(clusters(line(*coordinates, space=TORUS), link=1.0)) == [0, 0, 0, 1]
        assert cluster_count(line(*coordinates), link=1.0) == 3

    def test_corner_of_a_torus_in_3d(self):
        corners = of_arrays(
            [[0.1, 0.1, 9.9], [9.9, 9.9, 0.1], [5, 5, 5]], space=space_of("torus", 3)
        )
        assert cluster_count(corners, link=0.5) == 2

    def test_default_link(self):
        """Three times the mean nearest-neighbour distance: random points are about one cluster."""
        assert largest_cluster(gas(2, 2000)) > 0.9
        assert largest_cluster(gas(3, 2000)) > 0.99
        random = np.random.default_rng(1)
        two = np.concatenate([random.uniform(0, 1, (200, 2)), random.uniform(0, 0.7, (100, 2)) + 9])
        assert list(cluster_sizes(of_arrays(two))[:2]) == AGREE([200, 100], rel=0.05)

    def test_gaps(self):
        flock = of_arrays([[1, 5], [np.nan, np.nan], [2, 5]])
        assert list(clusters(flock, link=1.5)) == [0, -1, 0]

    def test_too_many_links(self):
        """Links are counted before they are listed."""
        crowd = of_arrays(np.random.default_rng(1).uniform(0, 1e-3, (8000, 2)))
        with pytest.raises(MeasureError, match=r"got 31,996,000 pairs.* a smaller radius"):
            clusters(crowd, link=1.0)
        with pytest.raises(MeasureError, match="link"):
            clusters(line(1, 2), link=0)


class TestHistory:
    FRAMES = (
        line(1, 2, 3, 4, 5),  # one
        line(1, 2, 3, 9, 10),  # splits into three and two
        line(1, 2, 3, 9, 20),  # the two separate
        line(1, 2, 3, 4, 5),  # all merge
    )

    def test_splits_and_merges(self):
        assert splits(self.FRAMES, link=1.0).value == 2
        assert merges(self.FRAMES, link=1.0).value == 2
        assert splits(run(self.FRAMES), link=1.0).error == AGREE(math.sqrt(2))
        assert splits(self.FRAMES, link=1.0, min_size=2).value == 1
        assert splits(self.FRAMES[:1], link=1.0).value == 0

    def test_labels_pass_to_the_largest_overlap(self):
        result = list(track_clusters(self.FRAMES, link=1.0))
        assert [list(frame.labels) for frame in result] == [
            [0, 0, 0, 0, 0],
            [0, 0, 0, 1, 1],
            [0, 0, 0, 1, 2],
            [0, 0, 0, 0, 0],
        ]
        assert result[1].splits == [(0, [0, 1])]
        assert result[2].splits == [(1, [1, 2])]
        assert result[3].merges == [([0, 1, 2], 0)]
        assert result[1].sizes == {0: 3, 1: 2}

    def test_the_larger_part_keeps_the_label(self):
        """Also if the other part becomes the larger cluster by a merge."""
        frames = [line(1, 2, 3, 8, 9, 10, 11), line(1, 8.0, 9, 10, 11, 12, 13)]
        frames[1] = line(1, 12, 13, 8, 9, 10, 11)
        result = list(track_clusters(frames, link=1.0))
        assert list(result[0].labels) == [1, 1, 1, 0, 0, 0, 0]
        assert list(result[1].labels) == [1, 0, 0, 0, 0, 0, 0]
        assert result[1].splits == [(1, [0, 1])] and result[1].merges == [([0, 1], 0)]

    def test_boids_that_come_and_go(self):
        frames = [line(1, 2, 8, ids=[0, 1, 5]), line(1, 8, 9, ids=[1, 5, 7])]
        result = list(track_clusters(frames, link=1.0))
        assert list(result[1].labels) == [0, 1, 1]
        assert splits(frames, link=1.0).value == 0

    def test_a_gap_is_no_event(self):
        """The middle of a chain, and then two neighbours, are not seen for some frames."""
        tracks = np.zeros((9, 5, 2))
        tracks[..., 0] = [0, 1, 1.9, 3.2, 4.3] + 0.1 * np.arange(9)[:, None]
        tracks[1:3, 2] = tracks[4, 1:3] = tracks[6:, 3] = np.nan
        result = list(track_clusters(of_tracks(tracks), link=1.5))
        assert {label for frame in result for label in frame.labels} == {0}
        assert all(frame.sizes == {0: 5} for frame in result)
        assert splits(of_tracks(tracks), link=1.5).value == 0
        assert merges(of_tracks(tracks), link=1.5).value == 0
        assert neighbour_overlap(of_tracks(tracks), k=1).y.min() == 1

    def test_events_beside_gaps(self):
        """The middle boid is not seen while one end goes away, and when it comes back."""
        frames = [line(1, 2, 3), line(1, 3, ids=[0, 2]), line(1, 2, 30), line(1, 2, 3)]
        result = list(track_clusters(frames, link=1.0))
        assert [len(frame.splits) for frame in result] == [0, 0, 1, 0]
        assert [len(frame.merges) for frame in result] == [0, 0, 0, 1]
        # out of reach: no boid between the two can bridge the distance
        assert splits([frames[0], line(1, 3.1, ids=[0, 2])], link=1.0).value == 1
        # a boid that comes into sight joins a cluster
        assert merges([line(1, 3, ids=[0, 2]), frames[0]], link=1.0).value == 0

    @pytest.mark.parametrize(
        "seeds",
        [
            pytest.param(range(30), marks=pytest.mark.slow),
            pytest.param(range(30, 200), marks=pytest.mark.long),
        ],
    )
    def test_random_gaps_of_flocks_that_keep_together(self, seeds):
        """Chains, trees and groups that move and rotate as rigid bodies have no event."""
        for seed in seeds:
            random = np.random.default_rng(seed)
            count, frames = random.integers(3, 12), random.integers(5, 30)
            x = np.cumsum(random.uniform(-1, 1, (count, 2)), axis=0)
            angle = 0.2 * random.normal() * np.arange(frames)
            turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
            tracks = np.einsum("abt,nb->tna", turn, x) + 0.3 * np.arange(frames)[:, None, None]
            unseen = random.random((frames, count)) < random.choice([0.05, 0.1, 0.3])
            unseen[0] = False
            tracks[unseen] = np.nan
            assert splits(of_tracks(tracks), link=1.5).value == 0, seed
            assert merges(of_tracks(tracks), link=1.5).value == 0, seed

    @pytest.mark.parametrize(
        "seeds",
        [
            pytest.param(range(6), marks=pytest.mark.slow),
            pytest.param((*range(6, 20), *range(60, 80)), marks=pytest.mark.long),
        ],
    )
    def test_random_gaps_of_groups_that_part_and_meet(self, seeds):
        """Two groups that part up to three times: as many splits and merges as without gaps."""
        for seed in seeds:
            random = np.random.default_rng(seed)
            count, frames = int(random.integers(6, 14)), np.arange(60)
            tracks = np.tile(random.uniform(0, 2, (count, 2)), (60, 1, 1))
            waves = np.sin(2 * np.pi * random.integers(1, 4) * frames / 60)
            tracks[:, : random.integers(2, count - 1), 0] += 12 * np.clip(waves, 0, 1)[:, None]
            tracks += 0.3 * frames[:, None, None]
            expected = [events(of_tracks(tracks), link=2.2).value for events in (splits, merges)]
            unseen = random.random((60, count)) < random.choice([0.02, 0.05, 0.1])
            unseen[0] = False
            tracks[unseen] = np.nan
            counts = [events(of_tracks(tracks), link=2.2).value for events in (splits, merges)]
            assert counts == expected, seed

    def test_a_gap_does_not_join_groups(self):
        """Boids that linked two groups are out of sight in different frames."""
        frames = [
            line(1, 2, 3, 4), line(1, 2, 4.1, ids=[0, 1, 3]), line(1, 3, 4, ids=[0, 2, 3]),
            line(1, 2, 5, 6),
        ]  # fmt: skip
        assert [events(frames, link=1.0).value for events in (splits, merges)] == [1, 0]

    def test_across_the_edge(self):
        frames = [line(9.6, 0.1, space=TORUS), line(9.9, 0.4, space=TORUS)]
        assert splits(frames, link=1.0).value == 0


class TestConnectivity:
    @pytest.mark.parametrize("n", [2, 5, 12])
    def test_path(self, n):
        path = line(*range(n))
        assert algebraic_connectivity(path, radius=1.0) == AGREE(2 * (1 - math.cos(math.pi / n)))
        assert relative_connectivity(path, radius=1.0) == 1

    def test_cycle_on_a_torus(self):
        ring = line(*range(10), space=TORUS)
        assert algebraic_connectivity(ring, radius=1.0) == AGREE(2 - 2 * math.cos(2 * math.pi / 10))
        assert algebraic_connectivity(ring, k=2) == AGREE(2 - 2 * math.cos(2 * math.pi / 10))

    @pytest.mark.parametrize("n", [2, 7])
    def test_complete(self, n):
        assert algebraic_connectivity(line(*range(n)), radius=100.0) == AGREE(n)
        assert algebraic_connectivity(line(*range(n)), k=20) == AGREE(n)

    def test_disconnected_network(self):
        parts = line(0, 1, 10, 11, 20)
        assert algebraic_connectivity(parts, radius=1.0) == 0
        assert relative_connectivity(parts, radius=1.0) == 2 / 4

    def test_iterative_solution_equals_all_eigenvalues(self):
        flock = gas(2, 500)
        links = neighbour_network(flock).toarray()
        laplacian = np.diag(links.sum(axis=1)) - links
        expected = np.sort(np.linalg.eigvalsh(laplacian))[1]
        assert algebraic_connectivity(flock) == AGREE(expected, rel=1e-6)

    def test_too_many(self):
        with pytest.raises(MeasureError, match="20,000"):
            algebraic_connectivity(gas(2, 20_001))
        with pytest.raises(MeasureError, match="radius"):
            algebraic_connectivity(line(1, 2), radius=-1.0)


class TestHunt:
    def frames(self):
        """Return a hawk that passes five boids twice; two of them are away for two frames."""
        together, apart = line(1, 2, 3, 4, 5), line(1, 2, 3, 14, 15)
        prey = [together, together, apart, apart, together, together]
        hawks = [line(x) for x in (-1.0, 0.5, 1.5, 8.0, 0.5, -1.0)]
        return hunt(prey, hawks, dt=0.5)

    def test_distances(self):
        assert list(predator_distances(line(1, 5, 9.5, space=TORUS), line(0.0, space=TORUS))) == [
            AGREE(1),
            AGREE(5),
            AGREE(0.5),
        ]
        result = predator_distance(self.frames(), flock="prey", predators="hawks")
        assert result.value == AGREE(np.mean([2, 0.5, 0.5, 5, 0.5, 2]))

    def test_captures(self):
        result = captures(self.frames(), flock="prey", predators="hawks", radius=0.5)
        assert (result.value, result.method) == (
            2,
            "counting",
        )  # boids 1 and 2, the first one twice
        none = captures(self.frames(), flock="prey", predators="hawks", radius=0.4)
        assert none.value == 0 and none.error == 1

    def test_regrouping(self):
        result = regrouping_time(self.frames(), flock="prey", predators="hawks", link=1.0)
        assert (result.value, result.independent, result.short) == (1.0, 1.0, True)
        never = regrouping_time(self.frames()[:4], flock="prey", predators="hawks", link=1.0)
        assert math.isnan(never.value)
        # a split before the first frame was not seen
        late = regrouping_time(self.frames()[2:], flock="prey", predators="hawks", link=1.0)
        assert math.isnan(late.value) and late.independent == 0

    def test_splits_of_the_prey(self):
        assert splits(self.frames(), flock="prey", link=1.0).value == 1

    def test_names(self):
        with pytest.raises(MeasureError, match=r"^flock: got 'owls'; expected .*prey, hawks"):
            predator_distance(self.frames(), flock="prey", predators="owls")

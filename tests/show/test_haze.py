"""The veil of dense flocks: thicker where more boids lie behind each other."""

import numpy as np

from murmurate.show.density import draw_haze


def veiled(x, y, length=8.0, side=120):
    picture = np.zeros((side, side, 3), np.uint8)
    lengths = np.full(len(x), length, np.float32)
    draw_haze(picture, x, y, lengths, np.array([200.0, 100.0, 50.0]), 1.0)
    return picture


def disc(count, x, y, radius=12.0):
    draws = np.random.default_rng(3)
    turn, away = draws.uniform(0, 2 * np.pi, count), radius * np.sqrt(draws.random(count))
    return x + away * np.cos(turn), y + away * np.sin(turn)


def test_it_is_thicker_where_more_boids_are():
    levels = [int(veiled(*disc(count, 60, 60))[60, 60, 0]) for count in (5, 100, 300, 1000)]
    assert levels[0] == 0 < levels[1] < levels[2] < levels[3] <= 200


def test_it_lies_where_the_boids_are():
    for where in ((60, 60), (40, 81), (23, 30)):
        picture = veiled(*disc(400, *where))
        y, x = np.nonzero(picture[..., 0])
        assert np.hypot(x.mean() + 0.5 - where[0], y.mean() + 0.5 - where[1]) < 1.5
        assert np.hypot(x + 0.5 - where[0], y + 0.5 - where[1]).max() < 36


def test_it_has_no_edges():
    picture = veiled(*disc(2000, 60, 60, 40.0)).astype(int)[..., 0]
    steps = [np.abs(np.diff(picture, axis=axis)).max() for axis in (0, 1)]
    assert max(steps) < 0.15 * picture.max()


def test_boids_that_are_nowhere_or_hidden_have_none():
    x, y = disc(400, 60, 60)
    assert not veiled(np.full(400, np.nan), y).any()
    assert not veiled(x + 1e9, y).any()
    assert not veiled(x, y, np.nan).any()

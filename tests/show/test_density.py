"""Densities of flocks: colours of pixels by the number of boids in them."""

import numpy as np

from murmurate.show.density import Density

WHITE, BLACK = np.full(3, 255.0), np.zeros(3)


def drawn(x, y, thin, thick, ground, size=60):
    picture = np.full((size, size, 3), ground, np.uint8)
    Density(thin, thick, 0.2).draw(picture, np.array(x), np.array(y), 1.0)
    return picture.astype(float)


def test_colours_are_rounded_to_the_nearest():
    """White on black and black on white have the same distances."""
    x, y = np.random.default_rng(1).uniform(10, 50, (2, 300))
    white, black = drawn(x, y, WHITE, WHITE, 0), drawn(x, y, BLACK, BLACK, 255)
    between = (white > 0) & (white < 255)
    assert between.sum() > 1000
    assert abs((white + black)[between].mean() - 255.0) < 0.1


def test_exposure_is_that_of_pixels_with_boids():
    """A second group far away does not make the first brighter."""
    random = np.random.default_rng(2)
    x, y = random.normal(12.0, 2.0, (2, 400))
    alone = drawn(x, y, WHITE, WHITE, 0, 400)
    both = drawn([*x, *(x + 370)], [*y, *(y + 370)], WHITE, WHITE, 0, 400)
    assert np.abs(both - alone)[:200, :200].max() <= 2

"""The arcs of a boid's view that discs cover, exact and without trigonometry; these functions are
part of the kernels.

                 left edge
                   .
                 .  (  )        An arc runs anticlockwise from its right edge to its left one.
        boid o ------( j )
                 .  (  )
                   .
                 right edge

A row of `arcs` is (first, last, right x, right y, left x, left y): the turns of the edges, see
`turn_of`, and unit vectors to them. Rows are in order and apart. An arc across the x axis is two
rows, of which one ends at 4 and the other begins at 0; `close_view` joins them.
"""

import math

import numpy as np


def turn_of(x, y):
    """Return a number from 0 to 4 that grows with the angle of a direction from the x axis."""
    part = x / (abs(x) + abs(y))
    return 1.0 - part if y >= 0.0 else 3.0 + part


def cover_view(arcs, count, dx, dy, diameter):
    """Add the arc of a disc at (dx, dy) to the view. Return the number of rows, and whether any of
    the disc was not covered before.

    A boid inside of a disc sees nothing else.
    """
    x, y, radius = np.float64(dx), np.float64(dy), 0.5 * np.float64(diameter)
    if count == 1 and arcs[0, 0] <= 0.0 and arcs[0, 1] >= 4.0:
        return count, False
    distance = math.sqrt(x * x + y * y)
    if distance <= radius:
        set_arc(arcs, 0, np.float64(0.0), np.float64(4.0), x, y, x, y)
        return np.int64(1), True
    s = radius / distance
    c = math.sqrt(1.0 - s * s)
    x, y = x / distance, y / distance
    right_x, right_y = x * c + y * s, y * c - x * s
    left_x, left_y = x * c - y * s, y * c + x * s
    first, last = turn_of(right_x, right_y), turn_of(left_x, left_y)
    if first <= last:
        return add_arc(arcs, count, first, last, right_x, right_y, left_x, left_y)
    begin, end = np.float64(0.0), np.float64(4.0)
    count, above = add_arc(arcs, count, first, end, right_x, right_y, left_x, left_y)
    count, below = add_arc(arcs, count, begin, last, right_x, right_y, left_x, left_y)
    return count, above or below


def add_arc(arcs, count, first, last, right_x, right_y, left_x, left_y):
    """Add an arc to rows in order, and join it with those that it touches. Return the number of
    rows, and whether any of the arc was not covered before."""
    p, end = np.int64(0), count
    while p < end:  # the first row that does not end before the arc
        middle = (p + end) >> 1
        if arcs[middle, 1] < first:
            p = middle + 1
        else:
            end = middle
    if p < count and arcs[p, 0] <= first and last <= arcs[p, 1]:
        return count, False
    q = p
    while q < count and arcs[q, 0] <= last:  # the first row that begins behind the arc
        q += 1
    if q > p and arcs[p, 0] <= first:
        first, right_x, right_y = arcs[p, 0], arcs[p, 2], arcs[p, 3]
    if q > p and last <= arcs[q - 1, 1]:
        last, left_x, left_y = arcs[q - 1, 1], arcs[q - 1, 4], arcs[q - 1, 5]
    if q > p + 1:
        for k in range(q, count):
            copy_arc(arcs, k, k - q + p + 1)
    if q == p:
        k = count
        while k > p:
            copy_arc(arcs, k - 1, k)
            k -= 1
    set_arc(arcs, p, first, last, right_x, right_y, left_x, left_y)
    return count - q + p + 1, True


def copy_arc(arcs, k, to):
    """Copy row k of the arcs."""
    for column in range(6):
        arcs[to, column] = arcs[k, column]


def set_arc(arcs, k, first, last, right_x, right_y, left_x, left_y):
    """Write row k of the arcs."""
    arcs[k, 0], arcs[k, 1] = first, last
    arcs[k, 2], arcs[k, 3] = right_x, right_y
    arcs[k, 4], arcs[k, 5] = left_x, left_y


def close_view(arcs, count):
    """Join the arcs on both sides of the x axis where they touch. Return the number of arcs.

    A view that is covered all around has one arc, whose edges are zero vectors.
    """
    if count == 0 or arcs[0, 0] > 0.0 or arcs[count - 1, 1] < 4.0:
        return count
    if count == 1:
        for column in range(2, 6):
            arcs[0, column] = 0.0
        return count
    arcs[0, 2], arcs[0, 3] = arcs[count - 1, 2], arcs[count - 1, 3]
    return count - 1

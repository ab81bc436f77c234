"""Starts of flights in a page: what murmurate.engines.initial_state does with numpy, as plain
functions of a table, compiled and never run here.

The numbers of a start stand in one row: see `start_numbers` in start_module.py.
"""

import math

import numpy as np

from murmurate.codegen.intrinsics import array1, array2
from murmurate.engines.wasm.draw_functions import normal, seeded, shuffle, uniform

# places in the table
WHOLE, NUMBERS, DRAWN, POSITIONS, VELOCITIES, ORDER, TABLE_WORDS = 0, 2, 4, 6, 9, 12, 14
# places in the row of whole numbers
KIND, LAW, KEY0, KEY1, STEP, PERIODIC, SPEEDS = 0, 1, 2, 3, 4, 5, 8
WHOLE_NUMBERS = 9
# places in the row of numbers
LOWER, UPPER, CENTRE, SIZE, ALONG, SLOW, FAST, SPEED, TOP, SPACE, SIDES = (
    0, 3, 6, 9, 10, 11, 14, 17, 18, 19, 22,
)  # fmt: skip
START_NUMBERS = 25
BOX, BALL, RING, LATTICE, OFF_SCREEN = 0, 1, 2, 3, 4
STILL, DIRECTIONS, CUBE, HEADING = 0, 1, 2, 3


def start(table):
    """Fills positions and velocities, (boids, axes)."""
    whole, numbers = array1(table, WHOLE, np.int64(0)), array1(table, NUMBERS, 0.0)
    drawn = array1(table, DRAWN, np.uint64(0))
    positions, velocities = array2(table, POSITIONS, 0.0), array2(table, VELOCITIES, 0.0)
    seeded(drawn, whole[KEY0], whole[KEY1], whole[STEP])
    kind = whole[KIND]
    if kind == RING:
        on_ring(numbers, positions, velocities)
    else:
        if kind == BOX:
            in_box(drawn, numbers, positions)
        elif kind == BALL:
            in_ball(drawn, numbers, positions)
        elif kind == LATTICE:
            on_lattice(numbers, positions)
        else:
            off_screen(drawn, numbers, positions, velocities)
        fly(drawn, whole, numbers, velocities)
    bring_in(whole, numbers, positions)
    return 0


def turns(table):
    """Fills the order of turns of a step."""
    whole, drawn = array1(table, WHOLE, np.int64(0)), array1(table, DRAWN, np.uint64(0))
    seeded(drawn, whole[KEY0], whole[KEY1], whole[STEP])
    shuffle(drawn, array1(table, ORDER, np.int64(0)))
    return 0


def in_box(drawn, numbers, positions):
    for i in range(positions.shape[0]):
        for d in range(positions.shape[1]):
            low = numbers[LOWER + d]
            positions[i, d] = low + (numbers[UPPER + d] - low) * uniform(drawn)


def in_ball(drawn, numbers, positions):
    count, dims = positions.shape
    for i in range(count):
        part = uniform(drawn)
        positions[i, 0] = numbers[SIZE] * (math.sqrt(part) if dims == 2 else part ** (1.0 / 3.0))
    for i in range(count):
        radius = positions[i, 0]
        for d in range(dims):
            positions[i, d] = normal(drawn)
        length = length_of(positions, i)
        for d in range(dims):
            positions[i, d] = numbers[CENTRE + d] + radius * (
                positions[i, d] / (length if length > 0.0 else 1.0)
            )


def on_ring(numbers, positions, velocities):
    count, dims = positions.shape
    for i in range(count):
        angle = 2 * math.pi * i / max(count, 1)
        x, y = math.cos(angle), math.sin(angle)
        for d in range(dims):
            out = x if d == 0 else (y if d == 1 else 0.0)
            along = -y if d == 0 else (x if d == 1 else 0.0)
            positions[i, d] = numbers[CENTRE + d] + numbers[SIZE] * out
            velocities[i, d] = numbers[ALONG] * along


def on_lattice(numbers, positions):
    count, dims = positions.shape
    side = 1
    while side**dims < count:
        side += 1
    for i in range(count):
        rest = i
        for d in range(dims - 1, -1, -1):
            place = rest % side - 0.5 * (side - 1)
            positions[i, d] = numbers[CENTRE + d] + numbers[SIZE] * place
            rest = rest // side


def off_screen(drawn, numbers, positions, velocities):
    """In the space grown by the distance, but not in the space. Those that are in it draw again,
    and are marked by their first velocity till then."""
    count, dims = positions.shape
    for i in range(count):
        velocities[i, 0] = 1.0
    missing = count
    while missing > 0:
        missing = 0
        for i in range(count):
            if velocities[i, 0] == 0.0:
                continue
            within = True
            for d in range(dims):
                low, side = numbers[SPACE + d], numbers[SIDES + d]
                place = low - numbers[SIZE] + (side + 2.0 * numbers[SIZE]) * uniform(drawn)
                positions[i, d] = place
                within = within and place >= low and place <= low + side
            velocities[i, 0] = 1.0 if within else 0.0
            missing += 1 if within else 0


def fly(drawn, whole, numbers, velocities):
    count, dims = velocities.shape
    law = whole[LAW]
    for i in range(count):
        speed = 0.0
        if law == DIRECTIONS:
            speed = numbers[SPEED] + (numbers[TOP] - numbers[SPEED]) * uniform(drawn)
        velocities[i, 0] = speed
        for d in range(1, dims):
            velocities[i, d] = 0.0
    if law == STILL:
        return
    for i in range(count):
        speed = velocities[i, 0]
        for d in range(dims):
            if law == CUBE:
                low = numbers[SLOW + d]
                velocities[i, d] = low + (numbers[FAST + d] - low) * uniform(drawn)
            elif law == HEADING:
                velocities[i, d] = numbers[SLOW + d] + numbers[TOP] * normal(drawn)
            else:
                velocities[i, d] = normal(drawn)
        if law == CUBE and whole[SPEEDS] > 0:
            length = length_of(velocities, i)
            for d in range(dims):
                velocities[i, d] *= numbers[SPEED] / length if length > 0.0 else 0.0
        elif law == DIRECTIONS:
            length = length_of(velocities, i)
            for d in range(dims):
                velocities[i, d] = speed * (velocities[i, d] / (length if length > 0.0 else 1.0))


def length_of(rows, i):
    total = rows[i, 0] * rows[i, 0]
    for d in range(1, rows.shape[1]):
        total += rows[i, d] * rows[i, d]
    return math.sqrt(total)


def bring_in(whole, numbers, positions):
    """Positions on periodic axes, brought into the space."""
    for d in range(positions.shape[1]):
        if whole[PERIODIC + d] > 0:
            lower, side = numbers[SPACE + d], numbers[SIDES + d]
            for i in range(positions.shape[0]):
                x = positions[i, d]
                x -= math.floor((x - lower) / side) * side
                positions[i, d] = lower if x >= lower + side else x

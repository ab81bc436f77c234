"""The functions that sort boids into cells, compiled for Python: those that it calls itself where
threads share the work; and those that deal out turns to threads."""

from __future__ import annotations

from numba import njit

from murmurate.codegen import cell_functions

compiled = njit(nogil=True, cache=True, error_model="numpy", boundscheck=False)

count_cells = compiled(cell_functions.count_cells)
count_layers = compiled(cell_functions.count_layers)
place_cells = compiled(cell_functions.place_cells)
order_cells = compiled(cell_functions.order_cells)
gather_cells = compiled(cell_functions.gather_cells)
plan_runs = compiled(cell_functions.plan_runs)
sum_flocks = compiled(cell_functions.sum_flocks)
farthest_known = compiled(cell_functions.farthest_known)
fastest = compiled(cell_functions.fastest)
find_stray = compiled(cell_functions.find_stray)
sample = compiled(cell_functions.sample)


@compiled
def put_columns(ids, first, last, column_of):
    """Notes in which of the columns first..last boids stand, by their numbers."""
    for i in range(first, last):
        column_of[ids[i]] = i


@compiled
def deal_turns(boids, column_of, count, gridded, first, last, inner, outer, turns, edges):
    """Writes the turns of boids in columns first..last, and of those in no cell, and after them the
    number of all turns; and from each of them on, the first of a boid at an edge, which are those
    that are not in inner..outer. Returns how many they are.

    boids  whose turn it is, turn by turn; empty: boid after boid
    """
    n = 0
    for turn in range(count):
        i = column_of[boids[turn] if len(boids) > 0 else turn]
        turns[n] = turn
        n += (i >= first and i < last) or i >= gridded
    turns[n] = edges[n] = edge = count
    for k in range(n - 1, -1, -1):
        turn = turns[k]
        i = column_of[boids[turn] if len(boids) > 0 else turn]
        edge = turn if i < inner or i >= outer else edge
        edges[k] = edge
    return n

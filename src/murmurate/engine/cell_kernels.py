"""The functions that sort boids into cells, compiled for Python: those that it calls itself where
threads share the work."""

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
find_stray = compiled(cell_functions.find_stray)
sample = compiled(cell_functions.sample)

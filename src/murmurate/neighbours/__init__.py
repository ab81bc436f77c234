"""Neighbour search: k nearest points, points within a radius, Voronoi neighbours and cells.

All searches support periodic axes. Engines, measures and the live view use this package.
"""

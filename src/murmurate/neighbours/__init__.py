"""Neighbours: the k nearest points, those within a radius, Voronoi neighbours and cells.

Periodic axes are known. Engines, measures and the live view all search for neighbours here.
"""

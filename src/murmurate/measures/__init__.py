"""Measures: one flock at one moment -> one number. Each takes a FlockFrame and returns a float."""

from murmurate.measures.centroid import centroid
from murmurate.measures.milling import milling
from murmurate.measures.nearest import nearest_neighbour_distance
from murmurate.measures.polarization import polarization
from murmurate.measures.speed import speed

__all__ = ["centroid", "milling", "nearest_neighbour_distance", "polarization", "speed"]

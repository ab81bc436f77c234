"""Searches for candidates: who may be sensed by a boid. One module for each kind, with its
template in templates/, its arguments of kernels, and their sizes."""

"""Searches for candidates: who may be sensed by a boid. One module for each kind, with its page (a
template in pages/), its arguments of kernels, and their sizes."""

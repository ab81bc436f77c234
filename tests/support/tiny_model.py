"""The text of a model of twelve boids, for tests that need some model."""

from __future__ import annotations

TINY = """\
# Twelve boids on a torus.
title = "Twelve boids"
[space]
size = [20, 20]
boundary = "periodic"
[flocks.boids]
count = 12
start = { kind = "box", velocity = { kind = "directions", speed = 0.5 } }
motion = { kind = "add", max_speed = 0.5 }
[rules.cohesion]
radius = 3
weight = 0.01
[view]
steps = 6
size = [64, 64]
"""

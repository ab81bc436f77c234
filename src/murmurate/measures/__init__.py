"""Measures: numbers, curves and words that describe a flock, with error bars.

A measure maps one flock at one time to a number, a curve or a word; or frames to an estimate, a
curve or a number per animal. Each is a function. `MEASURES` is the table of all measures, and
`measure_frames` computes several in one pass.
"""

from murmurate.public_names import import_all

# Public names are declared once, in __init__.pyi. All are imported here, so that `MEASURES` is
# complete and in the order of the stub.
_names = import_all(__name__, __file__)
globals().update(_names)
__all__ = sorted(_names)

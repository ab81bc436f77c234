"""The built-in rules and motions: formula, source and parameters of each, one family a file."""

from murmurate.public_names import import_all

# Public names are declared once, in __init__.pyi. All are imported here, which registers them.
_names = import_all(__name__, __file__)
globals().update(_names)
__all__ = sorted(_names)

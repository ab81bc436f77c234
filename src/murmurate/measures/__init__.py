"""Measures: numbers, curves and words that describe a flock, with error bars.

A measure maps one flock at one time to a number, a curve or a word; or frames to an estimate, a
curve or a number per animal. Each is a function. `MEASURES` is the table of all measures, and
`measure_frames` computes several in one pass.
"""

import ast
from importlib import import_module
from pathlib import Path

# Public names are declared once, in __init__.pyi. All are imported here, so that `MEASURES` is
# complete and in the order of the stub.
__all__ = []
for _line in ast.parse(Path(__file__).with_suffix(".pyi").read_text("utf-8")).body[1:]:
    _module = import_module(f".{_line.module}", __name__)
    for _name in _line.names:
        globals()[_name.name] = getattr(_module, _name.name)
        __all__.append(_name.name)
__all__.sort()

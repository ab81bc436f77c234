"""Display: functions that render objects for notebooks, registered by class name.

A class renders itself without importing what draws it: murmurate/__init__.py registers the
functions, and their modules are imported at first use.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_FUNCTIONS: dict[str, tuple[str, str]] = {}


def register(cls: str, module: str, function: str) -> None:
    """Register the function of a module that renders objects of a class and its subclasses."""
    _FUNCTIONS[cls] = module, function


def render(instance: object) -> Any:
    """Return the result of the registered function for an object, or None."""
    for cls in type(instance).__mro__:
        if cls.__name__ in _FUNCTIONS:
            module, function = _FUNCTIONS[cls.__name__]
            return getattr(import_module(module), function)(instance)
    return None

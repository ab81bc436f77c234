"""Display: HTML previews of objects in notebooks, registered by class name and loaded when needed.

Classes ask for theirs in `_repr_html_`; murmurate/__init__.py says which functions make them. So
classes can show themselves without importing what draws them.
"""

from __future__ import annotations

from importlib import import_module

_HOMES: dict[str, tuple[str, str]] = {}


def register(cls: str, module: str, function: str) -> None:
    """Objects of a class, named by its name alone, are shown by a function: object -> HTML or None.
    Its module is imported when the first of them is shown."""
    _HOMES[cls] = module, function


def html_of(shown: object) -> str | None:
    """The object's preview; None where there is none, and a notebook then shows its text."""
    for cls in type(shown).__mro__:
        if cls.__name__ in _HOMES:
            module, function = _HOMES[cls.__name__]
            html: str | None = getattr(import_module(module), function)(shown)
            return html
    return None

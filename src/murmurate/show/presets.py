"""Presets of films: view settings for a purpose, and sizes of pictures by name.

This module imports no numpy, so that the command line starts fast.
"""

from __future__ import annotations

import re
from typing import Any

from murmurate.errors import ModelError

_BARE: dict[str, Any] = {"text": False, "box": False}
PRESETS: dict[str, dict[str, Any]] = {
    "film": {"size": (1920, 1080), **_BARE},
    "reel": {"size": (1080, 1920), **_BARE},
    "square": {"size": (1080, 1080), **_BARE},
    "4k": {"size": (3840, 2160), **_BARE},
    "gif": {"size": (640, 360), **_BARE},
    "talk": {"size": (1920, 1080), "style": "light", "text": True, "box": True},
}
"""View settings by name. All show the flock alone, except "talk": with text and box, on white."""

SIZES = {
    "480p": (854, 480),
    "720p": (1280, 720),
    "1080p": (1920, 1080),
    "1440p": (2560, 1440),
    "2160p": (3840, 2160),
    "4k": (3840, 2160),
}


def preset_settings(name: str | None) -> dict[str, Any]:
    """Return the view settings of a preset; none for None. Raises ModelError."""
    if name is None:
        return {}
    if name in PRESETS:
        return dict(PRESETS[name])
    from murmurate.model.messages import did_you_mean  # it imports pydantic

    hint = did_you_mean(name, PRESETS)
    raise ModelError(f"preset: got {name!r}; expected {', '.join(PRESETS)}{hint}")


def film_suffix(preset: str | None, transparent: bool) -> str:
    """Return the suffix of a film's file if the user gives no name."""
    return ".gif" if preset == "gif" else ".mov" if transparent else ".mp4"


def parse_size(text: str) -> tuple[int, int]:
    """Parse '1280x720' or a name in SIZES to (width, height) in pixels, or raise ModelError."""
    if named := SIZES.get(text.strip().lower()):
        return named
    numbers = re.fullmatch(r"\s*(\d{1,9})\s*[xX×*,]\s*(\d{1,9})\s*", text, re.ASCII)
    if not numbers:
        raise ModelError(
            f"size: got {text}; expected WIDTHxHEIGHT in pixels, such as 1280x720, or "
            f"{', '.join(SIZES)}"
        )
    return int(numbers[1]), int(numbers[2])

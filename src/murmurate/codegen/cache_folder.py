"""The folder in which compiled kernels are kept."""

from __future__ import annotations

import os
from pathlib import Path


def cache_folder() -> Path:
    """MURMURATE_CACHE if set, else the user's cache folder."""
    import platformdirs

    chosen = os.environ.get("MURMURATE_CACHE")
    return Path(chosen) if chosen else platformdirs.user_cache_path("murmurate") / "kernels"

"""Kernels that tests compile are kept beside pytest's own cache, never in the user's: reruns are
fast. Kernels are named by what is in them, so an old one cannot stand in for a new one."""

from __future__ import annotations

import os
from pathlib import Path

KERNELS = Path(__file__).resolve().parent.parent / ".pytest_cache" / "kernels"
os.environ["MURMURATE_CACHE"] = str(KERNELS)

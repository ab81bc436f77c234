"""Look-up of boids by their ids, from one picture to the next: they may come and go."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def find_ids(ids: Array, wanted: Array) -> tuple[Array, Array]:
    """(N,) which of the wanted ids are among ascending ones (M,), and the places of these."""
    if not len(ids):
        return np.zeros(len(wanted), bool), np.zeros(0, np.intp)
    at = np.minimum(np.searchsorted(ids, wanted), len(ids) - 1)
    known = ids[at] == wanted
    return known, at[known]

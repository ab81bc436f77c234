"""The metadata of an array, Zarr version 3."""

from __future__ import annotations

from typing import Any

import numpy as np


def array_metadata(
    shape: tuple[int, ...],
    dtype: str,
    chunk: tuple[int, ...],
    codecs: list[Any],
    dims: tuple[str, ...],
    attributes: dict[str, Any],
) -> dict[str, Any]:
    name = "string" if dtype == "string" else np.dtype(dtype).name
    fill: Any = "" if name == "string" else "NaN" if name.startswith("float") else 0
    return {
        "zarr_format": 3,
        "node_type": "array",
        "shape": list(shape),
        "data_type": name,
        "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": list(chunk)}},
        "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
        "fill_value": fill,
        "codecs": codecs,
        "attributes": attributes,
        "dimension_names": list(dims),
        "storage_transformers": [],
    }

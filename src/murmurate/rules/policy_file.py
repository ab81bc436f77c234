"""Policy files: layers of a network, and the meaning of its numbers, as .npz or .safetensors.

    weights0, bias0, weights1, ...   (out, in) and (out,), float32 or float64, as torch.nn.Linear
    policy                           JSON: format, columns, and fields of the rule

The text is an array of characters in .npz, and metadata in .safetensors
(https://github.com/huggingface/safetensors). Nothing in a file is run.
"""

from __future__ import annotations

import io
import json
import math
import os
import zipfile
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from murmurate.errors import ModelError
from murmurate.model.messages import format_unknown, format_value
from murmurate.model.named_files import read_file
from murmurate.model.number import MAX_NUMBER
from murmurate.model.number_table import pack_table
from murmurate.model.text_reader import read_json
from murmurate.rules.policy_columns import MAX_HIDDEN, MAX_WIDTH, nearest_columns, own_columns

FORMAT = 1
ENDINGS = (".npz", ".safetensors")
MAX_BYTES = 64 << 20
MAX_LETTERS = 1 << 20
TEXT = "policy"
FIXED = (
    "nearest", "radius", "field_of_view", "form", "adds", "action_limit", "output", "steps",
    "activation",
)  # fmt: skip
"""Fields that give the numbers of a file their meaning."""
FREE = ("senses", "point")
"""Fields of a file that a model may replace: names of flocks, and a place."""
DERIVED = (
    "flock_columns", "own_velocity", "own_position", "to_point", "hidden_layers", "width", "weights"
)  # fmt: skip
Layer = tuple[np.ndarray, np.ndarray]
"""Weights (out, in) and biases (out,)."""


class PolicyFile(NamedTuple):
    """The content of a policy file.

    columns  names of the network's inputs, as Task.columns
    fields   those in FIXED and FREE that differ from their defaults
    layers   the first one first
    """

    columns: tuple[str, ...]
    fields: dict[str, Any]
    layers: list[Layer]


# --- fields of the rule


def policy_fields(file: str | os.PathLike[str], fields: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of the rule of a policy file.

    fields  further ones, and those in FREE that replace the file's

    Raises ModelError, from the path of the file or the field on.
    """
    content = read_policy_file(file)
    for name in (*FIXED, *DERIVED):
        own = content.fields.get(name, DEFAULTS.get(name))
        if name in fields and (name in DERIVED or fields[name] != own):
            expected = "none, since the file has it" if name in DERIVED else format_value(own)
            raise ModelError(
                f"{name}: got {format_value(fields[name])}; expected {expected}. Leave it out, or "
                "train another policy"
            )
    return {**content.fields, **_derived(content, str(file)), **fields}


def _derived(content: PolicyFile, where: str) -> dict[str, Any]:
    """Return the fields of a file's layers and columns. Raises ModelError."""
    columns, fields, layers = content
    k, senses = fields["nearest"], fields["senses"]
    flocks = [senses] if isinstance(senses, str) else senses
    dims = layers[-1][0].shape[0]
    own = [name for name in ("velocity", "position", "to_point") if f"{name}.x" in columns]
    order = [*nearest_columns(k, dims, flocks), *chain(*(own_columns(n, dims) for n in own))]
    if sorted(order) != sorted(columns):
        odd = next(iter({*order} ^ {*columns}), "a name twice")
        raise ModelError(
            f"{where}: columns: got {len(columns)} with or without {odd!r}; expected the "
            f"{len(order)} of the {k} nearest boids of {len(flocks)} flocks and of {own or 'no'} "
            "vectors of its own. Write the file by murmurate.environments.save_policy"
        )
    hidden = [weights.shape[0] for weights, _ in layers[:-1]]
    width = max(hidden, default=dims)
    first = _padded(layers[0][0][:, [columns.index(name) for name in order]].T, None, width)
    split = len(nearest_columns(k, dims, flocks))
    rows = [first[:split], _padded(layers[0][1][None], None, width), first[split:]]
    for layer, (weights, biases) in enumerate(layers[1:], 1):
        out = dims if layer == len(layers) - 1 else width
        rows += [_padded(biases[None], None, out), _padded(weights.T, width, out)]
    return {
        "flock_columns": len(flocks) if len(flocks) > 1 else 0,
        "own_velocity": "velocity" in own, "own_position": "position" in own,
        "to_point": "to_point" in own, "hidden_layers": len(hidden), "width": width,
        "weights": pack_table(np.concatenate([part.ravel() for part in rows])),
    }  # fmt: skip


def _padded(numbers: np.ndarray, rows: int | None, columns: int) -> np.ndarray:
    """Return a matrix with zeros behind its rows and columns."""
    padded = np.zeros((len(numbers) if rows is None else rows, columns))
    padded[: numbers.shape[0], : numbers.shape[1]] = numbers
    return padded


DEFAULTS = {
    "radius": math.inf, "field_of_view": 180.0, "form": "acceleration", "adds": False,
    "action_limit": 1.0, "output": "clip", "steps": 1, "activation": "tanh",
}  # fmt: skip


# --- reading


def read_policy_file(file: str | os.PathLike[str]) -> PolicyFile:
    """Return the content of a policy file. Raises ModelError."""
    path = Path(file)
    _check_ending(path)
    data = read_file(path, MAX_BYTES, "A policy is a small network")
    try:
        text, arrays = (_read_npz if path.suffix == ".npz" else _read_safetensors)(data)
    except (ValueError, KeyError, TypeError, IndexError, OSError, zipfile.BadZipFile,
            NotImplementedError, EOFError, RuntimeError, MemoryError) as error:  # fmt: skip
        raise ModelError(
            f"{path}: cannot be read as {path.suffix[1:]}: {str(error)[:200]}. Write it by "
            "murmurate.environments.save_policy"
        ) from None
    return _checked(str(path), text, arrays)


def _check_ending(path: Path) -> None:
    if path.suffix not in ENDINGS:
        raise ModelError(
            f"{path}: got a file that ends in {path.suffix or 'nothing'}; expected "
            f"{' or '.join(ENDINGS)}, as murmurate.environments.save_policy writes it"
        )


def _read_npz(data: bytes) -> tuple[str, dict[str, np.ndarray]]:
    """Return the text and the arrays of a file of numpy. Pickles are refused."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        if sum(entry.file_size for entry in archive.infolist()) > MAX_BYTES:
            raise ValueError(f"more than {MAX_BYTES >> 20} MiB of arrays")
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        arrays = {name: file[name] for name in file.files}
    text = arrays.pop(TEXT, np.array(""))
    if text.ndim or text.dtype.kind != "U":
        raise ValueError(f"{TEXT}: got an array of {text.dtype} {text.shape}; expected a text")
    return str(text), arrays


DTYPES = {"F32": "<f4", "F64": "<f8"}


def _read_safetensors(data: bytes) -> tuple[str, dict[str, np.ndarray]]:
    """Return the text and the arrays of a file of safetensors."""
    size = int.from_bytes(data[:8], "little")
    if not 2 <= size <= min(MAX_LETTERS, len(data) - 8):
        raise ValueError(f"a header of {size:,} bytes in a file of {len(data):,}")
    header, numbers = read_json(data[8 : 8 + size], 8), data[8 + size :]
    text = header.pop("__metadata__", {}).get(TEXT, "")
    arrays = {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        if entry["dtype"] not in DTYPES or not 0 <= begin <= end <= len(numbers):
            raise ValueError(f"{name}: got {entry}; expected F32 or F64 within the file")
        array = np.frombuffer(numbers[begin:end], DTYPES[entry["dtype"]])
        arrays[name] = array.reshape([int(side) for side in entry["shape"]])
    return str(text), arrays


def _checked(where: str, text: str, arrays: dict[str, np.ndarray]) -> PolicyFile:
    """Return the content of a file, whose sizes fit together. Raises ModelError."""
    if not text:
        raise ModelError(
            f"{where}: {TEXT}: got no text; expected what its numbers mean. Write the file by "
            "murmurate.environments.save_policy"
        )
    try:
        fields = dict(read_json(text.encode(), 8))
    except (ValueError, TypeError) as error:
        raise ModelError(f"{where}: {TEXT}: not JSON: {error}") from None
    columns, number = fields.pop("columns", None), fields.pop("format", None)
    if number != FORMAT:
        raise ModelError(
            f"{where}: format: got {format_value(number)}; expected {FORMAT}. Use the version of "
            "murmurate that wrote it"
        )
    if not isinstance(columns, list) or not all(isinstance(name, str) for name in columns):
        raise ModelError(f"{where}: columns: got {format_value(columns)}; expected names")
    for name in fields:
        if name not in (*FIXED, *FREE):
            raise ModelError(f"{where}: {name}: {format_unknown('field', name, (*FIXED, *FREE))}")
    senses, k = fields.get("senses"), fields.get("nearest")
    if isinstance(senses, list):
        fields["senses"] = senses = tuple(senses)
    if not isinstance(senses, str | tuple) or not all(isinstance(name, str) for name in senses):
        raise ModelError(f"{where}: senses: got {format_value(senses)}; expected names of flocks")
    if not isinstance(k, int) or isinstance(k, bool) or not 1 <= k <= len(columns):
        raise ModelError(
            f"{where}: nearest: got {format_value(k)}; expected a whole number up to {len(columns)}"
        )
    return PolicyFile(tuple(columns), fields, list(_layers(where, arrays, len(columns))))


def _layers(where: str, arrays: dict[str, np.ndarray], inputs: int) -> Iterator[Layer]:
    """Yield the layers of a file. Raises ModelError."""
    count = len(arrays) // 2
    names = [name for k in range(count) for name in (f"weights{k}", f"bias{k}")]
    if not count or sorted(names) != sorted(arrays):
        raise ModelError(
            f"{where}: got arrays {', '.join(sorted(arrays)) or 'none'}; expected weights0, bias0, "
            "weights1, bias1 and so on"
        )
    if count > MAX_HIDDEN + 1:
        raise ModelError(f"{where}: got {count} layers; expected at most {MAX_HIDDEN + 1}")
    for k in range(count):
        weights, biases = arrays[f"weights{k}"], arrays[f"bias{k}"]
        last, out = k == count - 1, weights.shape[0] if weights.ndim else 0
        allowed = "2 or 3" if last else f"1 to {MAX_WIDTH}"
        if not (out in (2, 3) if last else 1 <= out <= MAX_WIDTH):
            shape = f"({allowed}, {inputs})"
            raise ModelError(f"{where}: weights{k}: got shape {weights.shape}; expected {shape}")
        for name, array, sides in (("weights", weights, (out, inputs)), ("bias", biases, (out,))):
            if array.shape != sides:
                raise ModelError(f"{where}: {name}{k}: got shape {array.shape}; expected {sides}")
            if array.dtype.kind != "f":
                raise ModelError(f"{where}: {name}{k}: got {array.dtype}; expected float32")
            if not (np.abs(array) <= MAX_NUMBER).all():
                raise ModelError(
                    f"{where}: {name}{k}: got a number that is not finite, or is above "
                    f"{MAX_NUMBER:,.0f}; expected finite numbers"
                )
        inputs = out
        yield weights.astype(np.float32), biases.astype(np.float32)


# --- writing


def policy_file_bytes(path: Path, content: PolicyFile) -> bytes:
    """Return the bytes of a policy file. Raises ModelError for layers that do not fit the columns.

    path  of the file, whose ending says the format
    """
    _check_ending(path)
    arrays = {
        f"{name}{k}": np.ascontiguousarray(array, np.float32)
        for k, layer in enumerate(content.layers)
        for name, array in zip(("weights", "bias"), layer, strict=True)
    }
    fields = {name: value for name, value in content.fields.items() if value != DEFAULTS.get(name)}
    text = json.dumps({"format": FORMAT, "columns": content.columns, **fields}, allow_nan=False)
    _derived(_checked(str(path), text, arrays), str(path))
    if path.suffix == ".npz":
        stream, parts = io.BytesIO(), {TEXT: np.array(text), **arrays}
        np.savez(stream, **parts)  # type: ignore[arg-type]
        return stream.getvalue()
    header: dict[str, Any] = {"__metadata__": {TEXT: text}}
    at = 0
    for name, array in arrays.items():
        offsets = [at, at := at + array.nbytes]
        header[name] = {"dtype": "F32", "shape": array.shape, "data_offsets": offsets}
    head = json.dumps(header).encode()
    head += b" " * (-len(head) % 8)
    numbers = b"".join(array.astype("<f4").tobytes() for array in arrays.values())
    return len(head).to_bytes(8, "little") + head + numbers

"""Log of inputs of a simulation from outside, in order, beside the frames.

`journal/inputs` has an entry for each input: a line like those of the journal, then its arrays,
each encoded as a chunk. Entries are only appended. A commit makes them durable before the frames
that follow from them, and adds a line with the number of these frames. So the log is complete for
all frames, and entries after the last commit are valid up to the first that is damaged.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import numpy as np
from pydantic import Field, TypeAdapter, ValidationError

from murmurate.disk import open_regular
from murmurate.errors import DamagedRecordingError, ModelError
from murmurate.model.files import parse
from murmurate.model.model import Model
from murmurate.model.number import MAX_WHOLE
from murmurate.model.text_reader import TextError, read_toml
from murmurate.record import journal
from murmurate.record.codec import Codec

INPUTS = f"{journal.FOLDER}/inputs"

Kind = Literal["controls", "state", "changes", "model"]


@dataclass(frozen=True, eq=False)
class Input:
    """Inputs of a simulation from outside.

    Attributes
    ----------
    step : int
        Steps that were simulated before it.
    kind : str
        'controls', of `step`; 'state', of `set_state`; 'changes', numbers of `set`; or 'model', a
        model with other rules.
    text : str
        The flock of controls and of a state; changes and models as TOML.
    arrays : dict of array
        'vectors' (N, D) of controls, or 'ids' (K,) and 'vectors' (K, D), or none if they end;
        'positions' and 'velocities' (N, D) of a state.
    """

    step: int
    kind: Kind
    text: str
    arrays: Mapping[str, np.ndarray] = field(default_factory=dict)

    def changed(self, model: Model) -> Model:
        """Return the model after the input. Raises ModelError for unknown rules."""
        if self.kind == "changes":
            try:
                return model.set(read_toml(self.text))
            except TextError as error:
                raise ModelError(f"changes after step {self.step}: {error}") from None
        return parse(self.text, model.name) if self.kind == "model" else model


def encode(new_input: Input) -> bytes:
    """Return the entry of an input."""
    described, chunks = {}, []
    for name, values in new_input.arrays.items():
        stored = np.ascontiguousarray(values, values.dtype.newbyteorder("<"))
        chunks.append(Codec(stored.dtype.str, stored.shape).pack(stored))
        described[name] = [stored.dtype.str, list(stored.shape), len(chunks[-1])]
    line = {
        "step": new_input.step,
        "kind": new_input.kind,
        "text": new_input.text,
        "arrays": described,
    }
    return b"".join([journal.line(line), *chunks])


def append(path: Path, new_input: Input) -> int:
    """Append an input to the log of a recording; return the length of its entry.

    Raises OSError; the log is unchanged then.
    """
    return journal.append_bytes(path / INPUTS, encode(new_input), durable=False)


def commit(path: Path, frames: int) -> int:
    """Make the log durable up to `frames` frames of a recording; return the bytes appended."""
    return journal.append_bytes(path / INPUTS, journal.line({"frames": frames}))


NonNegative = Annotated[int, Field(ge=0, le=MAX_WHOLE)]


class _Array(NamedTuple):
    dtype: Literal["<f4", "<f8", "<i4", "<i8"]
    shape: tuple[NonNegative, ...]
    size: NonNegative  # bytes of its chunk


class _Entry(NamedTuple):
    step: NonNegative
    kind: Kind
    text: str
    arrays: dict[str, _Array]


class _Commit(NamedTuple):
    frames: NonNegative


@cache
def _lines() -> TypeAdapter[_Entry | _Commit]:
    """Return the checks of lines, which anybody may have written."""
    return TypeAdapter(_Entry | _Commit)


class InputLog:
    """The inputs of a recording, oldest first. Iterate over it, or `since` a step.

    frames  number of frames up to which it is complete
    size    bytes of its valid entries
    """

    def __init__(self, recording: Path, exists: bool = True) -> None:
        self.path = recording / INPUTS
        self.frames, self.size = (0 if exists else MAX_WHOLE), 0
        self._entries: list[_Entry] = []
        self._offsets: list[tuple[int, int]] = []  # where each entry begins, and its arrays
        if exists:
            with suppress(OSError):  # a missing log is complete for no frame
                self._drop_damaged(self._scan(self.path))

    def _scan(self, path: Path) -> int:
        """Read the lines of all entries; return how many entries were committed."""
        committed = 0
        with open_regular(path) as file:
            length = os.fstat(file.fileno()).st_size
            while text := file.readline():
                line = journal.parse(text[:-1]) if text.endswith(b"\n") else None
                if line is None:
                    break
                try:
                    entry = _lines().validate_python(line)
                except ValidationError:  # murmurate did not write it
                    break
                if isinstance(entry, _Commit):
                    self.frames, committed = entry.frames, len(self._entries)
                else:
                    end = file.tell() + sum(array.size for array in entry.arrays.values())
                    if end > length:
                        break
                    self._entries.append(entry)
                    self._offsets.append((self.size, file.tell()))
                    file.seek(end)
                self.size = file.tell()
        return committed

    def _drop_damaged(self, first: int) -> None:
        """Forget entries from `first` on of which an array is damaged, and all after them."""
        valid, last = first, len(self)
        try:
            for _ in self._read(range(first, last)):
                valid += 1
        except DamagedRecordingError:
            self.size = self._offsets[valid][0]
            del self._entries[valid:]

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Input]:
        return self._read(range(len(self)))

    def __repr__(self) -> str:
        return f"<InputLog {str(self.path)!r}: {len(self)} inputs, {self.size} bytes>"

    @property
    def last_step(self) -> int:
        """The step of the newest input; 0 without one."""
        return self._entries[-1].step if self._entries else 0

    def since(self, step: int) -> Iterator[Input]:
        """Yield the inputs after the frame of a step. Raises DamagedRecordingError."""
        return self._read(k for k, entry in enumerate(self._entries) if entry.step >= step)

    def model_at(self, step: int, model: Model) -> Model:
        """Return the changed model in the frame of a step.

        Raises ModelError for unknown rules, and DamagedRecordingError.
        """
        for entry in self._entries:
            if entry.step < step:
                model = Input(entry.step, entry.kind, entry.text).changed(model)
        return model

    def check(self, frames: int) -> None:
        """Raise DamagedRecordingError unless it has all inputs up to a number of frames."""
        if self.frames < frames:
            raise DamagedRecordingError(
                f"{self.path}: is missing or damaged after {self.frames} of {frames} frames; "
                "expected all that the simulation was given, without which it cannot be "
                "continued or repeated. The frames can be read; take the file from a copy"
            )

    def _read(self, numbers: Iterable[int]) -> Iterator[Input]:
        """Yield inputs with their arrays. Raises DamagedRecordingError."""
        if not self._entries:
            return
        with open_regular(self.path) as file:
            for number in numbers:
                step, kind, text, described = self._entries[number]
                file.seek(self._offsets[number][1])
                arrays = {}
                for name, (dtype, shape, size) in described.items():
                    values = Codec(dtype, shape).unpack(file.read(size))
                    if values is None:
                        raise DamagedRecordingError(
                            f"{self.path}: {name} after step {step} cannot be read: a checksum is "
                            "wrong; take the file from a copy"
                        )
                    arrays[name] = values
                yield Input(step, kind, text, arrays)

"""Packed frame: a large frame whose blocks are packed where their boids are. Each array's shard
holds no other frame, and grows on disk block by block, so that nobody holds a whole frame."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from murmurate.frame import DistributedFrame
from murmurate.record.array_writers import pack_block
from murmurate.record.schema import BoidArray
from murmurate.record.shard_draft import ShardDraft

Measures = Mapping[str, Sequence[float]]


@dataclass(frozen=True, eq=False)
class PackedFrame:
    """A frame that is on disk, though not under its files' names.

    drafts    name of an array -> its shard, complete
    measures  name -> its value for each flock
    """

    step: int
    time: float
    drafts: Mapping[str, ShardDraft]
    measures: Measures


def one_frame_a_shard(arrays: Sequence[BoidArray]) -> bool:
    """Whether frames are so large that each has shards of its own."""
    return all(array.shard_frames == 1 for array in arrays)


def packed_frame(
    frame: DistributedFrame, arrays: Sequence[BoidArray], folder: Path, measures: Measures
) -> PackedFrame:
    """Packs a frame. Raises OSError; no draft is left then.

    folder  for the drafts, on the same disk as the recording
    """
    boids, side = arrays[0].shape[0], arrays[0].codec.shape[1]
    bounds = [*range(0, boids, side), boids]

    def write(blocks: Iterator[list[bytes]]) -> dict[str, ShardDraft]:
        drafts = {array.name: ShardDraft(folder, array.capacity) for array in arrays}
        try:
            for chunks in blocks:
                for draft, chunk in zip(drafts.values(), chunks, strict=True):
                    draft.add(chunk)
            for draft in drafts.values():
                draft.finish()
        except BaseException:
            for draft in drafts.values():
                draft.remove()
            raise
        return drafts

    drafts = frame.by_number(bounds, PackBlock(arrays), write)
    return PackedFrame(frame.step, frame.time, drafts, measures)


class PackBlock:
    """Packs the boids of a block, where they are: a chunk of each array."""

    def __init__(self, arrays: Sequence[BoidArray]) -> None:
        self.arrays = arrays

    def __call__(self, _: int, values: Mapping[str, np.ndarray]) -> list[bytes]:
        return [pack_block(array, stored(array, values[array.name])) for array in self.arrays]


def stored(array: BoidArray, values: np.ndarray) -> Any:
    """(1, boids, ...) a frame's values as they are stored."""
    return array.codec.numbers(values)[None]

"""Check a recording: read every frame and report what is damaged."""

from __future__ import annotations

from murmurate.record.block_reader import ranges
from murmurate.record.errors import RecordingDamaged
from murmurate.record.recording import STRETCH, Recording


def find_damage(rec: Recording) -> list[str]:
    """The messages of all that cannot be read; none where all checksums are right."""
    boids = max(1, sum(rec.header["counts"].values()))
    most = max(1, STRETCH // (boids * (2 * rec.header["dims"] * 8 + 4)))
    found: list[str] = []
    for first, last in ranges(0, len(rec), most):
        try:
            rec.read(first, last)
        except RecordingDamaged:
            for number in range(first, last):
                try:
                    rec[number]
                except RecordingDamaged as error:
                    if str(error) not in found:
                        found.append(str(error))
    return found

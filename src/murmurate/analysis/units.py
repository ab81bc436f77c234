"""Units: what lengths and times of an input count, in the units of measures."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Units:
    """What 'length' and 'time' stand for in the units of measures.

    length  'mm'; '' for the model's own unit
    time    's', 'frames'; '' for the model's own unit
    """

    length: str = ""
    time: str = ""

    def of(self, unit: str) -> str:
        """'length/time' as 'mm/s'; 'time lag, time' as 'time lag, s': what stands after the last
        comma is the unit."""
        what, comma, last = unit.rpartition(", ")
        if self.length:
            last = re.sub(r"\blength\b", lambda _: self.length, last)
        if self.time:
            last = re.sub(r"(?<=/)time\b", lambda _: self.time.removesuffix("s") or "s", last)
            last = re.sub(r"\btime\b", lambda _: self.time, last)
        return what + comma + last


MODEL_UNITS = Units()

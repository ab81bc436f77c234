"""Rate limit: how often messages may come."""

from __future__ import annotations

import time


class Bucket:
    """A token bucket: so many a second, after a burst of so many."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._since = burst, time.monotonic()

    def take(self) -> bool:
        """Takes one; whether there was one left."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._since) * self._rate)
        self._since = now
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True

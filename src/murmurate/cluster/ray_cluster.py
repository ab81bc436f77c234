"""Ray cluster: this process joined to it."""

from __future__ import annotations

import logging
import os
import re
import signal
import socket
import threading
from typing import Any

from murmurate.errors import ClusterError
from murmurate.optional import optional


def connected(address: str | None = None) -> Any:
    """The module `ray`, connected: to the cluster at an address, or that RAY_ADDRESS names, or to
    one of this machine alone. A process that is connected already stays where it is.

    Raises ClusterError where Ray is not installed, and where no cluster answers.
    """
    terminated = signal.getsignal(signal.SIGTERM)
    with optional("a Ray cluster", ClusterError, "ray"):
        import ray
    if not ray.is_initialized():
        asked = address or os.environ.get("RAY_ADDRESS")
        _check_answers(asked)
        try:
            ray.init(
                address=asked, log_to_driver=False, logging_level=logging.ERROR,
                include_dashboard=False if asked is None else None,
            )  # fmt: skip
        except (ConnectionError, ValueError) as error:
            raise ClusterError(f"no Ray cluster at {asked}: {error}") from None
    if callable(terminated) and threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, terminated)  # Ray puts its own, which exits
    return ray


def _check_answers(address: str | None) -> None:
    """Raises ClusterError where nobody answers at 'host:port', within seconds: Ray asks for
    minutes."""
    plain = re.fullmatch(r"\[?([^/]+?)\]?:(\d+)", address or "")
    if plain is None:
        return
    try:
        socket.create_connection((plain[1], int(plain[2])), timeout=10).close()
    except (OSError, OverflowError) as error:
        raise ClusterError(
            f"no Ray cluster at {address}: {error}. 'ray start --head' on one machine begins one, "
            "and says its address"
        ) from None

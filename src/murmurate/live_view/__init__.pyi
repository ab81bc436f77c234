"""Public names of murmurate.live_view, imported at first use."""

from .server import LiveView as LiveView
from .session import Session as Session

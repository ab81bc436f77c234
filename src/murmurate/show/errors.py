"""Errors of pictures and films. Messages say what to do."""

from __future__ import annotations

from murmurate.errors import MurmurateError


class ShowError(MurmurateError):
    """A picture or film cannot be made."""


class OutputRefused(ShowError):
    """The output cannot be written, to that path or at that size: found out before anything is
    simulated."""


class WriteFailed(ShowError):
    """Writing began and failed: disk full, permission lost, an encoder's refusal."""

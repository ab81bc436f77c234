"""The errors a user may meet. Each message says what was asked, found, allowed, and what to do."""

from __future__ import annotations


class MurmurateError(Exception):
    """Any error that murmurate raises on purpose."""


class ModelError(MurmurateError, ValueError):
    """A model, or a number for one, cannot be used. Raised before anything is compiled."""


class RuleError(MurmurateError):
    """A rule written in Python raises, returns the wrong shape, or cannot be compiled."""


class ClusterError(MurmurateError):
    """A Ray cluster cannot be used: Ray is not installed, or no cluster answers."""


class RunError(MurmurateError):
    """A run went wrong while it was running: a boid's numbers are no longer finite, or it ran away.

    step, flock, boid  where: the boid's id in its flock
    """

    def __init__(self, message: str, *, step: int = -1, flock: str = "", boid: int = -1) -> None:
        super().__init__(message)
        self.step, self.flock, self.boid = step, flock, boid


class TemplateError(MurmurateError):
    """A template of kernels names what is nowhere defined: a fault of murmurate."""


class ShowError(MurmurateError):
    """A picture, film or page cannot be made."""


class OutputRefused(ShowError):
    """An output cannot be written to this path or at this size. Raised before any simulation."""


class WriteFailed(ShowError):
    """Writing an output began and failed: disk full, permission lost or an encoder error."""


class ExportError(MurmurateError):
    """Writing an exported file failed. No partial file is left."""


class ExportRefused(ExportError):
    """A file cannot be exported as requested. Raised before anything is read or written."""

"""All errors that murmurate raises on purpose.

    MurmurateError
    ├── InputError                  what was given cannot be used (exit code 2)
    │   ├── ModelError              a model, or a number for one (also a ValueError)
    │   ├── RuleError               a rule written in Python
    │   │   └── NotFiniteError      a function of a rule or motion gives nan or infinity
    │   ├── MeasureError            a measure, or an option of one (also a ValueError)
    │   │   ├── CoarseFramesError   frames too far apart to follow the boids
    │   │   └── MissingMeasureError a measure that a table does not have (also a KeyError)
    │   ├── SweepError              the design of a sweep
    │   │   └── FitError            the plan of a fit
    │   ├── OpenError               a recording to open or to begin (also a RecordError)
    │   │   └── TracksError         a file of tracks
    │   ├── OutputError             the path, size or view of a film or page (also a ShowError)
    │   ├── ExportOptionsError      the format, path or options of an export (also an ExportError)
    │   ├── FlightError             a file of drones' paths, or a limit for it
    │   ├── TaskError               a task for pages, or a code of its results
    │   ├── NotebookError           a widget's options, or a package it needs
    │   ├── CommandError            an argument or option of a command
    │   └── ClusterError            a Ray cluster
    ├── RunError                    a run failed at a step
    │   ├── DeviceError             a graphics card or its driver failed
    │   ├── PopulationError         a flock has more boids than its max_boids
    │   └── EndOfRecordingError     a recording has no later frame
    ├── RecordError                 a recording was not written or read to its end
    │   └── DamagedRecordingError   a file of a recording has a wrong checksum or length
    ├── ShowError                   a film, picture or page was not made
    │   └── WriteError              its file was not written to its end
    ├── ExportError                 an exported file was not written to its end
    ├── AddressError                the live view's address is in use
    └── KernelError                 a fault of murmurate: a compiled kernel failed
        └── TemplateError           a template of kernels uses an undefined name

Messages read `<argument or file>: got <value>; expected <what>. <remedy>`. The command line ends
with exit code 2 for an InputError and with 1 for any other.
"""

from __future__ import annotations

import math


class MurmurateError(Exception):
    """Base class of all errors that murmurate raises on purpose."""


class InputError(MurmurateError):
    """Input cannot be used. Nothing that existed was changed."""


class ModelError(InputError, ValueError):
    """A model, or a number for one, cannot be used. Raised before anything is compiled."""


class RuleError(InputError):
    """A rule written in Python raises, returns the wrong shape, or cannot be compiled."""


class NotFiniteError(RuleError):
    """A function of a rule or motion gives nan or infinity, or computes an undefined value."""


class MeasureError(InputError, ValueError):
    """A measure cannot be taken of these boids, or an option of it cannot be used."""


class CoarseFramesError(MeasureError):
    """Frames are too far apart to tell how far boids moved across a periodic edge.

    Attributes
    ----------
    ratio : float
        Allowed time between frames over the actual one. The time must be below the allowed one.
    """

    def __init__(self, message: str, ratio: float) -> None:
        super().__init__(message)
        self.ratio = ratio

    def with_remedy(self, remedy: str) -> CoarseFramesError:
        """Return the same error with another remedy as its last sentence."""
        return CoarseFramesError(f"{str(self).rpartition('. ')[0]}. {remedy}", self.ratio)

    def largest_every(self, every: int) -> int:
        """Return the largest number of steps between frames that would work; 0 if none would.

        Parameters
        ----------
        every : int
            The current number of steps between frames.
        """
        return max(0, math.ceil(every * self.ratio - 1e-9) - 1)


class MissingMeasureError(MeasureError, KeyError):
    """A table lacks this measure; the message lists its measures."""

    __str__ = Exception.__str__  # KeyError would quote the message


class SweepError(InputError):
    """A sweep cannot be run as designed."""


class FitError(SweepError):
    """A fit cannot be run as planned."""


class CommandError(InputError):
    """An argument or option of a command is invalid."""


class ClusterError(InputError):
    """A Ray cluster cannot be used: Ray is not installed, or no cluster answers."""


class NotebookError(InputError):
    """A widget cannot be shown: an option is wrong, or a package is missing."""


class RunError(MurmurateError):
    """A run failed at a step: the position of a boid is not finite or out of bounds.

    Attributes
    ----------
    step : int
        The step that failed; -1 if unknown.
    flock : str
        The flock of the boid.
    boid : int
        The boid's id in its flock; -1 if unknown.
    world : int
        The world of a `Worlds`; -1 for a simulation.
    """

    world: int = -1

    def __init__(self, message: str, *, step: int = -1, flock: str = "", boid: int = -1) -> None:
        super().__init__(message)
        self.step, self.flock, self.boid = step, flock, boid


class DeviceError(RunError):
    """A graphics card or its driver failed. Frames recorded before are kept."""


class PopulationError(RunError):
    """A flock would have more boids than its `max_boids`. The state is that before the step."""


class EndOfRecordingError(RunError):
    """A recording has no later frame to play."""


class RecordError(MurmurateError):
    """A recording was not written or read to its end. Frames recorded before are kept."""


class OpenError(RecordError, InputError):
    """A recording cannot be opened or begun as requested. Raised before anything is computed."""


class TracksError(OpenError):
    """A file of tracks cannot be read; the message names the file, the line and a remedy."""


class DamagedRecordingError(RecordError):
    """A file of a recording has a wrong checksum or length."""


class ShowError(MurmurateError):
    """A film, picture or page cannot be made."""


class OutputError(ShowError, InputError):
    """An output cannot be written to this path, at this size or with this view."""


class WriteError(ShowError):
    """Writing an output began and failed: disk full, permission lost or an encoder error."""


class ExportError(MurmurateError):
    """An exported file was not written to its end. No partial file is left."""


class ExportOptionsError(ExportError, InputError):
    """A file cannot be exported as requested. Raised before anything is read or written."""


class FlightError(InputError):
    """A file of drones' paths cannot be read, written within its limits, or checked."""


class TaskError(InputError):
    """A task cannot be used in a page, or a code is not one of its results."""


class AddressError(MurmurateError):
    """The live view cannot listen at its address: another program does."""


class KernelError(MurmurateError):
    """A compiled kernel failed in a way that no model should cause: a fault of murmurate."""


class TemplateError(KernelError):
    """A template of kernels uses a name that is not defined: a fault of murmurate."""

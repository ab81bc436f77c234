"""StudyFolder: the folder of a study with its plan, for sweeps, fits and other studies."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar, Generic, Protocol, Self, TypeVar

from murmurate.disk import read_text, remove_stale_drafts, write_file
from murmurate.errors import MurmurateError


class StudyPlan(Protocol):
    """What a study simulates, as a file stores it."""

    def to_toml(self) -> str:
        """Return the plan as TOML."""

    @classmethod
    def from_toml(cls, text: str, path: str) -> Self:
        """Read a plan. Raises an error for an invalid one."""


Plan = TypeVar("Plan", bound=StudyPlan)


class StudyFolder(Generic[Plan]):
    """The folder of a study.

    Attributes
    ----------
    kind : str
        The study, as messages name it.
    command : str
        The command that resumes it; '' if there is none.
    plan_name : str
        Name of the file of its plan.
    plan_class : type
        Class of its plan.
    error : type
        The exception for an invalid folder.
    """

    kind: ClassVar[str]
    command: ClassVar[str] = ""
    plan_name: ClassVar[str]
    plan_class: type[Plan]
    error: ClassVar[type[MurmurateError]]

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    @property
    def plan_path(self) -> Path:
        """Path of the plan."""
        return self.path / self.plan_name

    def plan(self) -> Plan:
        """Read the plan. Raises an error if there is none."""
        try:
            text = read_text(self.plan_path, "replace")
        except OSError:
            raise self.error(
                f"{self.path}: holds no {self.kind}; expected {self.plan_path}"
            ) from None
        return self.plan_class.from_toml(text, str(self.plan_path))

    def holds(self, plan: Plan) -> bool:
        """Return True if the folder contains a plan, and False if it can be created.

        Raises an error for a folder with other contents: nothing is overwritten.
        """
        if not self.plan_path.is_file():
            self.check_unused()
            return False
        if self.plan() != plan:
            resume = f" Resume the other {self.kind} by its name ({self.command} {self.path})"
            raise self.error(
                f"{self.path}: got a folder that holds another {self.kind}; expected a new folder "
                f"or the same {self.kind}.{resume if self.command else ''}"
            )
        return True

    def check_unused(self) -> None:
        """Raise an error if the path contains anything but what may precede the plan."""
        if self.plan_path.is_file() or not self.path.exists():
            return
        if not self.path.is_dir() or set(self.path.iterdir()) - self.written_first():
            raise self.error(
                f"{self.path}: got a path that already exists and holds no {self.kind}; expected a "
                "new name"
            )

    def written_first(self) -> set[Path]:
        """Return what may be written before the plan: a folder with no more was interrupted."""
        return set()

    def begin_plan(self, plan: Plan, *parts: str) -> None:
        """Create the folder with a plan and subfolders, or check that it contains the same plan.

        Raises an error for a folder with other contents, or one that cannot be written.
        """
        folders = [self.path, *(self.path / part for part in parts)]
        if self.holds(plan):
            for folder in folders:
                remove_stale_drafts(folder)
            return
        try:
            for folder in folders:
                folder.mkdir(parents=True, exist_ok=True)
            write_file(self.plan_path, plan.to_toml())
        except OSError as error:
            raise self.error(f"{self.path} cannot be written: {error.strerror}") from None


@contextmanager
def study_path(output: str | os.PathLike[str] | None, name: str) -> Iterator[Path]:
    """Yield the path of the folder of a study: `output`, or a temporary one with a name."""
    if output is not None:
        yield Path(output)
        return
    # after Ctrl-C a run in progress may still try to store its record
    with tempfile.TemporaryDirectory(
        prefix=f"murmurate-{name}-", ignore_cleanup_errors=True
    ) as temporary:
        yield Path(temporary) / name

"""StudyFolder: where a sweep, a fit or another study is stored: its plan, its runs, its result.

A folder is created with the plan of its study, and never becomes that of another. A study that was
interrupted resumes from it: finished runs are not simulated again. Two programs may use one folder:
files are written atomically, and records do not depend on the program.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, Self, TypeVar

from murmurate.disk import read_bytes, read_text, remove_stale_drafts, write_file
from murmurate.errors import MurmurateError
from murmurate.model.text_reader import TextError, read_json


class StudyPlan(Protocol):
    """Simulations of a study, as a file stores them."""

    def to_toml(self) -> str:
        """Return the plan as TOML."""

    @classmethod
    def from_toml(cls, text: str, path: str) -> Self:
        """Read a plan. Raises an error for an invalid one."""


Plan = TypeVar("Plan", bound=StudyPlan)
Result = TypeVar("Result")


class StudyFolder(Generic[Plan]):
    """The folder of a study.

    kind  the study, as messages name it
    command  the command that resumes it; '' if there is none
    error  the exception for an invalid folder
    """

    kind: ClassVar[str]
    command: ClassVar[str] = ""
    plan_name: ClassVar[str]
    plan_class: type[Plan]
    subfolders: ClassVar[tuple[str, ...]] = ("runs",)
    error: ClassVar[type[MurmurateError]]

    def __init__(self, path: str | os.PathLike[str], temporary: bool = False) -> None:
        self.path, self.temporary = Path(path), temporary

    @classmethod
    @contextmanager
    def opened(cls, output: str | os.PathLike[str] | None) -> Iterator[Self]:
        """Yield the folder `output`, or a temporary one if it is None."""
        if output is not None:
            yield cls(output)
            return
        name = Path(cls.plan_name).stem
        # after Ctrl-C a run in progress may still try to store its record
        with tempfile.TemporaryDirectory(
            prefix=f"murmurate-{name}-", ignore_cleanup_errors=True
        ) as temporary:
            yield cls(Path(temporary) / name, temporary=True)

    @property
    def stored_at(self) -> Path | None:
        """Path of the folder, as results have it; None for a temporary folder."""
        return None if self.temporary else self.path

    @property
    def plan_path(self) -> Path:
        """Path of the plan."""
        return self.path / self.plan_name

    def plan(self) -> Plan:
        """Read the plan. Raises an error without a plan."""
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
        """Raise an error if the path contains anything but files that may precede the plan."""
        if self.plan_path.is_file() or not self.path.exists():
            return
        if not self.path.is_dir() or set(self.path.iterdir()) - self.written_first():
            raise self.error(
                f"{self.path}: got a path that already exists and holds no {self.kind}; expected a "
                "new name"
            )

    def written_first(self) -> set[Path]:
        """Return files that precede the plan: a folder with no more was interrupted."""
        return set()

    def begin(self, plan: Plan, studies: Mapping[StudyFolder[Any], Any] | None = None) -> None:
        """Create the folder with a plan, or check that it contains the same plan.

        studies  StudyFolder -> its plan, of studies in this folder. They are begun first.
        raises MurmurateError  for a folder with other contents, of which nothing is overwritten,
            and for one that cannot be written
        """
        if self.holds(plan):
            for folder in (self.path, *self.path.iterdir()):
                remove_stale_drafts(folder)
        for study, inner_plan in (studies or {}).items():
            study.begin(inner_plan)
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            if not self.plan_path.is_file():
                write_file(self.plan_path, plan.to_toml())
            for name in self.subfolders:
                (self.path / name).mkdir(exist_ok=True)
        except OSError as error:
            raise self.error(f"{self.path} cannot be written: {error.strerror}") from None

    def result(self, read: Callable[[Any], Result]) -> Result:
        """Return the result of a finished study, which a function reads from its JSON file.

        Raises an error if there is none.
        """
        path = self.plan_path.with_suffix(".json")
        try:
            return read(read_json(read_bytes(path)))
        except (OSError, TextError, KeyError, TypeError, ValueError, AttributeError) as error:
            remedy = (
                f"Finish it with {self.command} {self.path}"
                if self.command
                else "Run it again: finished runs are not simulated again"
            )
            raise self.error(
                f"{path}: got no finished {self.kind} ({error}); expected its result. {remedy}"
            ) from None

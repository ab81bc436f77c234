"""The folder of a fit, in which every finished run is stored at once.

FOLDER/fit.toml          the plan, with what is to be met
FOLDER/runs/000042.json  a run that is done
FOLDER/fitted.toml       the model with the best numbers; written at the end
FOLDER/fit.json          the report, the same
"""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

from murmurate.disk import read_text, remove_stale_drafts, write_file
from murmurate.fitting.fit_plan import FitPlan
from murmurate.sweeps.design import SweepError
from murmurate.sweeps.run_records import is_of, read_failure, read_record
from murmurate.sweeps.single_run import Task


class FitFolder:
    """A fit on disk."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)

    @property
    def plan_path(self) -> Path:
        return self.path / "fit.toml"

    def begin(self, plan: FitPlan) -> None:
        """Makes the folder for a plan, or finds the same plan in it. Raises SweepError for a folder
        that holds something else: nothing is ever overwritten."""
        if self.plan_path.is_file():
            there = self.plan()
            if replace(there, freedom=plan.freedom) != plan:  # older fits have none
                raise SweepError(
                    f"{self.path} holds another fit: choose another folder, or resume that one "
                    f"by its name alone (murmurate fit {self.path})"
                )
            for folder in (self.path, self.path / "runs"):
                remove_stale_drafts(folder)
            return
        if self.path.exists() and (not self.path.is_dir() or any(self.path.iterdir())):
            raise SweepError(f"{self.path} is there already and holds no fit: choose another name")
        try:
            (self.path / "runs").mkdir(parents=True, exist_ok=True)
            write_file(self.plan_path, plan.to_toml())
        except OSError as error:
            raise SweepError(f"{self.path} cannot be written: {error.strerror}") from None

    def plan(self) -> FitPlan:
        """Raises SweepError where there is none."""
        try:
            text = read_text(self.plan_path, "replace")
        except OSError:
            raise SweepError(f"{self.path} holds no fit: there is no {self.plan_path}") from None
        return FitPlan.from_toml(text, str(self.plan_path))

    def known(self, task: Task) -> dict[str, Any] | None:
        """The record of that run, also of one that failed, if it is there and whole."""
        path = self.path / "runs" / f"{task.index:06}.json"
        record = read_record(path) or read_failure(path)
        same = record is not None and is_of(
            record, task.measures, task.recording, index=task.index, point=task.point,
            repeat=task.repeat, seed=task.seed, values=task.values,
        )  # fmt: skip
        return record if same else None

    def keep(self, record: dict[str, Any]) -> None:
        write_file(
            self.path / "runs" / f"{record['index']:06}.json",
            json.dumps(record, indent=1),
            tidy=False,
        )

"""SweepFolder: the plan, runs and tables of a sweep on disk. Files are written atomically.

FOLDER/sweep.toml               the plan
FOLDER/runs/000042.json         the record of a finished run
FOLDER/failed/000017.json       a failed run with its settings and error
FOLDER/runs.csv, table.csv      all runs, and means over seeds; written at the end
FOLDER/recordings/000042.zarr   the recording of a run, if requested
FOLDER/shard-03-of-20/          a folder like this one with a part of the runs; see shards.py
"""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from murmurate.disk import write_file
from murmurate.errors import SweepError
from murmurate.sweeps.study_folder import StudyFolder
from murmurate.sweeps.sweep_plan import ALL_RUNS, SweepPlan
from murmurate.sweeps.task import read_failure, read_record

SHARD = re.compile(r"shard-[0-9]+-of-[0-9]+")
log = logging.getLogger(__name__)


class SweepFolder(StudyFolder[SweepPlan]):
    """The folder of a sweep."""

    kind = "sweep"
    command = "murmurate sweep"
    plan_name = "sweep.toml"
    plan_class = SweepPlan
    error = SweepError

    def __init__(self, path: str | os.PathLike[str], temporary: bool = False) -> None:
        super().__init__(path, temporary)
        self._warned = set[Path]()  # invalid records that were logged

    def written_first(self) -> set[Path]:
        """Return the folders of shards."""
        return {shard.path for shard in self.shards()}

    def shard(self, part: int, parts: int) -> SweepFolder:
        """Return the folder of a shard."""
        return SweepFolder(self.path / f"shard-{part:0{len(str(parts))}}-of-{parts}")

    def shards(self) -> list[SweepFolder]:
        """Return the folders of existing shards."""
        paths = (path for path in self.path.glob("shard-*") if SHARD.fullmatch(path.name))
        return [SweepFolder(path) for path in sorted(paths) if path.is_dir()]

    def plan(self) -> SweepPlan:
        """Read the plan. Raises SweepError without a plan."""
        if not self.plan_path.is_file() and self.shards():
            raise SweepError(
                f"{self.path}: holds shards of a sweep; join them by murmurate sweep {self.path} "
                "--merge"
            )
        return super().plan()

    def done(self) -> set[int]:
        """Return the indices of finished runs."""
        return {record["index"] for record in self.records()}

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield the records of finished runs of the plan, by index.

        Records that are incomplete, invalid, of another run, or without their recording count as
        missing. They are logged once as a warning.
        """
        return self._read("runs", read_record)

    def failures(self) -> list[dict[str, Any]]:
        """Return the records of failed runs."""
        return list(self._read("failed", read_failure))

    def _read(
        self, name: str, read: Callable[[Path], dict[str, Any] | None]
    ) -> Iterator[dict[str, Any]]:
        plan, invalid = self.plan(), list[Path]()
        # `merge` moves the recordings of a shard to the parent folder
        folders = [self.path] if plan.shard == ALL_RUNS else [self.path, self.path.parent]
        for path in sorted((self.path / name).glob("[0-9]*.json")):  # drafts begin with a dot
            record = read(path)
            if (
                record is not None
                and path.stem == f"{record['index']:06}"
                and plan.contains(record)
                and _has_recording(record, folders)
            ):
                yield record
            else:
                invalid.append(path)
        if new := [path for path in invalid if path not in self._warned]:
            self._warned.update(new)
            more = f" and {len(new) - 1} more" if len(new) > 1 else ""
            reason = "not a complete record of a run of this sweep, or its recording is missing"
            log.warning("%s%s: %s; the run counts as missing", new[0], more, reason)

    def store(self, record: dict[str, Any]) -> None:
        """Write the record of a finished run."""
        name = f"{record['index']:06}.json"
        write_file(self.path / "runs" / name, json.dumps(record, indent=1), tidy=False)
        (self.path / "failed" / name).unlink(missing_ok=True)

    def store_failure(self, failure: dict[str, Any]) -> None:
        """Write the record of a failed run."""
        (self.path / "failed").mkdir(exist_ok=True)
        write_file(
            self.path / "failed" / f"{failure['index']:06}.json",
            json.dumps(failure, indent=1),
            tidy=False,
        )


def _has_recording(record: dict[str, Any], folders: list[Path]) -> bool:
    """Return True if the recording of a run exists, or the run is not recorded."""
    name = record.get("recording")
    return name is None or any((folder / name).is_dir() for folder in folders)

"""The folder of a sweep: sweep.toml, and a file for each run, written atomically.

phase/sweep.toml            the plan
phase/runs/000042.json      the record of a run that is done
phase/failed/000017.json    a run that failed, with its settings and its error
phase/runs.csv, table.csv   all runs, and the means over seeds; written at the end
phase/recordings/000042.zarr   the recording of a run, where asked for
phase/shard-03-of-20/       a folder like this one, with a part of the runs; see shards.py
"""

from __future__ import annotations

import json
import logging
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from murmurate.disk import read_text, remove_stale_drafts, write_file
from murmurate.errors import SweepError
from murmurate.sweeps.run_records import read_failure, read_record
from murmurate.sweeps.sweep_plan import WHOLE, SweepPlan

SHARD = re.compile(r"shard-[0-9]+-of-[0-9]+")
log = logging.getLogger(__name__)


class Folder:
    """A sweep on disk. Two programs may work on one: a run's record is the same, whoever flew
    it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        self._refused = set[Path]()  # records that were said not to count

    @property
    def plan_path(self) -> Path:
        return self.path / "sweep.toml"

    def begin(self, plan: SweepPlan) -> None:
        """Makes the folder for a plan, or finds the same plan in it. Raises SweepError for a folder
        that holds something else: nothing is ever overwritten."""
        if self.plan_path.is_file():
            if self.plan() != plan:
                raise SweepError(
                    f"{self.path} holds another sweep: choose another folder, or resume that "
                    f"one by its name alone (murmurate sweep {self.path})"
                )
            for folder in (self.path, self.path / "runs", self.path / "failed"):
                remove_stale_drafts(folder)
            return
        self.check_free()
        try:
            (self.path / "runs").mkdir(parents=True, exist_ok=True)
            write_file(self.plan_path, plan.to_toml())
        except OSError as error:
            raise SweepError(f"{self.path} cannot be written: {error.strerror}") from None

    def check_free(self) -> None:
        """Raises SweepError where something else than a sweep or its shards is."""
        if self.plan_path.is_file() or not self.path.exists():
            return
        if not self.path.is_dir() or set(self.path.iterdir()) - {s.path for s in self.shards()}:
            raise SweepError(
                f"{self.path} is there already and holds no sweep: choose another name"
            )

    def shard(self, part: int, parts: int) -> Folder:
        """The folder of a shard of this sweep."""
        return Folder(self.path / f"shard-{part:0{len(str(parts))}}-of-{parts}")

    def shards(self) -> list[Folder]:
        """The folders of shards that are there."""
        found = (path for path in self.path.glob("shard-*") if SHARD.fullmatch(path.name))
        return [Folder(path) for path in sorted(found) if path.is_dir()]

    def plan(self) -> SweepPlan:
        """Raises SweepError where there is none."""
        try:
            text = read_text(self.plan_path, "replace")
        except OSError:
            if self.shards():
                raise SweepError(
                    f"{self.path} holds shards of a sweep: murmurate merge {self.path} joins them"
                ) from None
            raise SweepError(f"{self.path} holds no sweep: there is no {self.plan_path}") from None
        return SweepPlan.from_toml(text, str(self.plan_path))

    def done(self) -> set[int]:
        """Indices of the runs that are done."""
        return {record["index"] for record in self.records()}

    def records(self) -> Iterator[dict[str, Any]]:
        """The records of finished runs of its plan, in the order of their indices. What was cut
        short, is no run of the plan, or lost its recording counts as not there, which is logged
        as a warning, once."""
        return self._read("runs", read_record)

    def failures(self) -> list[dict[str, Any]]:
        """What went wrong, run by run."""
        return list(self._read("failed", read_failure))

    def _read(
        self, name: str, read: Callable[[Path], dict[str, Any] | None]
    ) -> Iterator[dict[str, Any]]:
        plan, refused = self.plan(), list[Path]()
        # a shard's recordings are moved when it is joined
        places = [self.path] if plan.shard == WHOLE else [self.path, self.path.parent]
        for path in sorted((self.path / name).glob("[0-9]*.json")):  # no drafts
            record = read(path)
            if (
                record is not None
                and path.stem == f"{record['index']:06}"
                and plan.gave(record)
                and _has_recording(record, places)
            ):
                yield record
            else:
                refused.append(path)
        if new := [path for path in refused if path not in self._refused]:
            self._refused.update(new)
            more = f" and {len(new) - 1} more" if len(new) > 1 else ""
            why = "no whole record of a run of this sweep, or its recording is gone"
            log.warning("%s%s: %s; it counts as not there", new[0], more, why)

    def keep(self, record: dict[str, Any]) -> None:
        """Stores a finished run durably, before the next is begun."""
        name = f"{record['index']:06}.json"
        write_file(self.path / "runs" / name, json.dumps(record, indent=1), tidy=False)
        (self.path / "failed" / name).unlink(missing_ok=True)

    def keep_failure(self, failure: dict[str, Any]) -> None:
        (self.path / "failed").mkdir(exist_ok=True)
        write_file(
            self.path / "failed" / f"{failure['index']:06}.json",
            json.dumps(failure, indent=1),
            tidy=False,
        )


def _has_recording(record: dict[str, Any], places: list[Path]) -> bool:
    name = record.get("recording")
    return name is None or any((place / name).is_dir() for place in places)

"""Shards: parts of a sweep that run anywhere, each in its own folder, and are joined.

A shard is a sweep of fewer runs: shard 3 of 20 has runs 2, 22, 42, ... of the sweep, counted from
0, so that slow parameter sets are distributed over all shards. Indices and seeds of runs are those
of the sweep.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace

from murmurate.errors import SweepError
from murmurate.sweeps.store import SweepFolder
from murmurate.sweeps.sweep_plan import ALL_RUNS, SweepPlan
from murmurate.sweeps.table import write_tables


@dataclass(frozen=True)
class MergeResult:
    """The result of `merge`.

    plan  plan of the whole sweep
    missing  shard -> indices of its runs that are in no folder; complete shards are left out
    begun  shards whose folders exist
    """

    plan: SweepPlan
    missing: dict[int, list[int]]
    begun: set[int]


def parse_shard(text: str) -> tuple[int, int]:
    """Return (3, 20) for '3/20'. Raises SweepError for invalid text."""
    match = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
    part, parts = map(int, match.groups()) if match else (0, 0)
    if not 1 <= part <= parts:
        raise SweepError(
            f"--shard: got {text}; expected PART/PARTS, such as 3/20 for the third of 20"
        )
    return part, parts


def make_shard(
    folder: SweepFolder, plan: SweepPlan, shard: tuple[int, int]
) -> tuple[SweepFolder, SweepPlan]:
    """Return the folder and the plan of a shard.

    Raises SweepError if the plan is a shard, or if the folder contains anything else, because the
    shards could not be joined.
    """
    if plan.shard != ALL_RUNS:
        raise SweepError(
            f"{folder.path}: got shard {'/'.join(map(str, plan.shard))}; expected a whole sweep"
        )
    folder.check_unused()
    return folder.shard(*shard), replace(plan, shard=shard)


def merge(folder: SweepFolder) -> MergeResult:
    """Join the shards in a folder into one sweep in that folder.

    The folder and its tables are the same, byte for byte, as without shards. Tables are written if
    no run is missing. The function may be called repeatedly, also while shards run. Recordings are
    moved.

    raises SweepError  for shards of different sweeps, of different divisions, or of different
        versions of murmurate. Nothing is joined then.
    """
    shards = [shard for shard in folder.shards() if shard.plan_path.is_file()]
    if not shards:
        raise SweepError(
            f"{folder.path}: holds no shards. Make the first of 20 by murmurate sweep ... --shard "
            f"1/20 -o {folder.path}"
        )
    plans = [shard.plan() for shard in shards]
    _check_plans(shards, plans)
    folders = [folder, *shards] if folder.plan_path.is_file() else shards
    _check_versions(folders)
    plan, parts = replace(plans[0], shard=ALL_RUNS), plans[0].shard[1]
    folder.begin(plan)
    done = folder.done()
    for shard in shards:
        for record in shard.records():
            if record["index"] not in done:
                _move_recording(record.get("recording"), shard, folder)
                folder.store(record)
                done.add(record["index"])
    failed = set()
    for failure in (failure for source in folders for failure in source.failures()):
        if failure["index"] not in done:
            folder.store_failure(failure)
            failed.add(failure["index"])
    missing: dict[int, list[int]] = {}
    for index in plan.indices():
        if index not in done and index not in failed:
            missing.setdefault(index % parts + 1, []).append(index)
    if not missing:
        write_tables(plan, folder)
    return MergeResult(plan, missing, {plan.shard[0] for plan in plans})


def _check_plans(shards: list[SweepFolder], plans: list[SweepPlan]) -> None:
    """Raise SweepError for shards of different sweeps."""
    first = plans[0]
    for shard, plan in zip(shards, plans, strict=True):
        if plan.shard[1] != first.shard[1]:
            raise SweepError(
                f"{shards[0].path} is one of {first.shard[1]} shards, and {shard.path} one of "
                f"{plan.shard[1]}; expected one division. Remove the folders of the other"
            )
        names = (field.name for field in fields(plan) if field.name != "shard")
        other = [name for name in names if getattr(plan, name) != getattr(first, name)]
        if other:
            raise SweepError(
                f"{shards[0].path} and {shard.path} are shards of different sweeps: they differ in "
                f"{', '.join(other)}. Remove the wrong one, and run that shard again"
            )


def _check_versions(folders: list[SweepFolder]) -> None:
    """Raise SweepError for runs of different versions, whose numbers may differ."""
    versions: dict[str, SweepFolder] = {}
    for folder in folders:
        for record in folder.records():
            versions.setdefault(record.get("murmurate", "of unknown version"), folder)
    if len(versions) > 1:
        names = ", ".join(f"murmurate {name} ({at.path})" for name, at in versions.items())
        raise SweepError(
            f"shards: got runs of different versions, whose numbers may differ: {names}. Run all "
            "shards with one version"
        )


def _move_recording(name: str | None, shard: SweepFolder, folder: SweepFolder) -> None:
    """Move the recording of a run to the folder of the whole sweep."""
    if name is not None and not (folder.path / name).exists():
        (folder.path / name).parent.mkdir(exist_ok=True)
        (shard.path / name).rename(folder.path / name)

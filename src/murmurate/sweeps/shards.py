"""Shards: a sweep cut into parts that any machines fly, each in a folder of its own, and joined.

A shard is a sweep of fewer runs: part 3 of 20 has runs 2, 22, 42, ... of the whole, counted from 0,
so that slow settings are spread over all shards. Numbers and seeds of runs are those of the whole.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace

from murmurate.errors import SweepError
from murmurate.sweeps.store import Folder
from murmurate.sweeps.sweep_plan import WHOLE, SweepPlan
from murmurate.sweeps.table import write_tables


@dataclass(frozen=True)
class Merged:
    """What came of joining shards.

    plan     the whole sweep's
    missing  part -> numbers of its runs that are in no shard yet; parts that lack none are left out
    begun    the parts whose folders are there
    """

    plan: SweepPlan
    missing: dict[int, list[int]]
    begun: set[int]


def shard_of(text: str) -> tuple[int, int]:
    """'3/20' -> (3, 20). Raises SweepError."""
    found = re.fullmatch(r"([0-9]{1,9})/([0-9]{1,9})", text)
    part, parts = map(int, found.groups()) if found else (0, 0)
    if not 1 <= part <= parts:
        raise SweepError(f"--shard {text}: it must be PART/PARTS, such as 3/20 for the third of 20")
    return part, parts


def shard_in(folder: Folder, plan: SweepPlan, shard: tuple[int, int]) -> tuple[Folder, SweepPlan]:
    """A shard's own folder and plan. Raises SweepError for a plan that is a shard already, and
    where the shards could not be joined later, since the folder holds something else."""
    if plan.shard != WHOLE:
        raise SweepError(f"{folder.path} is a shard already, {'/'.join(map(str, plan.shard))}")
    folder.check_free()
    return folder.shard(*shard), replace(plan, shard=shard)


def merge(folder: Folder) -> Merged:
    """Joins the shards in a folder into one sweep there: the folder becomes what an uncut sweep
    would have made, its tables byte for byte. They are written when no run is missing.

    It may be called as often as you like, also while shards are flown. Recordings are moved.
    Raises SweepError for shards of different sweeps, cut differently, or flown by different
    versions of murmurate: nothing is joined then.
    """
    shards = [shard for shard in folder.shards() if shard.plan_path.is_file()]
    if not shards:
        raise SweepError(f"{folder.path} holds no shards: murmurate sweep ... --shard 1/20 -o "
                         f"{folder.path} makes the first of 20")  # fmt: skip
    plans = [shard.plan() for shard in shards]
    _check_plans(shards, plans)
    known = [folder, *shards] if folder.plan_path.is_file() else shards
    _check_versions(known)
    whole, parts = replace(plans[0], shard=WHOLE), plans[0].shard[1]
    folder.begin(whole)
    done = folder.done()
    for shard in shards:
        for record in shard.records():
            if record["index"] not in done:
                _move_recording(record.get("recording"), shard, folder)
                folder.keep(record)
                done.add(record["index"])
    failed = set()
    for failure in (one for shard in known for one in shard.failures()):
        if failure["index"] not in done:
            folder.keep_failure(failure)
            failed.add(failure["index"])
    missing: dict[int, list[int]] = {}
    for index in whole.indices():
        if index not in done and index not in failed:
            missing.setdefault(index % parts + 1, []).append(index)
    if not missing:
        write_tables(whole, folder)
    return Merged(whole, missing, {plan.shard[0] for plan in plans})


def _check_plans(shards: list[Folder], plans: list[SweepPlan]) -> None:
    """Raises SweepError for shards that are not of one sweep."""
    first = plans[0]
    for shard, plan in zip(shards, plans, strict=True):
        if plan.shard[1] != first.shard[1]:
            raise SweepError(
                f"{shards[0].path} is one of {first.shard[1]} shards, and {shard.path} one of "
                f"{plan.shard[1]}: remove the folders of one kind"
            )
        names = (field.name for field in fields(plan) if field.name != "shard")
        other = [name for name in names if getattr(plan, name) != getattr(first, name)]
        if other:
            raise SweepError(
                f"{shards[0].path} and {shard.path} are shards of different sweeps: they differ in "
                f"{', '.join(other)}. Remove the one that is wrong, and fly that shard again"
            )


def _check_versions(folders: list[Folder]) -> None:
    """Raises SweepError for runs that different versions flew: their numbers may differ."""
    seen: dict[str, Folder] = {}
    for folder in folders:
        for record in folder.records():
            seen.setdefault(record.get("murmurate", "of unknown version"), folder)
    if len(seen) > 1:
        found = ", ".join(f"murmurate {version} ({at.path})" for version, at in seen.items())
        raise SweepError(
            f"runs were flown by different versions, whose numbers may differ: {found}. Fly all "
            "shards with one"
        )


def _move_recording(name: str | None, shard: Folder, folder: Folder) -> None:
    """A run's recording, to where the whole sweep has it."""
    if name is not None and not (folder.path / name).exists():
        (folder.path / name).parent.mkdir(exist_ok=True)
        (shard.path / name).rename(folder.path / name)

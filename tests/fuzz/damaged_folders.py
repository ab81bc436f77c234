"""Cases: recordings, sweeps and fits whose files were changed, lost or exchanged, and then used."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from random import Random
from typing import Any

import valid_files
from guard import Guard
from mutations import changed_bytes, changed_text, changed_value

import murmurate as mm
from murmurate.record import journal

RECORDINGS = ("exact.zarr", "rounded.zarr", "hunt.zarr", "plain.zarr")
FOLDERS = ("done-sweep", "cut-sweep", "done-fit")
ENDINGS = (".nc", ".csv", ".xyz", ".gsd", ".vtkhdf", ".usda", ".npy", ".npz", ".parquet")


def prepare(folder: Path) -> None:
    valid_files.write_recordings(folder)
    valid_files.write_folders(folder)


def case(dice: Random, valid: Path, guard: Guard) -> None:
    """One recording or folder, damaged; then two commands."""
    name = dice.choice([*RECORDINGS, *RECORDINGS, *FOLDERS])
    valid_files.copied(valid, guard.folder, [name])
    for _ in range(dice.choice([1, 1, 2, 4])):
        damage(dice, guard.folder / name, guard)
    for words in dice.sample(uses(dice, name), 2):
        guard.command(*words)
    if name in RECORDINGS and guard.command("info", name, "--check") == 0:
        mm.open(guard.folder / name).to_xarray().load()  # what is found whole, Zarr can read


def uses(dice: Random, name: str) -> list[list[str]]:
    """Commands that read it."""
    if name.endswith("-fit"):
        return [["fit", name], ["fit", name, "--json"]]
    if name.endswith("-sweep"):
        return [
            ["sweep", name, "--quiet"], ["sweep", name, "--json"], ["sweep", name, "--merge"],
            ["plot", name, "polarization", "-o", "a.png"],
        ]  # fmt: skip
    return [
        ["info", name], ["info", name, "--check", "--json"], ["show", name, "--cite"],
        ["export", name, f"a{dice.choice(ENDINGS)}"], ["export", name, f"b{dice.choice(ENDINGS)}"],
        ["resume", name, "--threads", "1"], ["resume", name, "--steps", "8"],
        ["resume", name, "-o", "b.zarr", "--steps", "8", "--threads", "1"],
        ["resume", name, "-o", "b.zarr", "--at", "2", "--set", "dt=0.5"],
        ["still", name, "--at", "2", "-o", "a.png", "--size", "64x64"],
        ["page", name, "-o", "a.html"], ["measure", name, "polarization", "speed"],
        ["film", name, "-o", "a.gif", "--size", "64x64"],
        ["watch", name, "--no-open", "--port", "0"],
    ]  # fmt: skip


def damage(dice: Random, folder: Path, guard: Guard) -> None:
    """One file, or folder, of it is no longer what it was."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if not files:
        return
    texts = [path for path in files if path.suffix in (".json", ".toml") or path.name == "log"]
    path = dice.choice(texts if texts and dice.random() < 0.6 else files)
    if dice.random() < 0.2 and value_of_root(folder) is not None:
        damage_header(dice, folder, guard)
        return
    data, way = path.read_bytes(), dice.randrange(14)
    guard.did(f"damage {way} of {path.relative_to(folder.parent)}")
    if way == 0:
        path.unlink()
    elif way == 1:
        path.unlink()
        path.mkdir()
    elif way == 2:
        shutil.copy(dice.choice(files), path.with_name("copy-of-another"))
    elif way == 3:
        path.write_bytes(dice.choice(files).read_bytes())
    elif way == 4 and path.parent != folder:
        shutil.rmtree(path.parent)
    elif way < 9 and (value := value_of(data)) is not None:
        path.write_text(json.dumps(changed_value(dice, value)))
    elif way < 10 and path in texts:
        text = changed_text(dice, data.decode(errors="replace"))
        path.write_bytes(text.encode(errors="replace"))
    elif way < 12 or not data:
        path.write_bytes(changed_bytes(dice, data))
    else:  # a byte of what stands at a file's end: an index, a checksum
        k = max(0, len(data) - dice.randint(1, 60))
        path.write_bytes(data[:k] + bytes([data[k] ^ 1 << dice.randrange(8)]) + data[k + 1 :])


def value_of(data: bytes) -> Any:
    """What a JSON text says; None for any other."""
    try:
        return json.loads(data)
    except ValueError:
        return None


def value_of_root(folder: Path) -> Any:
    """The root's zarr.json of a recording, None where it is lost or damaged."""
    try:
        root = value_of((folder / "zarr.json").read_bytes())
        settings = json.loads(root["attributes"]["settings"])
        return root if isinstance(settings, dict) and journal.read(folder)[0] else None
    except (OSError, KeyError, TypeError, ValueError):
        return None


def damage_header(dice: Random, folder: Path, guard: Guard) -> None:
    """The header says something else, with every checksum right."""
    if dice.random() < 0.5:
        lines = journal.read(folder)
        header = changed_value(dice, lines[0])
        data = b"".join(journal.line(entry) for entry in (header, *lines[1]))
        guard.did(f"header of {folder.name}: {header}")
        (folder / journal.LOG).write_bytes(data)
        return
    root = value_of_root(folder)
    (folder / journal.LOG).unlink()
    settings = changed_value(dice, json.loads(root["attributes"]["settings"]))
    root["attributes"]["settings"] = json.dumps(settings)
    guard.did(f"settings of {folder.name}: {settings}")
    (folder / "zarr.json").write_text(json.dumps(root))

"""Cases: any command with any of its options, of values that are right, odd or of another kind."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import valid_files
from guard import Guard
from mutations import ODD_NUMBERS, ODD_WORDS

from murmurate.cli.app import COMMANDS, arguments_of, make_app

MODELS = ["tiny.toml", "tiny.toml", "hunt.toml"]
RECORDINGS = ["plain.zarr", "hunt.zarr", "rounded.zarr"]
TRACKS = ["fish.npy", "fish.csv"]
FOLDERS = ["cut-sweep", "done-sweep", "done-fit"]
NAMES = [*MODELS, *RECORDINGS, *TRACKS, *FOLDERS, "rules.py"]
ODD_PATHS = ["missing.toml", "missing.zarr", "empty", "empty.toml", "words.toml", "noise.npy"]
ODD_PATHS += ["empty.zarr", "tiny.toml/", "./tiny.toml", "missing/a.mp4", "tiny.toml/a.mp4", "tiny"]
RIGHT = {  # of arguments, and of --output by the command
    "MODEL": MODELS,
    "MODELS": ["hunt.toml"],
    "WHAT": [*MODELS, *RECORDINGS, *TRACKS],
    "TARGET": [*MODELS, *RECORDINGS, *TRACKS],
    "RECORDING": RECORDINGS,
    "FOLDER": FOLDERS,
    "FILE": ["made.toml"],
    "OUTPUT": [f"made{ending}" for ending in (
        ".nc", ".csv", ".parquet", ".xyz", ".gsd", ".vtkhdf", ".usda", ".usdz", ".npy", ".npz")],
    "--plot": ["made.svg", "made.png"],
    "--rules": ["rules.py"],
    "film": ["made.gif", "made.mp4", "made.webm", "made_%02d.png", "made/"],
    "still": ["made.png"], "page": ["made.html"], "run": ["made.zarr"], "resume": ["made.zarr"],
    "sweep": ["made"], "fit": ["made"], "sensitivity": ["made"], "compare-models": ["made"],
    "measure": ["made.json", "made.csv"], "plot": ["made.png"],
    "verify": ["made.png"],
}  # fmt: skip
WORDS = {
    "--rule": ["swirl", "swirl-left", "cohesion"],
    "--motion": ["drift", "add"],
    "--engine": ["reference"],
    "--set": ["rules.cohesion.weight=0.2", "dt=0.1", "view.steps=2", "flocks.boids.count=3"],
    "--vary": [
        "rules.cohesion.weight=0:1:0.5",
        "dt=0.1,0.2",
        "rules.cohesion.weight=0:1",
        "dt=1:2",
    ],
    "--measures": ["polarization", "speed,milling", "polarization@boids"],
    "--check": ["speed", "milling"],
    "--flock": ["boids", "prey"],
    "--predators": ["hunters"],
    "--layout": ["long", "trackpy", "movement", "native", "cf"],
    "--shard": ["1/2", "2/2", "0/2", "3/2", "1/0", "١/2"],
    "--option": ["collisions.radius=0.5", "clusters.radius=1"],
    "--size": ["64x64", "100x80", "10x10", "99999x99999", "x"],
    "--style": ["dark", "light", "dusk"],
    "--colour-by": ["flock", "heading", "speed"],
    "--method": ["grid", "list", "latin-hypercube", "sobol"],
    "--kind": ["auto", "lines", "map"],
    "--dtype": ["float32", "float64"],
    "--on": ["processes"],
    "--only": ["nothing"],
    "--begin": ["0", "99", "-1"],
    "--host": ["127.0.0.1", "localhost", "256.1.1.1"],
    "MEASURE": ["polarization", "speed"],
    "MEASURES": ["polarization", "speed", "nearest_distance,milling"],
}
NEEDED = {  # of options that are not given: so that no case takes long
    "sweep": ["--steps", "4"],
    "fit": ["--runs", "8", "--steps", "20", "--warm-up", "10"],
    "sensitivity": ["--runs", "40", "--steps", "20", "--warm-up", "10"],
    "compare-models": ["--runs", "5"],
    "doctor": ["--no-test", "--only", "nothing"],
    "tour": ["--begin", "99"],
    "page": ["--steps", "2"],
}
HEAVIEST = (
    "run",
    "run",
    "film",
    "still",
    "page",
    "measure",
    "measure",
    "export",
    "resume",
    "resume",
)
SMALL = ["1", "2", "3", "4", "5", "12", "1e0", "0"]
HUGE = ["1e17", "9007199254740993", "18446744073709551616", "1e99", "-1e99", "1" * 50]
ENDLESS = ("--steps", "--at", "--samples", "--seeds", "--warm-up", "--boids")
ENDLESS += ("--runs", "--predictions")


def prepare(folder: Path) -> None:
    """The files that command lines name."""
    valid_files.write_recordings(folder)
    valid_files.write_tracks(folder)
    valid_files.write_folders(folder)
    for name in ("empty.toml", "words.toml", "noise.npy"):
        data = {"e": b"", "w": "not a ‮ model".encode(), "n": bytes(range(256))}[name[0]]
        (folder / name).write_bytes(data)
    (folder / "rules.py").write_text("x = 1\n")
    for name in ("empty", "empty.zarr"):
        (folder / name).mkdir()


def case(dice: Random, valid: Path, guard: Guard) -> None:
    """One command line, over a copy of all files."""
    words = command_line(dice)
    named = [name for name in {*NAMES, "noise.npy"} if any(name in word for word in words)]
    copies = {*named, "tiny.toml", "empty", "empty.zarr", "words.toml"}
    valid_files.copied(valid, guard.folder, sorted(copies))
    guard.command(*words)


def command_line(dice: Random) -> list[str]:
    """A command, what it is about, and some of its options."""
    name = dice.choice([*COMMANDS, *HEAVIEST])
    positional, options = parameters(name)
    words = [name]
    for one in positional:
        if dice.random() < 0.96 or name in ("verify", "watch"):
            words.append(value(dice, name, one, "path" if one not in WORDS else "word"))
    for option, kind in dice.sample(options, min(len(options), dice.choice([0, 1, 1, 2, 3, 5]))):
        words.append(option)
        if kind != "bool" and dice.random() < 0.98:
            words.append(value(dice, name, option, kind))
    if dice.random() < 0.1:
        words = disturbed(dice, words)
    needed = NEEDED.get(name, []) + (["--steps", "20"] if models_only(words) else [])
    for k in range(0, len(needed), 2):
        if needed[k] not in words:
            words += needed[k : k + 2]
    return words


def models_only(words: list[str]) -> bool:
    """Whether a model is measured, which is flown for 1000 steps unless it is said."""
    return words[:1] == ["measure"] and any(".toml" in word for word in words)


def value(dice: Random, command: str, name: str, kind: str) -> str:
    """A value for an option or an argument: mostly one that may be right."""
    chance = dice.random()
    if chance < 0.04:
        odd = [*ODD_WORDS, "", "\udcff", *(ODD_NUMBERS if name not in ENDLESS else HUGE)]
        return dice.choice(odd)
    if right := RIGHT.get(command if name == "--output" else name):
        every = [path for paths in RIGHT.values() for path in paths]
        return dice.choice(right if chance < 0.88 else [*every, *ODD_PATHS])
    if name in WORDS:
        return dice.choice(WORDS[name])
    if kind == "path":
        return dice.choice([*NAMES, *ODD_PATHS])
    if kind == "float":
        return dice.choice([*SMALL, "0.5", "25", "1e-4", "10", dice.choice(ODD_NUMBERS)])
    return dice.choice([*SMALL, *SMALL, dice.choice(HUGE if name in ENDLESS else ODD_NUMBERS)])


def disturbed(dice: Random, words: list[str]) -> list[str]:
    """The words with one doubled, swapped, lost or changed."""
    found, k = list(words), dice.randrange(1, max(2, len(words)))
    way = dice.randrange(4)
    if way == 0:
        found[k:k] = [dice.choice(words)]
    elif way == 1 and words[0] not in ("verify", "doctor"):
        del found[k:]
    elif way == 2:
        found[k:k] = [
            dice.choice([*ODD_WORDS, "--nothing", "-x", "--help", "-v", "-vv", "--version"])
        ]
    else:
        dice.shuffle(found)
    return found if found and found[0] not in ("verify", "doctor") else words


@cache
def parameters(name: str) -> tuple[list[str], list[tuple[str, str]]]:
    """The arguments of a command, and its options with their kinds, as the program has them."""
    positional, options = [], []
    for one in arguments_of(make_app(list_commands=False), name):
        if not one.parse or one.names == ("*",):
            continue
        option = one.names[0]
        if not option.startswith("-"):
            positional.append(option)
            continue
        kinds = ("bool", "int", "float", "Path")
        kind = next((word for word in kinds if word in str(one.hint)), "word")
        options.append((option, "path" if kind == "Path" else kind))
    return positional, options

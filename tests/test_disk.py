"""Files on disk: what is no file is not opened, and what is written is complete or not there."""

from __future__ import annotations

import ast
import errno
import os
import re
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import murmurate as mm
from murmurate import disk
from murmurate.cli import main
from processes import ran_well, started, until
from tiny_model import TINY

HOME = Path(mm.__file__).parent
POSIX = pytest.mark.skipif(os.name == "nt", reason="Windows has no named pipes in folders")
OTHERS: dict[str, Callable[[Path], object]] = {
    "a named pipe": lambda path: os.mkfifo(path),
    "a folder": lambda path: path.mkdir(),
    "a device": lambda path: path.symlink_to("/dev/zero"),
    "a socket": lambda path: bind(path.name),
}


def bind(name: str) -> None:
    """Leave a socket of that name; the path of a socket must be short."""
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(name)


@POSIX
@pytest.mark.parametrize("kind", OTHERS)
def test_what_is_no_file_is_not_opened(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "it"
    OTHERS[kind](path)
    for read in (disk.regular, disk.open_regular, disk.read_bytes, disk.read_text):
        with pytest.raises(disk.NotAFile, match=f"got {kind}; expected a file"):
            read(path)
    assert kind in disk.not_a_file(path)


def test_files_and_links_to_files_are(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("é")
    assert disk.read_text(tmp_path / "a") == "é" and disk.not_a_file(tmp_path / "a") == ""
    with pytest.raises(FileNotFoundError):
        disk.read_bytes(tmp_path / "b")
    assert disk.not_a_file(tmp_path / "b") == ""
    if os.name != "nt":
        (tmp_path / "link").symlink_to(tmp_path / "a")
        assert disk.regular(tmp_path / "link") == tmp_path / "link"


PIPES = """
import os, shutil, sys
from pathlib import Path
import numpy as np
from murmurate.cli import main
from murmurate.tracks.formats import ENDINGS
import murmurate as mm

Path("tiny.toml").write_text({tiny!r})
wrong = []

def run(*words):
    code = main([*words])
    if code not in (1, 2):
        wrong.append((code, words))

def pipe(path):
    path = Path(path)
    path.unlink(missing_ok=True)
    os.mkfifo(path)

for ending in ENDINGS:
    pipe("a" + ending)
    run("info", "a" + ending)
    run("measure", "a" + ending, "polarization")
for name in ("mine.toml", "mine.py"):
    pipe(name)
for command in ("show", "run", "film", "page", "still", "verify", "measure", "watch"):
    run(command, "mine.toml")
run("run", "tiny.toml", "--rules", "mine.py")
run("diff", "tiny.toml", "mine.toml")
run("new", "p5", "mine.toml")
run("new", "p5", "mine.toml", "--force")
os.mkdir("beside")
pipe("beside/murmurate.schema.json")
main(["new", "p5", "beside/x.toml"])
for out, words in {{
    "o.gif": ["film", "tiny.toml", "--engine", "reference"],
    "o.png": ["still", "tiny.toml", "--engine", "reference"],
    "o.html": ["page", "tiny.toml", "--engine", "reference"],
    "o.csv": ["measure", "tiny.toml", "polarization", "--steps", "20", "--engine", "reference"],
}}.items():
    pipe(out)
    run(*words, "-o", out)
    run(*words, "-o", out, "--force")
    assert not Path(out).is_file()
assert main(["run", "tiny.toml", "-o", "r.zarr", "--steps", "4", "--engine", "reference"]) == 0
pipe("o.npz")
run("export", "r.zarr", "o.npz", "--force")
files = sorted(p.relative_to("r.zarr") for p in Path("r.zarr").rglob("*") if p.is_file())
for file in files:
    shutil.copytree("r.zarr", "copy.zarr")
    pipe(Path("copy.zarr") / file)
    for words in (["info", "copy.zarr", "--check"], ["measure", "copy.zarr", "polarization"],
                  ["resume", "copy.zarr", "--steps", "6"]):
        if main(words) not in (0, 1, 2):
            wrong.append(words)
    shutil.rmtree("copy.zarr")
for name in ("sweep.toml", "fit.toml"):
    os.mkdir(name[:3])
    pipe(name[:3] + "/" + name)
    run(name[:-5], name[:3])
    run("plot", name[:3])
print("wrong:", wrong)
"""


@POSIX
@pytest.mark.slow
def test_no_command_waits_for_a_pipe(tmp_path: Path) -> None:
    """A command that opened one would wait forever: the limit of the child ends it then."""
    code = PIPES.format(tiny=TINY)
    assert ran_well(sys.executable, "-c", code, cwd=tmp_path).strip().endswith("wrong: []")


# What opens files that are no user's, or checks by itself.
MAY_OPEN = {
    "disk.py",
    "model/files.py",  # the zoo, a resource of the package
    "classroom/task.py",  # tasks, which are resources too
    "public_names.py",  # the stub of a package
    "doctor/self_test.py",
    "live_view/server.py",
    "show/html_file.py",
    "show/languages.py",
    "show/landscape.py",  # a resource of the package
    "codegen/module_text.py",
    "codegen/cache_folder.py",  # /proc
    "codegen/code_digest.py",  # files of the package
    "engines/cpu/model_kernels.py",  # a module of the cache
    "engines/memory.py",  # /proc
    "tracks/files.py",  # /proc
    "bench/timing.py",  # /proc
    "cli/__init__.py",  # os.devnull
    "cli/error_output.py",  # os.devnull
    "record/durable_files.py",  # a lock file, which is no link and is made by open
    "exports/usd.py",  # its own draft
    "rules/policy_file.py",  # bytes of a file that is read by disk.py
}
READS = {"read_bytes", "read_text", "fromfile", "memmap", "genfromtxt", "loadtxt"}
OPENERS = {"File", "ZipFile", "ParquetFile", "read_metadata", "read_schema", "iterparse"}
OPENERS |= {"open_dataset"}


def test_all_files_from_outside_are_opened_by_one_function() -> None:
    """A call that reads a file, of a path that `regular` has not let through."""
    wrong = []
    words = re.compile(rf"\b(open|load|{'|'.join(READS | OPENERS)})\(")
    for path in HOME.rglob("*.py"):
        name, source = path.relative_to(HOME).as_posix(), path.read_text(encoding="utf-8")
        if name in MAY_OPEN or not words.search(source):
            continue
        for node in ast.walk(ast.parse(source)):
            if not isinstance(node, ast.Call):
                continue
            text, called = ast.unparse(node), ast.unparse(node.func)
            last = called.rpartition(".")[2]
            opens = called == "open" and not re.search(r"'[wax]b?'", text)
            reads = "." in called and (last in READS or called == "np.load")
            library = last in OPENERS and not re.search(r"'w'", text) and "disk" not in text
            if (opens or reads or library) and "regular(" not in text:
                wrong.append(f"{name}:{node.lineno}: {text[:60]}")
    assert not wrong, "\n".join(wrong)


# --- drafts


def test_a_file_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.txt"
    disk.write_file(path, "old\n")
    for step in ("fsync", "replace"):
        with monkeypatch.context() as patched:
            patched.setattr(f"murmurate.disk.os.{step}", full)
            with pytest.raises(OSError, match="No space"):
                disk.write_file(path, "new and longer\n")
        assert path.read_bytes() == b"old\n" and os.listdir(tmp_path) == ["a.txt"]


def full(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("links", [True, False], ids=["hard links", "no hard links"])
def test_a_new_file_replaces_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    if not links:
        monkeypatch.setattr("murmurate.disk.os.link", full)
    disk.write_file(tmp_path / "a", b"1", new=True)
    with pytest.raises(FileExistsError):
        disk.write_file(tmp_path / "a", b"2", new=True)
    assert (tmp_path / "a").read_bytes() == b"1" and os.listdir(tmp_path) == ["a"]


def draft_of(target: Path, process: int, host: str = "") -> Path:
    """A draft as another process would leave it."""
    name = disk.draft_path(target).name.replace(f"-{os.getpid()}-", f"-{process}-")
    made = target.with_name(name.replace(disk._host(), host or disk._host()))
    made.write_text("half")
    return made


def ended_process() -> int:
    """The number of a process that has ended."""
    return int(ran_well(sys.executable, "-c", "import os; print(os.getpid())"))


def test_drafts_of_processes_that_have_ended_are_removed(tmp_path: Path) -> None:
    target, ended = tmp_path / "a.mp4", ended_process()
    stale = [draft_of(target, ended), draft_of(target, 2**40)]
    with started(sys.executable, "-c", "input()", stdin=-1) as child:
        kept = {
            draft_of(target, child.pid),
            draft_of(target, os.getpid()),
            draft_of(target, ended, host="0" * 8),  # of another machine, or container
            draft_of(tmp_path / "b.mp4", ended),
        }
        (tmp_path / ".a.mp4.part").write_text("the user's own")
        disk.write_file(target, b"film")
        assert not any(path.exists() for path in stale)
        assert all(path.exists() for path in kept) and (tmp_path / ".a.mp4.part").exists()


@pytest.mark.slow
def test_a_killed_film_leaves_nothing_after_the_next(tmp_path: Path) -> None:
    """The draft of a film that was killed in its middle."""
    (tmp_path / "tiny.toml").write_text(TINY)
    words = ("film", "tiny.toml", "--engine", "reference", "-o", "a.mp4", "--force", "--steps")
    command = (sys.executable, "-m", "murmurate", *words)
    with started(*command, "1000000", cwd=tmp_path, stdin=-3) as child:
        until(lambda: list(tmp_path.glob(".a.mp4.*.part.mp4")), child)
        child.kill()
        child.wait()
    assert list(tmp_path.glob(".a.mp4.*.part.mp4"))
    ran_well(*command, "4", cwd=tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.mp4", "tiny.toml"]


def test_a_killed_recording_leaves_nothing_after_the_next(tmp_path: Path) -> None:
    from murmurate.record.writer import remove_drafts

    left = [
        tmp_path / disk.draft_name("a.zarr").replace(f"-{os.getpid()}-", f"-{ended_process()}-"),
        tmp_path / ".a.zarr.0123abcd.part",  # by a version that does not say who wrote it
    ]
    left.append(left[0].with_name(left[0].name + ".old"))
    kept = [tmp_path / disk.draft_name("a.zarr"), tmp_path / ".b.zarr.0123abcd.part"]
    for folder in (*left, *kept):
        (folder / "journal").mkdir(parents=True)
    mm.run(mm.parse(TINY), 2, output=tmp_path / "a.zarr", options=mm.RunOptions(engine="reference"))
    assert not any(path.exists() for path in left) and all(path.exists() for path in kept)
    remove_drafts(tmp_path)
    assert kept[0].exists() and not kept[1].exists()


def test_a_name_as_long_as_a_name_may_be(tmp_path: Path) -> None:
    path = tmp_path / f"{'é' * 120}.toml"
    stale = draft_of(path, ended_process())
    disk.write_file(path, b"x")
    assert path.read_bytes() == b"x" and not stale.exists()


def test_living_processes_are_known() -> None:
    assert disk.is_alive(os.getpid()) and not disk.is_alive(ended_process())
    assert not disk.is_alive(2**70)
    with started(sys.executable, "-c", "input()", stdin=-1) as child:
        assert disk.is_alive(child.pid)


# --- new files


def test_a_full_disk_leaves_no_half_schema(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("murmurate.disk.os.fsync", full)
    assert main(["new", "p5", "a.toml"]) == 1
    said = capsys.readouterr().err
    assert "a.toml" in said and "No space left" in said and "Traceback" not in said
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS, errno.EPERM])
def test_where_nothing_can_be_written_the_input_is_bad(
    number: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def refused(path: object, *_: object, **__: object) -> None:
        raise OSError(number, os.strerror(number), str(path))

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("murmurate.disk.open", refused, raising=False)
    assert main(["new", "p5", "a.toml"]) == 2
    assert main(["new", "--rule", "swirl", "-o", "swirl.py"]) == 2
    said = capsys.readouterr().err
    assert os.strerror(number) in said and "Traceback" not in said


AS_NOBODY = """
import os, sys
os.environ["HOME"] = os.environ["MURMURATE_CACHE"] = {cache!r}
os.chdir({folder!r})
from murmurate.cli import main
commands = {commands!r}
# what nobody cannot read is imported before
for words in commands:
    assert main([word.replace("ro/", "rw/") for word in words]) == 0
assert main(["run", "nothing"]) == 2
os.setgid(65534); os.setuid(65534)
for words in commands:
    print(*words, file=sys.stderr)
    assert main(words) == 2
"""
COMMANDS = [
    ["new", "p5", "ro/a.toml"],
    ["new", "--rule", "swirl", "-o", "ro/swirl.py"],
    ["still", "p5", "--size", "64x64", "--engine", "reference", "-o", "ro/a.png"],
    ["run", "p5", "--steps", "2", "--engine", "reference", "-o", "ro/a.zarr"],
    ["measure", "p5", "speed", "--steps", "20", "--engine", "reference", "-o", "ro/a.csv"],
    ["sweep", "p5", "--vary", "dt=1", "--steps", "20", "--engine", "reference", "-o", "ro/s"],
]


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt" or bool(os.geteuid()), reason="only root can be somebody else")
def test_a_folder_that_can_only_be_read(tmp_path: Path) -> None:
    for name in ("ro", "rw", "cache"):
        (tmp_path / name).mkdir(mode=0o755)
    for above in (tmp_path, *tmp_path.parents[:3]):
        if above != Path("/"):
            above.chmod(above.stat().st_mode | 0o055)
    cache, folder = str(tmp_path / "cache"), str(tmp_path)
    code = AS_NOBODY.format(cache=cache, folder=folder, commands=COMMANDS)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    said = done.stderr[done.stderr.index(" ".join(COMMANDS[0])) :]
    assert said.count("murmurate: error: ") == len(COMMANDS), said


CACHE_REFUSES = """
import errno, os, sys
from murmurate.cli import main
from murmurate.codegen import cache_folder

def refused(*_, **__):
    raise OSError(errno.EROFS, os.strerror(errno.EROFS))

cache_folder.write_file = refused
sys.exit(main({words!r}))
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "words", [["page", "p5", "--live", "-o", "a.html"], ["run", "p5", "--steps", "2"]]
)
def test_a_cache_that_can_only_be_read(words: list[str], tmp_path: Path) -> None:
    """Its folder is there and may be entered, and nothing can be put into it. A process of its own,
    since one that has run the model before has its kernels in memory."""
    done = subprocess.run(
        [sys.executable, "-c", CACHE_REFUSES.format(words=words)],
        env=os.environ | {"MURMURATE_CACHE": str(tmp_path / "cache")},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 2, done.stderr
    assert "MURMURATE_CACHE" in done.stderr and "Traceback" not in done.stderr

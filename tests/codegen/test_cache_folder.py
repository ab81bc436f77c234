"""Kernels are code: they are run from no folder that somebody else may write."""

from __future__ import annotations

import json
import marshal
import os
import pickle
import random
import sys
import tempfile
from pathlib import Path

import pytest
from jinja2.bccache import bc_magic

from murmurate.codegen import cache_folder as module
from murmurate.codegen.cache_folder import cache_folder
from processes import ran, ran_well

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="folders have no such modes")


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where temporary folders are made, in place of /tmp."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def chosen(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that is used where this one is asked for; a warning would be an error."""
    monkeypatch.setenv("MURMURATE_CACHE", str(folder))
    return cache_folder()


def refused(folder: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Why it is not used; it must be said once, and a private folder used for the time being."""
    with pytest.warns(RuntimeWarning) as warnings:
        private = chosen(folder, monkeypatch)
    assert private.parent == temporary and mode(private) == 0o700
    assert cache_folder() == private
    assert cache_folder("figures").parent == private
    module.remove_private_folders()
    assert not private.exists()
    (message,) = [str(warning.message) for warning in warnings]
    assert message.startswith(f"{folder}: ")
    return message


def mode(folder: Path) -> int:
    return folder.stat().st_mode & 0o777


def test_a_new_folder_is_the_user_s_alone(tmp_path, monkeypatch) -> None:
    before = os.umask(0)
    try:
        folder = chosen(tmp_path / "above" / "kernels", monkeypatch)
    finally:
        os.umask(before)
    assert folder == tmp_path / "above" / "kernels"
    assert [mode(path) for path in (folder, folder.parent)] == [0o700] * 2


def test_a_folder_that_others_may_read_is_fine(tmp_path, monkeypatch) -> None:
    folder = tmp_path / "kernels"
    folder.mkdir()
    folder.chmod(0o755)
    assert chosen(folder, monkeypatch) == folder and mode(folder) == 0o755


@pytest.mark.parametrize(
    "which, bits",
    [("kernels", 0o777), ("kernels", 0o775), (".", 0o777)],
)
def test_a_folder_that_others_may_write_is_not_used(
    which, bits, tmp_path, temporary, monkeypatch
) -> None:
    home = tmp_path / "home"
    (home / "kernels").mkdir(parents=True)
    open_one = home / which
    open_one.chmod(bits)
    message = refused(home / "kernels", temporary, monkeypatch)
    assert "others may write in" in message and f"chmod go-w {open_one}" in message


def test_what_others_may_rename_in_a_sticky_folder_is_fine(tmp_path, monkeypatch) -> None:
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    assert chosen(shared / "kernels", monkeypatch) == shared / "kernels"


def test_links_and_files_are_not_followed(tmp_path, temporary, monkeypatch) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    link, file = tmp_path / "link", tmp_path / "file"
    link.symlink_to(elsewhere)
    file.write_text("")
    assert "link is a link" in refused(link, temporary, monkeypatch)
    assert "file is not a folder" in refused(file, temporary, monkeypatch)
    assert not any(elsewhere.iterdir())


def test_another_user_s_folder_is_not_used(tmp_path, temporary, monkeypatch) -> None:
    folder = tmp_path / "kernels"
    folder.mkdir(mode=0o700)
    another = folder.stat().st_uid + 1
    monkeypatch.setattr(os, "geteuid", lambda: another)
    with pytest.warns(RuntimeWarning, match="kernels belongs to another user"):
        assert chosen(folder, monkeypatch).parent == temporary
    module.remove_private_folders()


@pytest.mark.parametrize(
    ("users", "trusted"),
    [
        ("0 0 4294967295\n", False),  # of no container: 65534 is 'nobody', a user
        ("0 1000 1\n", True),
        ("0 1000 1\n1 100000 65000\n", True),
        ("0 1000 1\n1 100000 65536\n", False),
        ("", True),
        ("what\n", False),
        (None, False),
    ],
)
def test_nobody_is_trusted_in_containers_only(users, trusted, tmp_path, monkeypatch) -> None:
    """There it is the number of whoever owns what is outside, such as the folders above."""
    monkeypatch.setattr(module, "UID_MAP", tmp_path / "uid_map")
    monkeypatch.setattr(module, "OVERFLOW", tmp_path / "overflowuid")
    (tmp_path / "overflowuid").write_text("65534\n")
    if users is not None:
        (tmp_path / "uid_map").write_text(users)
    above = tmp_path / "above"
    (above / "kernels").mkdir(parents=True, mode=0o755)
    real = Path.lstat, Path.stat

    def owned(way, path, **options):
        result = way(path, **options)
        if path != above:
            return result
        return os.stat_result([*result[:4], 65534, *result[5:]])

    monkeypatch.setattr(Path, "lstat", lambda path: owned(real[0], path))
    monkeypatch.setattr(Path, "stat", lambda path, **options: owned(real[1], path, **options))
    why = module._unsafe_way_to(above / "kernels")
    assert (why == "") == trusted
    assert trusted or f"others may write in {above}" in why


# --- damaged and planted files

READS = """
import sys
from murmurate.codegen.kernel_cache import KernelModule, versions
from murmurate.codegen.module_text import functions_text, header
from murmurate.codegen.templates import filled
text = header("A test", "float64") + "\\n\\n@kernel\\ndef answer(table):\\n    return 2 * table\\n"
kernel = KernelModule("test_kernel", text).kernels["answer"]
kernel.compile()
print(len(functions_text("float64")), len(filled("chunks")), versions()[-1], kernel(21))
"""
"""A program that reads and writes each kind of file in the cache."""


class Planted:
    """An object whose pickle makes a folder when it is read."""

    def __init__(self, path: Path) -> None:
        self.path = str(path)

    def __reduce__(self):
        return os.mkdir, (self.path,)


def damages(data: bytes, other: bytes, mark: Path) -> dict[str, bytes | None]:
    """Return name -> contents that a file of the cache must not have; None for a folder."""
    code = marshal.dumps(compile(f"import os; os.mkdir({str(mark)!r})", "x", "exec"))
    rng = random.Random(len(data))
    flips = [rng.randrange(len(data)) for _ in range(20)]
    cuts = (0, 1, 64, 65, len(data) // 2, len(data) - 1)
    return {
        "a folder": None,
        "another file": other,
        "longer": data + b"\0",
        "a pickle": pickle.dumps(Planted(mark)),
        "a pickle behind the digest": data[:65] + pickle.dumps(Planted(mark)),
        "bytecode": code,
        "bytecode of a template": bc_magic + pickle.dumps(Planted(mark), 2) + code,
        "Python": f"import os; os.mkdir({str(mark)!r})".encode(),
        **{f"cut {n}": data[:k] for n, k in enumerate(cuts)},
        **{
            f"bit {n}": data[:k] + bytes([data[k] ^ 16]) + data[k + 1 :]
            for n, k in enumerate(flips)
        },
    }


def damage(path: Path, data: bytes | None) -> None:
    path.unlink()
    if data is None:
        (path / "inside").mkdir(parents=True)
    else:
        path.write_bytes(data)


def test_damaged_files_are_made_again(tmp_path, monkeypatch) -> None:
    folder, mark = chosen(tmp_path / "kernels", monkeypatch), tmp_path / "mark"
    for name in ("one.o", "two.o"):
        module.cached_file(name, name.encode)
    path = folder / "one.o"
    for what, data in damages(path.read_bytes(), (folder / "two.o").read_bytes(), mark).items():
        damage(path, data)
        assert module.read_cached(path) is None, what
        assert module.cached_file(path.name, path.name.encode) == b"one.o", what
        assert module.read_cached(path) == b"one.o", what
    assert not mark.exists()


@pytest.mark.slow
def test_no_damaged_file_is_run(tmp_path: Path) -> None:
    """All files of the cache at once, and those that earlier versions and Python itself loaded."""
    folder, mark = tmp_path / "kernels", tmp_path / "mark"
    environment = {**os.environ, "MURMURATE_CACHE": str(folder)}
    expected = ran_well(sys.executable, "-c", READS, env=environment)
    sound = {path: path.read_bytes() for path in folder.iterdir()}
    assert {path.suffix for path in sound} == {".digest", ".o", ".text"} and len(sound) >= 3
    planted = damages(b"x" * 100, b"", mark)["bytecode"]
    for name in [path.stem for path in sound]:
        (folder / "__pycache__").mkdir(exist_ok=True)
        tag = sys.implementation.cache_tag
        (folder / f"{name}.py").write_text(f"import os; os.mkdir({str(mark)!r})")
        (folder / "__pycache__" / f"{name}.{tag}.pyc").write_bytes(bytes(16) + planted)
        for suffix in ("nbi", "nbc"):
            (folder / "__pycache__" / f"{name}.answer-1.py.{suffix}").write_bytes(
                pickle.dumps(Planted(mark))
            )
    kinds = ("a folder", "another file", "a pickle behind the digest", "bytecode of a template",
             "Python", "cut 4", "bit 0")  # fmt: skip
    for turn in range(3):
        for k, (path, data) in enumerate(sound.items()):
            what = kinds[(3 * turn + k) % len(kinds)]
            damage(path, damages(data, list(sound.values())[k - 1], mark)[what])
        assert ran_well(sys.executable, "-c", READS, env=environment) == expected, turn
        assert all(module.read_cached(path) is not None for path in sound), turn
        assert not mark.exists(), turn


SHARING = """
import json, multiprocessing, sys
from murmurate.codegen.cache_folder import cache_folder

def folder(_):
    return str(cache_folder())

if __name__ == "__main__":
    mine = str(cache_folder())
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        print(json.dumps([mine, *pool.map(folder, [0])]))
"""


def test_workers_share_the_temporary_folder_of_their_parent(tmp_path: Path) -> None:
    shared, program = tmp_path / "shared", tmp_path / "program.py"
    shared.mkdir()
    shared.chmod(0o777)
    program.write_text(SHARING)
    environment = {**os.environ, "MURMURATE_CACHE": str(shared)}
    done = ran(sys.executable, program, env=environment)
    mine, theirs = json.loads(done.stdout)
    assert mine == theirs and not Path(mine).exists()
    assert done.stderr.count("others may write in") == 1


@pytest.mark.slow
def test_a_command_says_so_in_a_line(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    environment = {**os.environ, "MURMURATE_CACHE": str(tmp_path / "kernels")}
    done = ran(
        sys.executable, "-m", "murmurate", "show", "vicsek-1995", "--kernel", env=environment
    )
    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"murmurate: warning: {tmp_path / 'kernels'}: others may write in")

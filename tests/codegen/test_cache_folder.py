"""Kernels are code: they are run from no folder that somebody else may write."""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path

import pytest

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
    assert [mode(path) for path in (folder, folder.parent, folder / "__pycache__")] == [0o700] * 3


def test_a_folder_that_others_may_read_is_fine(tmp_path, monkeypatch) -> None:
    folder = tmp_path / "kernels"
    (folder / "__pycache__").mkdir(parents=True)
    folder.chmod(0o755)
    assert chosen(folder, monkeypatch) == folder and mode(folder) == 0o755
    assert mode(folder / "__pycache__") == 0o700


@pytest.mark.parametrize(
    "which, bits",
    [("kernels", 0o777), ("kernels", 0o775), ("kernels/__pycache__", 0o777), (".", 0o777)],
)
def test_a_folder_that_others_may_write_is_not_used(
    which, bits, tmp_path, temporary, monkeypatch
) -> None:
    home = tmp_path / "home"
    (home / "kernels" / "__pycache__").mkdir(parents=True)
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
    link, file, inner = tmp_path / "link", tmp_path / "file", tmp_path / "inner"
    link.symlink_to(elsewhere)
    file.write_text("")
    inner.mkdir(mode=0o700)
    (inner / "__pycache__").symlink_to(elsewhere)
    assert "link is a link" in refused(link, temporary, monkeypatch)
    assert "file is not a folder" in refused(file, temporary, monkeypatch)
    assert "__pycache__ is a link" in refused(inner, temporary, monkeypatch)
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


PLANTED = """
import sys, importlib.util
from pathlib import Path
from murmurate.codegen.kernel_cache import kernel_module
sys.dont_write_bytecode = False
module = kernel_module("answer = 42\\n")
print(module.path.parent, module.path.name, module.imported().answer)
"""
PLANT = """
import importlib.util, marshal, sys
from pathlib import Path
source = Path(sys.argv[1])
source.write_text("answer = 42\\n")
cached = Path(importlib.util.cache_from_source(source))
cached.parent.mkdir(exist_ok=True)
code = compile("answer = 'planted'", "x", "exec")
flags = (1).to_bytes(4, "little")  # its source is not looked at
head = importlib.util.MAGIC_NUMBER + flags + importlib.util.source_hash(b"")
cached.write_bytes(head + marshal.dumps(code))
"""


def test_planted_bytecode_is_not_run(tmp_path: Path) -> None:
    """In the user's cache folder, or in the temporary one that was once used where it cannot be
    written, whoever it belonged to."""
    temporary = tmp_path / "temporary"
    temporary.mkdir(mode=0o1777)
    no_folder = tmp_path / "file"
    no_folder.write_text("")
    mine = {**os.environ, "MURMURATE_CACHE": str(tmp_path / "mine"), "TMPDIR": str(temporary)}
    folder, name, answer = ran_well(sys.executable, "-c", PLANTED, env=mine).split()
    assert (folder, answer) == (str(tmp_path / "mine"), "42")
    for shared in (temporary / "murmurate-kernels", tmp_path / "shared"):
        shared.mkdir()
        shared.chmod(0o777)
        ran_well(sys.executable, "-c", PLANT, shared / name)
    for bad in (no_folder, tmp_path / "shared"):
        done = ran(sys.executable, "-c", PLANTED, env={**mine, "MURMURATE_CACHE": str(bad)})
        folder, _, answer = done.stdout.split()
        assert answer == "42" and str(bad) in done.stderr
        assert Path(folder).parent == temporary and not Path(folder).exists()


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


def test_a_command_says_so_in_a_line(tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    environment = {**os.environ, "MURMURATE_CACHE": str(tmp_path / "kernels")}
    done = ran(
        sys.executable, "-m", "murmurate", "show", "vicsek-1995", "--kernel", env=environment
    )
    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"murmurate: warning: {tmp_path / 'kernels'}: others may write in")

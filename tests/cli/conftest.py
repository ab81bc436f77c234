"""The command line, run in this process."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import murmurate.rules  # so that the built-in rules are known before any test
from murmurate.cli import main
from murmurate.model.registry import RULES
from tiny_model import TINY


@dataclass(frozen=True)
class Ran:
    code: int
    out: str
    err: str

    @property
    def errors(self) -> list[str]:
        """The lines of the complaint, without their prefix."""
        return [line.removeprefix("murmurate: error: ") for line in self.err.splitlines()]


Murmurate = Callable[..., Ran]


@pytest.fixture
def murmurate(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> Murmurate:
    """Runs a command in an empty folder with tiny.toml in it. Whatever goes wrong, a user sees no
    traceback."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("os.fsync", lambda handle: None)  # which matters for power failures only
    (tmp_path / "tiny.toml").write_text(TINY)

    def run(*words: object) -> Ran:
        capsys.readouterr()
        code = main([str(word) for word in words])
        out, err = capsys.readouterr()
        assert "Traceback" not in out + err
        return Ran(code, out, err)

    return run


@pytest.fixture(scope="session")
def full_help() -> Callable[[str], str]:
    """Return a function: what `--help-all` prints for a command."""

    @cache
    def full(command: str) -> str:
        with redirect_stdout(io.StringIO()) as out:
            assert main([command, "--help-all"]) == 0
        return out.getvalue()

    return full


@pytest.fixture(autouse=True)
def _forget_rules() -> Iterator[None]:
    """Rules that a test's rule file made known are forgotten after it."""
    before = dict(RULES)
    yield
    RULES.clear()
    RULES.update(before)

"""Object code of kernels: loaded without numba, complete or made again; errors are seen."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from murmurate.codegen import kernel_cache, kernel_object
from murmurate.codegen.kernel_cache import Kernel, KernelModule
from murmurate.codegen.kernel_object import KernelCode, KernelObject, UnknownSymbol
from murmurate.codegen.module_text import header
from murmurate.errors import KernelError
from processes import ran_well

TEXT = header("A test", "float64") + "\n\n@kernel\ndef answer(table):\n    return 2 * table\n"
WRONG = (
    header("A test", "float64")
    + "\n\n@kernel\ndef wrong(table):\n    if table > 1:\n        raise ValueError\n    return 1\n"
)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("MURMURATE_CACHE", str(tmp_path))
    return tmp_path


def compiled(text: str, name: str) -> Kernel:
    kernel = KernelModule("test_kernel", text).kernels[name]
    kernel.compile()
    return kernel


def test_a_kernel_is_compiled_once_and_then_loaded(cache: Path) -> None:
    first, second = compiled(TEXT, "answer"), compiled(TEXT, "answer")
    assert (first.cached, second.cached) == (False, True)
    assert first(21) == second(21) == 42
    assert first.address != second.address != 0


@pytest.mark.slow
def test_a_start_from_the_cache_imports_no_numba() -> None:
    """And reads no source of rules as a syntax tree: both take long."""
    code = (
        "import murmurate as mm, sys\n"
        "model = mm.load('vicsek-1995').set({'flocks.boids.count': 40})\n"
        "s = mm.Simulation(model, threads=1).step(2)\n"
        "print('numba' in sys.modules, 'scipy' in sys.modules, s.frame['boids'].positions.sum())"
    )
    first, again = (ran_well(sys.executable, "-c", code).split() for _ in range(2))
    assert again == ["False", "False", first[2]]


def test_a_damaged_object_is_made_again(cache: Path) -> None:
    path = compiled(TEXT, "answer").module.object_path("answer")
    path.write_bytes(path.read_bytes()[:-1])
    again = compiled(TEXT, "answer")
    assert again.cached is False and again(4) == 8


def test_an_object_that_needs_what_is_not_there_is_refused(cache: Path) -> None:
    compiled_object = KernelModule("test_kernel", TEXT).kernels["answer"].lower().compile()
    wanting = KernelObject(
        compiled_object.symbol, ("no_such_function_anywhere",), compiled_object.code
    )
    with pytest.raises(UnknownSymbol, match="needs no_such_function_anywhere"):
        wanting.load()


def test_code_that_comes_with_the_package_is_translated(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kernel = KernelModule("test_kernel", TEXT).kernels["answer"]
    files = {kernel.shipped_name: kernel.lower().to_bytes()}
    monkeypatch.setattr(kernel_cache, "shipped_object", files.get)
    monkeypatch.setattr(Kernel, "lower", lambda self: pytest.fail("it is compiled from its text"))
    assert compiled(TEXT, "answer")(21) == 42
    other = TEXT.replace("2 *", "3 *")
    assert KernelModule("test_kernel", other).kernels["answer"].shipped_name not in files


def test_code_of_a_newer_llvm_is_compiled_from_its_text(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unreadable = KernelCode("answer", b"BC\xc0\xdeof the future").to_bytes()
    monkeypatch.setattr(kernel_cache, "shipped_object", lambda name: unreadable)
    assert compiled(TEXT, "answer")(21) == 42


def test_a_kernel_that_fails_raises(cache: Path) -> None:
    """numba's own entry prints the error and returns 0, as if all were well."""
    kernel = compiled(WRONG, "wrong")
    assert kernel(1) == 1
    with pytest.raises(KernelError, match="kernel wrong"):
        kernel(2)


def test_objects_of_another_processor_are_not_loaded(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = compiled(TEXT, "answer").module.object_path("answer")
    for variable in ("NUMBA_CPU_NAME", None):
        kernel_object.machine.cache_clear()
        kernel_cache._machine_digest.cache_clear()
        if variable:
            monkeypatch.setenv(variable, "generic")
        else:
            monkeypatch.delenv("NUMBA_CPU_NAME")
        other_path = KernelModule("test_kernel", TEXT).object_path("answer")
        assert (other_path == path) == (variable is None)

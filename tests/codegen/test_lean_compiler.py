"""The kernels' compiler leaves out passes that are there, and finds nothing else."""

from __future__ import annotations

import numba
from numba.core.compiler import DefaultPassBuilder
from numba.core.compiler_machinery import _pass_registry

import flights
import murmurate as mm
from murmurate.codegen.kernel_compiler import (
    UNUSED,
    WIDEST,
    EntryCompiler,
    KernelCompiler,
    WideEntryCompiler,
)


def test_every_pass_that_is_left_out_exists() -> None:
    """A name that numba no longer has would be a line that does nothing."""
    classes = {type(info.pass_inst).__name__ for info in _pass_registry._registry.values()}
    assert classes >= UNUSED, UNUSED - classes


def test_kernels_are_compiled_by_it() -> None:
    kernels = mm.Simulation(mm.load("ucl"), threads=1).step(1)._engine._kernels
    swept, run_steps = (kernels.kernel(name) for name in ("all_pairs_0", "run_steps"))
    sources = [getattr(kernel.module.imported(), kernel.name) for kernel in (swept, run_steps)]
    assert [source.compiler for source in sources] == [WideEntryCompiler, EntryCompiler]


def test_all_pairs_kernels_use_the_widest_vectors() -> None:
    """LLVM reads the attribute in the function's head."""
    text = flights.text_of(mm.load("ucl"))
    assert "@wide_kernel\ndef all_pairs_0" in text
    module = numba.cfunc("int64(int64)", pipeline_class=WideEntryCompiler)(lambda table: table)
    assert WIDEST in module.inspect_llvm()


def test_it_runs_what_the_default_runs_but_for_those() -> None:
    ran: list[str] = []

    class Recorded(KernelCompiler):
        def define_pipelines(self):
            (lean,) = super().define_pipelines()
            default = DefaultPassBuilder.define_nopython_pipeline(self.state)
            names = [
                [_name(compiler_pass) for compiler_pass, _ in manager.passes]
                for manager in (lean, default)
            ]
            assert [name for name in names[1] if name not in UNUSED] == names[0]
            assert len(names[0]) < len(names[1])
            ran.extend(names[0])
            return [lean]

    @numba.njit(pipeline_class=Recorded)
    def double(x):
        return x + x

    assert double(21) == 42 and ran


def _name(compiler_pass) -> str:
    return (
        compiler_pass.__name__ if isinstance(compiler_pass, type) else type(compiler_pass).__name__
    )

"""Translate kernels to object code, store it in files, and load it, with LLVM alone.

numba compiles a kernel to LLVM's code, which is the same on all machines and may come with the
package. LLVM optimises and translates it for this processor, in a tenth of that time. Object code
is stored as files in the format of linkers. The import of numba takes most of a second, and only
its own part needs it.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

FAILED = -(2**63)
"""Result of a kernel that ends with an error of the compiler's run time: a fault."""
_loading = threading.Lock()
_engines: list[
    Any
] = []  # an engine unloads its code with itself, so engines live until the process ends
_NEVER_CALLED = "NRT_MemInfo_call_dtor"
"""Function that frees numba's arrays. The code refers to it, but kernels own no arrays."""
_CHOICES = "NUMBA_"  # prefix of the environment variables that configure numba


class UnknownSymbol(Exception):
    """An object file calls a function that this process lacks."""


@dataclass(frozen=True)
class KernelCode:
    """A kernel in LLVM's code, before it is optimised.

    symbol  name of the kernel: a C function that takes and returns an int64
    code    LLVM's bitcode
    """

    symbol: str
    code: bytes

    @classmethod
    def of(cls, module: Any, symbol: str) -> KernelCode:
        """Return what a kernel needs of a module, without other names. It changes the module."""
        from llvmlite import binding

        for value in (*module.functions, *module.global_variables):
            if not value.is_declaration and value.name != symbol:
                value.linkage = "internal"
        passes = binding.create_new_module_pass_manager()
        passes.add_global_dead_code_eliminate_pass()
        passes.run(module, _pass_builder(_target_machine()))
        return cls(symbol, module.as_bitcode())

    def to_bytes(self) -> bytes:
        """Return the contents of a file: a line of JSON, and the code."""
        return json.dumps(self.symbol).encode() + b"\n" + self.code

    @classmethod
    def from_bytes(cls, data: bytes) -> KernelCode:
        """Return the code in the contents of a file, as `to_bytes` made them."""
        symbol, _, code = data.partition(b"\n")
        return cls(json.loads(symbol), code)

    def compile(self) -> KernelObject:
        """Return the object code for this processor. Raises RuntimeError for a newer LLVM's."""
        from llvmlite import binding

        _initialize()
        machine, module = _target_machine(), binding.parse_bitcode(self.code)
        module.triple, module.data_layout = machine.triple, str(machine.target_data)
        passes = _pass_builder(machine)
        passes.getModulePassManager().run(module, passes)
        outside = [value.name for value in (*module.functions, *module.global_variables)
                   if value.is_declaration and not value.name.startswith("llvm.")]  # fmt: skip
        return KernelObject(self.symbol, tuple(sorted(outside)), machine.emit_object(module))


@dataclass(frozen=True)
class KernelObject:
    """The object file of one kernel.

    symbol  name of the kernel in the file: a C function that takes and returns an int64
    needs   functions and variables that the process must have, such as `floorf`
    code    bytes of the object file
    """

    symbol: str
    needs: tuple[str, ...]
    code: bytes

    def to_bytes(self) -> bytes:
        """Return the contents of a file: a line of JSON, and the object file."""
        return json.dumps([self.symbol, self.needs]).encode() + b"\n" + self.code

    @classmethod
    def from_bytes(cls, data: bytes) -> KernelObject:
        """Return the object in the contents of a file, as `to_bytes` made them."""
        about, _, code = data.partition(b"\n")
        symbol, needs = json.loads(about)
        return cls(symbol, tuple(needs), code)

    @property
    def can_load(self) -> bool:
        """Whether this process has what the code needs; numba has more than Python."""
        with _loading:
            _initialize()
            return not _missing(self.needs)

    def load(self) -> int:
        """Load the code into this process and return the address of the kernel.

        Raises UnknownSymbol; LLVM itself would end the process.
        """
        from llvmlite import binding

        with _loading:
            _initialize()
            engine = _new_engine()
            if missing := _missing(self.needs):
                raise UnknownSymbol(f"{self.symbol} needs {', '.join(missing)}")
            engine.add_object_file(binding.ObjectFileRef.from_data(self.code))
            engine.finalize_object()
            address = int(engine.get_function_address(self.symbol))
            _engines.append(engine)
        return address


def _target_machine() -> Any:
    """Return LLVM's description of this processor, with its highest optimisation."""
    from llvmlite import binding

    target = binding.Target.from_default_triple()
    return target.create_target_machine(
        cpu=os.environ.get("NUMBA_CPU_NAME") or binding.get_host_cpu_name(),
        features=os.environ.get("NUMBA_CPU_FEATURES", binding.get_host_cpu_features().flatten()),
        opt=3, reloc="static" if target.name.startswith("x86") else "default",
        codemodel="jitdefault", jit=True,
    )  # fmt: skip


def _pass_builder(machine: Any) -> Any:
    from llvmlite import binding

    tuning = binding.create_pipeline_tuning_options(speed_level=3)
    tuning.loop_vectorization = tuning.loop_unrolling = True
    tuning.slp_vectorization = False
    return binding.create_pass_builder(machine, tuning)


def _missing(names: Sequence[str]) -> list[str]:
    from llvmlite import binding

    missing = [name for name in names if not binding.address_of_symbol(name)]
    if _NEVER_CALLED in missing and (end := binding.address_of_symbol("abort")):
        binding.add_symbol(_NEVER_CALLED, end)  # numba replaces it when it is imported
        missing.remove(_NEVER_CALLED)
    return missing


@lru_cache(maxsize=1)
def _initialize() -> None:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    _engines.append(_new_engine())  # from then on LLVM knows the symbols of this process


def _new_engine() -> Any:
    from llvmlite import binding

    machine = binding.Target.from_default_triple().create_target_machine(jit=True)
    return binding.create_mcjit_compiler(binding.parse_assembly(""), machine)


@lru_cache(maxsize=1)
def machine() -> tuple[str, ...]:
    """Return the inputs of object code besides its source: the processor, and the environment
    variables that configure numba."""
    from llvmlite import binding

    _initialize()
    chosen = [f"{name}={os.environ[name]}" for name in sorted(os.environ) if _CHOICES in name]
    return (
        binding.get_process_triple(), binding.get_host_cpu_name(),
        binding.get_host_cpu_features().flatten(), *chosen,
    )  # fmt: skip

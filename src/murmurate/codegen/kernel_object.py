"""Store object code of kernels in files, and load it with LLVM alone.

The import of numba takes most of a second, and only compilation needs it. Compiled kernels are
stored as object files in the format of linkers; llvmlite loads them.
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

    def load(self) -> int:
        """Load the code into this process and return the address of the kernel.

        Raises UnknownSymbol; LLVM itself would end the process.
        """
        from llvmlite import binding

        with _loading:
            _initialize()
            machine = binding.Target.from_default_triple().create_target_machine(jit=True)
            engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
            # LLVM knows the symbols of this process after it has made an engine
            if missing := _missing(self.needs):
                raise UnknownSymbol(f"{self.symbol} needs {', '.join(missing)}")
            engine.add_object_file(binding.ObjectFileRef.from_data(self.code))
            engine.finalize_object()
            address = int(engine.get_function_address(self.symbol))
            _engines.append(engine)
        return address


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

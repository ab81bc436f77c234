"""Object code of kernels: stored as files, loaded by LLVM alone.

numba takes most of a second to import, and is needed only to compile. What it compiled is stored as
an object file, as a linker would read it, and llvmlite loads that.
"""

from __future__ import annotations

import hashlib
import json
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

FORMAT = 1
FAILED = -(2**63)
"""What a kernel returns if it ended with an error of the compiler's run time, as none should."""
_loading = threading.Lock()
_engines: list[Any] = []  # code is unloaded with its engine, so each stays as long as the process
_NEVER_CALLED = "NRT_MemInfo_call_dtor"
"""Frees what numba allocated. numba's code refers to it, but kernels own no arrays."""
_CHOICES = "NUMBA_"  # environment variables by which numba's users choose how it compiles


class DamagedObject(Exception):
    """The bytes are no object file of a kernel, or not a complete one."""


class UnknownSymbol(Exception):
    """An object calls a function that this process does not have."""


@dataclass(frozen=True)
class KernelObject:
    """The object file of one kernel.

    symbol  the name of the kernel in it, a C function that takes and returns an int64
    needs   the functions and variables that it expects in the process, such as `floorf`
    code    the object file
    """

    symbol: str
    needs: tuple[str, ...]
    code: bytes

    def to_bytes(self) -> bytes:
        """Return the contents of a file: a digest of the rest, a line of JSON, the object file."""
        about = json.dumps({"format": FORMAT, "symbol": self.symbol, "needs": self.needs}).encode()
        body = about + b"\n" + self.code
        return hashlib.sha256(body).hexdigest().encode() + b"\n" + body

    @classmethod
    def from_bytes(cls, data: bytes) -> KernelObject:
        """Return the object in the contents of a file. Raises DamagedObject."""
        digest, _, body = data.partition(b"\n")
        if hashlib.sha256(body).hexdigest().encode() != digest:
            raise DamagedObject
        about, _, code = body.partition(b"\n")
        header = json.loads(about)
        if header["format"] != FORMAT:
            raise DamagedObject
        return cls(header["symbol"], tuple(header["needs"]), code)

    def load(self) -> int:
        """Load the code into this process and return the address of the kernel.

        Raises UnknownSymbol: LLVM would end the process.
        """
        from llvmlite import binding

        with _loading:
            _initialize()
            machine = binding.Target.from_default_triple().create_target_machine(jit=True)
            engine = binding.create_mcjit_compiler(binding.parse_assembly(""), machine)
            # with the first engine LLVM knows the symbols of this process
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
        binding.add_symbol(_NEVER_CALLED, end)  # numba, once imported, puts its own in its place
        missing.remove(_NEVER_CALLED)
    return missing


@lru_cache(maxsize=1)
def _initialize() -> None:
    from llvmlite import binding

    binding.initialize_native_target()
    binding.initialize_native_asmprinter()


@lru_cache(maxsize=1)
def machine() -> tuple[str, ...]:
    """Return what object code depends on besides its source: the processor, and the variables by
    which a user chooses how numba compiles."""
    from llvmlite import binding

    _initialize()
    chosen = [f"{name}={os.environ[name]}" for name in sorted(os.environ) if _CHOICES in name]
    return (
        binding.get_process_triple(), binding.get_host_cpu_name(),
        binding.get_host_cpu_features().flatten(), *chosen,
    )  # fmt: skip

"""The machine that a speed was measured on."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from contextlib import suppress
from pathlib import Path


def machine() -> dict[str, str | int]:
    """Processor, cores, system, and the versions that matter for speed."""
    import llvmlite
    import numba
    import numpy

    from murmurate.version import __version__

    return {
        "processor": processor(),
        "cores": os.cpu_count() or 1,
        "system": platform.platform(terse=True),
        "python": platform.python_version(),
        "numpy": numpy.__version__,
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "murmurate": __version__,
    }


def processor() -> str:
    """The processor's name, as the system gives it."""
    with suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    if sys.platform == "darwin":
        with suppress(OSError):
            asked = ["sysctl", "-n", "machdep.cpu.brand_string"]
            return subprocess.run(asked, capture_output=True, text=True).stdout.strip()
    return platform.processor() or platform.machine()


def lanes() -> int:
    """How many float32 numbers one instruction of the processor works on: 16 with AVX-512, 8 with
    AVX, else 4."""
    from llvmlite import binding

    try:
        features = binding.get_host_cpu_features()
    except RuntimeError:  # LLVM does not know them on this system
        return 4
    return 16 if features.get("avx512f") else 8 if features.get("avx") else 4


def described() -> str:
    """The machine in one line."""
    m = machine()
    return (
        f"{m['processor']}, {m['cores']} cores, {m['system']}; Python {m['python']}, "
        f"numpy {m['numpy']}, numba {m['numba']}"
    )

"""Files and rules of hostile sizes: each is read or refused, in little memory and processor time.

`python hostile_sizes.py KIND [N]` tries all cases of a kind, or each N-th, each in its own process.
Linux only.
"""

from __future__ import annotations

import os
import re
import resource
import struct
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from itertools import islice
from pathlib import Path

import murmurate as mm
from murmurate.errors import MurmurateError

SIZE = 60 << 20  # bytes of a file that is refused
READ = 12 << 20  # bytes of a table that is read
SECONDS = 30  # of processor time: only what hangs takes so long
MEMORY = 250 << 20, 12  # bytes, and bytes per byte of the file
Case = tuple[str, Callable[[], bytes]]

TRIANGLE = b"v 0 0 0\nv 1 0 0\nv 0 1 0\n"
SOLID = b"facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\n"
SOLID += b"endloop\nendfacet\n"
PLY = "ply\nformat {} 1.0\nelement vertex {}\n"
PLY += "property float x\nproperty float y\nproperty float z\nelement face {}\n"
PLY += "property list uchar int vertex_indices\nend_header\n"
NUMBERS = """
space = {size = [9, 9]}
flocks.b.count = 5
rules.cohesion = {radius = 1, weight = {from = "a.csv"}}
"""
RULES = """
space = {{size = [10, 10]}}
flocks.boids.count = 3
rules.push = {{kind = "wind", vector = [1, 0], functions = '''{}'''}}
"""
USUAL = RULES.format("def alone(self, me):\n    return me.x, me.y, 0.0")


def fill(
    unit: bytes, size: int = SIZE, head: bytes = b"", tail: bytes = b""
) -> Callable[[], bytes]:
    """Return a function that repeats bytes up to a size."""
    return lambda: head + unit * (size // len(unit)) + tail


def count(pattern: str, number: int, head: str = "") -> Callable[[], bytes]:
    """Return a function that writes a pattern with the numbers 0, 1, ..."""
    return lambda: (head + "".join(pattern.format(k=k) for k in range(number))).encode()


def tables() -> Iterator[Case]:
    head = "frame,id,x,y\n"
    for animals in (1000, 4000, 100_000, 300_000):
        names = "".join(f",x{k},y{k}" for k in range(animals))
        yield f"{animals} columns", count("{k}" + ",1.5,2.5" * animals + "\n", 5, f"frame{names}\n")
    yield "a long row", fill(b"1,", head=head.encode() + b"1,1,2,3\n")
    yield "many rows", count("{k},1,2.5,3.5\n", READ // 16, head)
    yield "many animals", count("1,{k},2.5,3.5\n2,{k},2.5,3.5\n", READ // 40, head)
    yield "animals with names", count("1,a{k}b,2.5,3.5\n2,a{k}b,2.5,3.5\n", READ // 40, head)
    yield "missing frames", count("{k}000000000,1,2,3\n{k}000000000,2,2,3\n", 2, head)
    yield "animals seen once", count("{k}000,{k},2,3\n", 30_000, head)
    yield "empty lines", fill(b"\n", head=head.encode())
    yield "an open quote", fill(b"a", head=head.encode() + b'"')
    yield "comments", fill(b"# a\n")
    yield "a long name", fill(b"a", head=b"frame,id,x,y,", tail=b"\n1,1,2,3,4\n")
    yield "one word", fill(b"-")
    yield "many parts", count("a{k}_head_x,a{k}_head_y,", 50_000)


def numbers() -> Iterator[Case]:
    for text in ("1\n", "1,", "\n", " ", "1", "\0", '"\n",', "  ,\n", "é\n"):
        yield f"{text!r}", fill(text.encode())
        yield f"a header and {text!r}", fill(text.encode(), head=b"weight\n")
    yield "an open quote", fill(b"a", head=b'weight\n"')
    yield "many rows", count("{k},1\n", 1_500_000, "id,weight\n")
    yield "many columns", count("c{k},", 1_000_000)


def meshes() -> Iterator[Case]:
    """Their first word is the format."""
    yield "obj faces", fill(b"f 1 2 3\n", head=TRIANGLE)
    yield "obj vertices", fill(b"v 0 0 0\n")
    yield "obj polygon", fill(b"1 2 3 ", head=TRIANGLE + b"f ", tail=b"\n")
    yield "obj groups", count("o a{k}\nusemtl m{k}\nf 1 2 3\n", 100_000, TRIANGLE.decode())
    yield "obj comment", fill(b"#")
    yield "obj empty lines", fill(b"\n")
    yield "stl triangles", fill(SOLID, head=b"solid a\n", tail=b"endsolid a\n")
    yield "stl solids", fill(b"solid a\n" + SOLID + b"endsolid a\n", 5 << 20)
    yield "stl binary", fill(b"\0" * 50, head=b"\0" * 80 + struct.pack("<I", SIZE // 50))
    yield "stl wrong size", fill(b"\0", 50, head=b"\0" * 80 + struct.pack("<I", 2**32 - 1))
    yield "stl text", fill(b"a", head=b"solid ")
    for form in ("ascii", "binary_little_endian"):
        for n in (10**9, 10**12):
            yield f"ply {form} {n}", fill(b"0 0 0\n", 60, head=PLY.format(form, n, n).encode())
    yield "ply vertices", fill(b"0 0 0\n", head=PLY.format("ascii", SIZE // 6, 0).encode())
    faces = PLY.format("ascii", 3, SIZE // 8).encode() + b"0 0 0\n" * 3
    yield "ply faces", fill(b"3 0 1 2\n", head=faces)
    many = "ply\nformat ascii 1.0\nelement vertex 3\n"
    yield "ply properties", count("property float x{k}\n", 100_000, many)
    for text in (b"[", b'{"a":', b"0,"):
        size = SIZE // len(text) * len(text)
        head = struct.pack("<4sIIII", b"glTF", 2, 20 + size, size, 0x4E4F534A)
        yield f"glb {text!r}", fill(text, head=head)


def rules() -> Iterator[Case]:
    def returned(value: str, helpers: str = "", before: str = "") -> Callable[[], bytes]:
        text = f"{helpers}\ndef alone(self, me):\n{before}    return {value}, 0.0, 0.0\n"
        return RULES.format(text).encode

    for n in (10, 115, 400, 1400):
        chains = {
            "not": f"(1.0 if {'not ' * n}me.speed > 1 else 0.0)", "minus": "-" * n + "1.0",
            "sum": "+".join(["1"] * n), "power": "**".join(["me.x"] * n),
            "brackets": "(" * n + "1.0" + ")" * n, "max": "max(" * n + "1.0" + ",2)" * n,
            "choose": "1 if me.x > 0 else " * n + "1.0", "index": "(1.0, 2.0)" + "[0]" * n,
            "compare": f"(1.0 if {' < '.join(['me.x'] * n)} else 0.0)",
        }  # fmt: skip
        for name, value in chains.items():
            yield f"{name} {n}", returned(value)
        ifs = "".join("    " + " " * k + "if me.x > 1:\n" for k in range(n))
        yield f"ifs {n}", returned("1.0", "", ifs + " " * (n + 4) + "a = 1.0\n")
    calls = ("f{p}(x) + f{p}(x + 1.0)", "f{p}(f{p}(x))", "f{p}((x, x))")
    lines = ("(a{p}, a{p})", "a{p} + a{p}", "a{p} + a{p} if me.x > 0 else a{p}", "a{p} * a{p}")
    for n in (5, 14, 60):
        for call in calls:
            helpers = "def f0(x):\n    return x * 2.0\n" + "".join(
                f"def f{k}(x):\n    return {call.format(p=k - 1)}\n" for k in range(1, n)
            )
            yield f"{call} {n}", returned(f"f{n - 1}(me.x)", helpers)
        for line in lines:
            before = "    a0 = (1.0, 2.0)\n" if "*" not in line else "    a0 = me.x\n"
            for k in range(1, n):
                before += f"    a{k} = {line.format(p=k - 1)}\n"
            yield f"{line} {n}", returned("1.0", "", before)
    yield "a function that calls itself", returned("f(me.x)", "def f(x):\n    return f((x, x))\n")


def read_table(path: Path) -> None:
    mm.open_tracks(path)


def read_numbers(path: Path) -> None:
    (path.parent / "model.toml").write_text(NUMBERS)
    mm.load(path.parent / "model.toml")


def read_mesh(path: Path) -> None:
    from murmurate.model.mesh_surface import surface_text
    from murmurate.model.mesh_tables import read_mesh_file

    surface_text(*read_mesh_file(path))


def read_rule(path: Path) -> None:
    sys.path.insert(0, str(Path(__file__).parents[1] / "support"))
    from flights import text_of

    model = mm.parse(path.read_text("utf-8"))
    text_of(model)
    mm.Simulation(model, engine="reference").step(1)


KINDS: dict[str, tuple[Callable[[], Iterator[Case]], Callable[[Path], None]]] = {
    "tables": (tables, read_table), "numbers": (numbers, read_numbers),
    "meshes": (meshes, read_mesh), "rules": (rules, read_rule),
}  # fmt: skip


def ending(work: Callable[[], object]) -> str:
    """Run a function in a copy of this process. Return what went wrong, or ''."""
    if pid := os.fork():
        status = os.waitpid(pid, 0)[1]
        code = os.waitstatus_to_exitcode(status)
        return {0: "", 1: "an error", 2: "too much memory"}.get(code, f"ended by signal {-code}")
    code = 1
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        code = int(bool(work()))
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stderr.flush()
        os._exit(code)


def write(path: Path, make: Callable[[], bytes]) -> None:
    path.write_bytes(make())


def read(path: Path, reader: Callable[[Path], None]) -> None:
    """Read a file, or have it refused; end with 2 if the memory exceeds its limit."""
    try:
        reader(path)
    except MurmurateError as error:
        print(f"{path.name} refused: {str(error)[-100:]!r}", file=sys.stderr)
    used = re.search(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())
    assert used is not None
    if int(used[1]) << 10 > MEMORY[0] + MEMORY[1] * path.stat().st_size:
        os._exit(2)


def main(kind: str, every: int = 1) -> int:
    cases, reader = KINDS[kind]
    tried = wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        if kind == "rules":  # a usual one, whose imports all processes share
            (path := Path(folder) / "a.csv").write_text(USUAL)
            reader(path)
        for name, make in islice(cases(), 0, None, every):
            form = name.split()[0] if kind == "meshes" else "csv"
            path = Path(folder) / f"a.{form}"
            problem = ending(partial(write, path, make)) or ending(partial(read, path, reader))
            tried += 1
            if problem:
                wrong += 1
                print(f"{kind}: {name}: {problem}", flush=True)
    print(f"{kind}: {tried} cases, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))

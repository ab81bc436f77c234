"""The kernel for large flocks: rows of cells, with the slabs around them staged side by side."""

from __future__ import annotations

from murmurate.codegen.boid import write_boid
from murmurate.codegen.kernel_text import AXES, CELLS, Text, arguments, arrays, borrow
from murmurate.codegen.nearest_sums import nearest_groups
from murmurate.codegen.plan import FAR, HIDDEN
from murmurate.codegen.writer import Writer


def write_cells(w: Writer, text: Text, stage: int) -> None:
    """cells_STAGE: the boids of some runs of cells, of gridded flocks. A run is (row, first x, last
    x): the cells of one row along x are walked, with the slabs around them staged once, into
    contiguous columns that every boid of the row sweeps a window of."""
    plan, dims = text.plan, text.dims
    rows = {"x": 0, "y": 1, "z": 2}
    stages_z = dims == 3
    needs_ids = any(nearest_groups(f) for f in plan.flocks if f.stage == stage)
    several = len(plan.gridded) > 1
    given = arguments(text)
    with w.block(f"@kernel\ndef cells_{stage}(runs, {CELLS}, {given}):"):
        borrow(w, f"runs, {CELLS}, {given}")
        arrays(w, text)
        for k, name in enumerate(("nx", "ny", "nz", "kx", "ky")):
            w.line(f"{name} = grid[{k}]")
        w.line("zero = real(0.0)")
        columns = [("b" + c, c.upper()) for c in AXES[:dims]] + [
            ("b" + c, c.upper()) for c in "uvw"[:dims]
        ]
        for k, (column, _) in enumerate(columns):
            w.line(f"s{column} = stage[{k}]")
        with w.block("for r in range(runs.shape[0]):"):
            w.line("row, x0, x1 = runs[r, 0], runs[r, 1], runs[r, 2]")
            w.line("cz, cy = row // ny, row % ny")
            w.line("m = 0")
            with w.block("for sx in range(x0 - kx, x1 + kx + 1):"):
                w.line("slabs[sx - x0 + kx] = m")
                _axis(w, text, "jx", "sx", "nx", "shiftx", rows["x"])
                if stages_z:
                    w.line("for dzc in range(-1, 2):")
                    w.indent()
                    _axis(w, text, "jz", "cz + dzc", "nz", "shiftz", rows["z"])
                else:
                    w.line("jz = 0")
                w.line("base = (jz * nx + jx) * ny")
                w.line("a, b = greater(cy - ky, 0), lesser(cy + ky, ny - 1)")
                condition = "if sx >= x0 and sx <= x1" + (" and dzc == 0:" if stages_z else ":")
                with w.block(condition):
                    w.line("own[sx - x0] = m + start[base + cy] - start[base + a]")
                pieces = [("start[base + a]", "start[base + b + 1]", "zero", "")]
                if text.periodic[1]:
                    pieces.append(
                        ("start[base + ny + cy - ky]", "start[base + ny]", "-side1", "cy < ky")
                    )
                    pieces.append(
                        ("start[base]", "start[base + cy + ky - ny + 1]", "side1", "cy + ky >= ny")
                    )
                for begin, end, shift, condition in pieces:
                    if condition:
                        w.line(f"if {condition}:")
                        w.indent()
                    w.line(f"p, n = {begin}, {end}")
                    w.line("n = n - p")
                    with w.block("if m + n + 16 > stage.shape[1]:"):
                        w.line("return m + n + 16")
                    w.line("q = 0")
                    with w.block("while q < n:"):
                        for column, letter in columns:
                            move = {
                                "bx": "shiftx",
                                "by": shift,
                                "bz": "shiftz",
                            }.get(column, "zero")
                            w.line(f"copy8(s{column}, m + q, {letter}, p + q, {move})")
                        if needs_ids:
                            w.line("copy8(stage_ids, m + q, ids, p + q, np.int32(0))")
                        if several:
                            w.line("copy8(stage_kinds, m + q, kinds, p + q, np.int32(0))")
                        w.line("q += 8")
                    w.line("m += n")
                    if condition:
                        w.dedent()
                if stages_z:
                    w.dedent()
            w.line("slabs[x1 - x0 + 2 * kx + 1] = m")
            w.line(f"for q in range(m, m + 8): sbx[q] = real({HIDDEN!r})")
            with w.block("for cx in range(x0, x1 + 1):"):
                w.line("cell = (cz * nx + cx) * ny + cy")
                with w.block("if start[cell] == start[cell + 1]:"):
                    w.line("continue")
                w.line("low = slabs[cx - x0]")
                w.line("full = ((slabs[cx - x0 + 2 * kx + 1] - low + 7) >> 3) << 3")
                for column, _ in columns:
                    w.line(f"{column} = window(s{column}, low)")
                if needs_ids:
                    w.line("bi = window(stage_ids, low)")
                if several:
                    w.line("bk = window(stage_kinds, low)")
                w.line("here = own[cx - x0] - low - start[cell]")
                with w.block("for i in range(start[cell], start[cell + 1]):"):
                    _cell_boid(w, text, stage, several, needs_ids)
        w.line("return 0")
    w.line()


def _axis(w: Writer, text: Text, cell: str, index: str, n: str, shift: str, axis: int) -> None:
    """A staged cell's index along an axis: wrapped with its shift, or skipped beyond the edge."""
    w.line(f"{cell} = {index}")
    if text.periodic[axis]:
        w.line(f"{shift} = zero")
        with w.block(f"if {cell} < 0:"):
            w.line(f"{cell} += {n}")
            w.line(f"{shift} = -side{axis}")
        with w.block(f"elif {cell} >= {n}:"):
            w.line(f"{cell} -= {n}")
            w.line(f"{shift} = side{axis}")
    else:
        w.line(f"{shift} = zero")
        with w.block(f"if {cell} < 0 or {cell} >= {n}:"):
            w.line("continue")


def _cell_boid(w: Writer, text: Text, stage: int, several: bool, needs_ids: bool) -> None:
    """Boid i of a cell: out of its own sight while it looks."""
    plan = text.plan
    if needs_ids:
        _covered(w, text)
    w.line("hidden = bx[here + i]")
    w.line(f"bx[here + i] = real({HIDDEN!r})")
    flocks = [f for f in plan.flocks if f.stage == stage and f.flock in plan.gridded]
    for flock in flocks:
        if several:
            with w.block(f"if kinds[i] == {text.kind(flock.flock)}:"):
                write_boid(w, text, flock, "cells")
        else:
            write_boid(w, text, flock, "cells")
    w.line("bx[here + i] = hidden")


def _covered(w: Writer, text: Text) -> None:
    """How far around boid i everything has been staged: nothing nearer than this is missing."""
    w.line(f"covered = real({FAR!r})")
    for k in range(text.dims):
        c, n = f"c{AXES[k]}", f"n{AXES[k]}"
        reach = {"x": "kx", "y": "ky", "z": "1"}[AXES[k]]
        p = f"{'XYZ'[k]}[i]"
        down = f"{p} - (corner[{k}] + ({c} - {reach}) * size[{k}])"
        up = f"corner[{k}] + ({c} + {reach} + 1) * size[{k}] - {p}"
        if text.periodic[k]:
            w.line(f"covered = lesser(lesser(covered, half{k}), lesser({down}, {up}))")
        else:
            w.line(f"covered = lesser(covered, {down}) if {c} > {reach} else covered")
            w.line(f"covered = lesser(covered, {up}) if {c} + {reach} < {n} - 1 else covered")
    # a boid on the line between two cells may have been counted to either
    w.line("covered *= real(0.9999)")

"""Prints the texts of kernels that this checkout makes, as JSON: name -> text. Run by checkouts.py,
with the folders src and tests of a checkout on Python's path."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator

import murmurate as mm
import structures
from murmurate.codegen.layout import lay_out
from murmurate.codegen.module_text import functions_text, kernel_text
from murmurate.codegen.planner import make_plan
from murmurate.engines.cpu.thresholds import CpuThresholds
from murmurate.engines.wasm import module_compiler
from murmurate.engines.wasm.module_compiler import kernels_text, steps_text

SIZES = {
    "whole": CpuThresholds(10**9, 10**9, 10**9),
    "cells": CpuThresholds(flock=0, model=0, covered=1.0, fetched=0),
    "unfetched": CpuThresholds(flock=0, model=0, covered=1.0, fetched=10**9),
}


def texts(only: list[str]) -> Iterator[tuple[str, str]]:
    """Yield names and texts of those whose name holds one of these words; of all without any."""

    def wanted(name: str) -> bool:
        return not only or any(word in name for word in only)

    for dtype in ("float32", "float64"):
        if wanted(f"functions {dtype}"):
            yield f"functions {dtype}", functions_text(dtype)
    models = {name: (lambda name=name: mm.load(name)) for name in sorted(mm.zoo())}
    models |= {f"structure {name}": make for name, (make, _) in structures.STRUCTURES.items()}
    for name, make in models.items():
        if not any(wanted(f"{name} {size} {kind}") for size in SIZES for kind in KINDS):
            continue
        model = make()
        plan = make_plan(model)
        for size, thresholds in SIZES.items():
            layout = lay_out(plan, thresholds)
            for kind in KINDS:
                if wanted(f"{name} {size} {kind}"):
                    for more, text in of_kind(kind, plan, layout, model):
                        yield f"{name} {size} {more}", text


KINDS = ("float32", "float64", "wasm")


def of_kind(kind, plan, layout, model) -> Iterator[tuple[str, str]]:
    if kind != "wasm":
        yield kind, kernel_text(plan, kind, layout)
        return
    if any(getattr(rule, "neighbours", "all") == "voronoi" for rule in model.rules.values()):
        return
    for name, text in (
        ("wasm kernels", kernels_text(layout, "float32")),
        ("wasm steps", steps_text(layout, "float32")),
    ):
        for processor, wasm in getattr(module_compiler, "DECORATORS", ()):  # until 0.4.0
            text = text.replace(processor, wasm)
        yield name, text


if __name__ == "__main__":
    json.dump(dict(texts(sys.argv[1:])), sys.stdout)

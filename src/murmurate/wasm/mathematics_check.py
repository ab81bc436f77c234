"""Whether modules have the mathematics that a model's functions call: said with the file, the line
and what to do instead, before anything is compiled."""

from __future__ import annotations

import ast

from murmurate.codegen.function_library import Library
from murmurate.codegen.function_text import fault
from murmurate.codegen.kernel_functions_text import shared_functions
from murmurate.codegen.layout import Layout
from murmurate.codegen.module_text import kernel_text
from murmurate.wasm.object_code import INSTRUCTIONS
from murmurate.wasm.plain_math import FUNCTIONS

MISSING = ("erf", "erfc", "frexp", "gamma", "ldexp", "lgamma", "nextafter")
"""The functions of `math` that the processor's kernels have, and modules have not."""


def check_mathematics(layout: Layout) -> None:
    """Raises RuleError for a function that calls what modules do not have."""
    library = Library(shared_functions())
    kernel_text(layout.plan, "float64", layout, library)
    for (function, *_), name in library.functions.items():
        if name not in library.trees:
            continue
        for node in ast.walk(ast.fix_missing_locations(library.trees[name])):
            if isinstance(node, ast.Attribute) and ast.unparse(node) in _CALLED:
                raise fault(
                    function, node.lineno,
                    f"calls {ast.unparse(node)}, which the engine 'wasm' and pages that fly have "
                    f"not: they have {', '.join(sorted((*FUNCTIONS, *INSTRUCTIONS)))}. Write the "
                    "rule with these; or fly it with the engine 'cpu', and send a replay, which is "
                    "a page without live",
                )  # fmt: skip


_CALLED = {f"math.{name}" for name in MISSING}

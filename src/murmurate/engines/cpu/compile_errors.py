"""Compile errors: which rule's function does not compile, in terms of the user's file.

What a function may not do is said when it is read (language/). What is left is what the compiler
alone finds wrong, and says of the generated kernel.
"""

from __future__ import annotations

import ast
import re

from murmurate.codegen.kernel_functions_text import shared_functions
from murmurate.codegen.layout import Layout
from murmurate.codegen.module_text import kernel_text
from murmurate.language.library import Library
from murmurate.language.refusals import SAME_KIND
from murmurate.language.source import fault, is_own
from murmurate.language.tree import statements
from murmurate.syntax import syntax_tree


def blame(layout: Layout, text: str, error: Exception) -> Exception:
    """Return the RuleError for the kernels with this text, which failed to compile; the error
    itself where no function of a user's is in them."""
    library = Library(shared_functions())
    kernel_text(layout.plan, "float64", layout, library)
    functions = {name: tree for name, tree in library.trees.items() if is_own(tree.function)}
    if not functions:
        return error
    name, line = _culprit(str(error), text, library)
    if name not in functions:
        name, line = next(iter(functions)), None
    return fault(
        functions[name].function, line, "does not compile, though it runs as plain Python: "
        f"{SAME_KIND}, and only numbers can be computed with"
    )  # fmt: skip


def _culprit(message: str, text: str, library: Library) -> tuple[str, int | None]:
    """Return the function of a module's text that numba's message is about, and the line in the
    user's file: that of the same statement of the tree that the text was printed from."""
    found = re.search(r'murmurate_kernel_\w+\.py(?:", line |\s*\()(\d+)', message)
    at = int(found[1]) if found else 0
    for function in syntax_tree(text).body:
        last = function.end_lineno or function.lineno
        if not (isinstance(function, ast.FunctionDef) and function.lineno <= at <= last):
            continue
        if function.name in library.trees:
            count = sum(s.lineno <= at for s in _statements(function))
            own = list(statements(library.trees[function.name].body))
            return function.name, own[min(max(count, 1), len(own)) - 1].line or None
    return "", None


def _statements(function: ast.AST) -> list[ast.stmt]:
    """Return all statements of a function but those that do nothing, in the order of its text."""
    found: list[ast.stmt] = []
    for node in ast.iter_child_nodes(function):
        if isinstance(node, ast.stmt) and not isinstance(node, ast.Pass):
            found.append(node)
        found += _statements(node)
    return found

"""What a rule's function can and cannot do, and what to do instead: the texts of errors."""

from __future__ import annotations

import ast

BUILTINS: dict[str, tuple[int, int]] = {
    "abs": (1, 1), "bool": (1, 1), "float": (1, 1), "int": (1, 1), "len": (1, 1), "max": (2, 99),
    "min": (2, 99), "pow": (2, 2), "range": (1, 3), "round": (1, 2),
}  # fmt: skip
"""Functions of Python that rules may call, and how few and how many arguments they take."""
LISTS = "only numbers: write them as variables of their own, or as a tuple, (a, b, c)"
INSIDE = "write it as a function of its own, outside of the class and beside it"
FAILING = "a rule cannot fail: return a vector in every case, such as 0.0, 0.0, 0.0"
SAME_KIND = (
    "a variable must hold the same kind of thing, a number or a tuple of as many numbers, in all "
    "branches"
)
ONLY_NUMBERS = "though it runs as plain Python: only numbers can be computed with"
SIMPLE = "which a rule's function cannot"
REFUSED: dict[type[ast.AST], tuple[str, str]] = {
    ast.List: ("makes a list", LISTS),
    ast.Dict: ("makes a dict", LISTS),
    ast.Set: ("makes a set", LISTS),
    ast.ListComp: ("makes a list", f"{LISTS}; add up in a 'for' over a range"),
    ast.SetComp: ("makes a set", f"{LISTS}; add up in a 'for' over a range"),
    ast.DictComp: ("makes a dict", f"{LISTS}; add up in a 'for' over a range"),
    ast.GeneratorExp: ("makes a generator", "add up in a 'for' over a range"),
    ast.JoinedStr: ("makes a string", "only numbers; to look at one, print it in the reference "
                    "engine: --engine reference"),
    ast.Lambda: ("makes a function", INSIDE),
    ast.FunctionDef: ("makes a function", INSIDE),
    ast.AsyncFunctionDef: ("makes a function", INSIDE),
    ast.ClassDef: ("makes a class", "only numbers"),
    ast.Import: ("imports", "import at the top of the file"),
    ast.ImportFrom: ("imports", "import at the top of the file"),
    ast.Global: ("changes a global variable", "it may read numbers of the file only: return what "
                 "changes"),
    ast.Nonlocal: ("changes a variable outside", "return what changes"),
    ast.Delete: ("deletes a variable", "leave it out"),
    ast.Try: ("has a 'try'", FAILING),
    ast.Raise: ("raises an error", FAILING),
    ast.Assert: ("has an 'assert'", f"{FAILING}; or test it with an 'if'"),
    ast.With: ("has a 'with'", "leave it out: only numbers"),
    ast.Yield: ("yields", "return the numbers"),
    ast.YieldFrom: ("yields", "return the numbers"),
    ast.Await: ("waits", "return the numbers"),
    ast.NamedExpr: ("assigns within an expression", "assign on a line of its own"),
    ast.Starred: ("takes a tuple apart with '*'", "write the numbers out"),
}  # fmt: skip
ELSE = {
    ast.Slice: "a slice of a tuple",
    ast.MatMult: "the operator '@'",
    ast.Is: "'is': compare with '=='",
    ast.IsNot: "'is not': compare with '!='",
    ast.TryStar: "a 'try'",
    ast.AsyncFor: "an 'async for'",
    ast.AsyncWith: "an 'async with'",
    ast.MatchSequence: "a 'match' of a tuple: compare its numbers with an 'if'",
    ast.MatchStar: "a 'match' of a tuple: compare its numbers with an 'if'",
    ast.MatchMapping: "a 'match' of a dict: compare numbers with an 'if'",
    ast.MatchClass: "a 'match' of a class: compare numbers with an 'if'",
}
"""What is refused because kernels have no form for it."""
REMEMBER = (
    "what `self` holds stays as it is while a boid is steered. A rule that keeps a number of each "
    "boid from step to step names it in its class, keeps = ({name!r},), takes kept as the last "
    "argument, reads kept.{name}, and returns it behind the vector: return x, y, z, {name}"
)


def refusal(node: ast.AST) -> str:
    """Return what is wrong with a part of a function's text that is of a kind no kernel has."""
    if type(node) in REFUSED:
        found, instead = REFUSED[type(node)]
        return f"{found}, {SIMPLE}: {instead}"
    return f"has {ELSE.get(type(node), f'a {type(node).__name__}')}, {SIMPLE}"

"""A variable may change its kind, from a number to a tuple for example. Where its kind depends on a
branch or a loop, it cannot be read. numba has the same limits.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from test_printed_functions import in_python, module_of, outcome

from murmurate.errors import RuleError
from murmurate.language.library import Library
from murmurate.language.reader import Readings
from murmurate.language.tree import REAL

READ = {
    "in-sequence": """
    t = x + 1.0
    t = t, y
    return t[0], t[1], y
""",
    "each-in-its-branch": """
    if x > 0.0:
        t = 1.0
        r = t + 1.0
    elif y > 0.0:
        t = 1.0, x
        r = t[1]
    else:
        t = 1.0, x, y
        r = t[2]
    t = 3.0
    return r + t, x, y
""",
    "the-other-branch-returns": """
    t = 1.0
    if x > 0.0:
        t = 2.0, x
        return t[0], t[1], y
    return t, x, y
""",
    "in-a-loop": """
    r, t = 0.0, 2.0
    for k in range(3):
        if x > k:
            t = 1.0
            r += t + 1.0
        else:
            t = 1.0, x
            r += t[1]
        t = 2.0, r, x
        r += t[2]
    return r, x, y
""",
    "in-a-while": """
    t = 1.0
    while x < 3.0:
        t = x, y
        x = x + 1.0 + abs(t[0])
    t = x + 1.0
    return t, x, y
""",
    "in-a-match": """
    n = int(x)
    match n:
        case 0:
            t = 1.0, y
            r = t[1]
        case _:
            t = 0.5
            r = t
    return r, x, y
""",
}
REFUSED = {
    # the text, and the line in it that must be named
    "after-a-branch": ("""
    if x > 0.0:
        t = 1.0
    else:
        t = 1.0, x
    return t, x, y
""", 4),
    "by-the-next-turn-of-a-loop": ("""
    t = 1.0
    for k in range(3):
        x += t
        t = 1.0, x
    return x, x, y
""", 4),
    "after-a-loop-that-may-not-run": ("""
    t = 1.0
    for k in range(int(x)):
        t = 1.0, x
    return t, x, y
""", 3),
    "after-a-break": ("""
    t = 1.0
    for k in range(3):
        if k == 2:
            t = 1.0, x
            break
    return t, x, y
""", 4),
    "by-the-test-of-a-loop": ("""
    t = 1.0
    while t < 3.0:
        t = 1.0, x
    return x, x, y
""", 3),
}  # fmt: skip
HEAD = "def tried(x, y):"


@pytest.mark.parametrize("name", READ)
def test_each_value_is_read_as_what_it_is(tmp_path: Path, name: str) -> None:
    tried = module_of(tmp_path, HEAD + READ[name]).tried
    library = Library()
    printed = library.add(Readings().read(tried, [REAL, REAL]), "helper", "tried")
    again = in_python(library)[printed]
    for x in (-1.0, 0.5, 1.5, 4.0):
        assert outcome(again, x, 0.5) == outcome(tried, x, 0.5)


@pytest.mark.parametrize("name", REFUSED)
def test_what_may_be_of_two_kinds_is_not_read(tmp_path: Path, name: str) -> None:
    text, line = REFUSED[name]
    tried = module_of(tmp_path, HEAD + text).tried
    with pytest.raises(RuleError, match="'t' sometimes a number and sometimes a tuple") as caught:
        Readings().read(tried, [REAL, REAL])
    assert f"line {line + 1}:" in str(caught.value)
    assert str(caught.value).endswith(text.splitlines()[line].strip())


@pytest.mark.slow
@pytest.mark.parametrize("name", [*READ, *REFUSED])
def test_numba_has_the_same_limits(tmp_path: Path, name: str) -> None:
    import numba

    text = READ[name] if name in READ else REFUSED[name][0]
    compiled = numba.njit(module_of(tmp_path, HEAD + text).tried)
    if name in READ:
        compiled(1.5, 0.5)
        return
    with pytest.raises(numba.TypingError):
        compiled(1.5, 0.5)

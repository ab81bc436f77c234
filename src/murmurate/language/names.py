"""Issue the names of generated text that contain a user's words.

A text has two kinds of names. Names of templates and of murmurate, such as `chunk` or
`first_chunk`, never end with an underscore. Names with a user's words (flocks, rules, their
parameters and helper functions) are issued here and always end with one: `first` of the flock
`chunk` is `first_chunk_`. So the two kinds never clash.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable

LOCAL = "local"
"""Role of a variable of a function that is renamed in the text: see `local_name`."""


class Names:
    """The identifiers of one text: the same thing always has the same name, and no two things share
    a name.

    issued  all names issued so far
    """

    def __init__(self) -> None:
        self._names: dict[Hashable, str] = {}
        self.issued: set[str] = set()

    def of(self, role: str, *words: str, key: Hashable = None) -> str:
        """Return the name in the text of a thing that the user named.

        role   kind of thing, such as 'first': letters and digits
        words  the user's words: the name of a flock, or of a rule and its parameter
        key    distinguishes things of the same role and words, such as functions of the same name
        """
        identity = (role, words, key)
        if identity not in self._names:
            assert role.isalnum(), f"role {role!r}: got other characters than letters and digits"
            stem = "_".join([role, *(_identifier(word) for word in words)])
            self._names[identity] = self._new(stem)
        return self._names[identity]

    def _new(self, stem: str) -> str:
        """Return an unused name of this stem: flocks may be called `a-b` and `a_b`."""
        name, number = f"{stem}_", 1
        while name in self.issued:
            number += 1
            name = f"{stem}_{number}_"
        self.issued.add(name)
        return name


def is_template_name(name: str) -> bool:
    """Return whether a name has the form of templates' names, which users' names never have."""
    return name == "_" or not name.endswith("_")


def local_name(name: str) -> str:
    """Return the name of a user's variable whose own name has another meaning in the text."""
    return f"{LOCAL}_{name}_"


def is_local_name(name: str) -> bool:
    """Return whether a name has the form of `local_name`."""
    return name.startswith(f"{LOCAL}_") and name.endswith("_")


def _identifier(word: str) -> str:
    """Return a word as part of an identifier, in Python's normal form of identifiers."""
    return re.sub(r"\W", "_", unicodedata.normalize("NFKC", word))

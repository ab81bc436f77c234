"""Names of generated text: one table issues every identifier that is made of a user's words.

A text has two kinds of names. Those of templates and of murmurate itself, such as `chunk` or
`first_chunk`, never end with an underscore. Those of a user's words (flocks, rules, their
parameters and helper functions) are issued here and always do: `first` of the flock `chunk` is
`first_chunk_`. So none of a user's can be one of a template's, whatever the user calls things and
whatever templates are changed to.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable

LOCAL = "local"
"""The role of a function's variable that must have another name in the text: see `local_name`."""


class Names:
    """The identifiers of one text. What is asked for twice has the same name, and no two things
    have one name.

    issued  all names that were given out
    """

    def __init__(self) -> None:
        self._names: dict[Hashable, str] = {}
        self.issued: set[str] = set()

    def of(self, role: str, *words: str, key: Hashable = None) -> str:
        """Return the name that something of a user's has in the text.

        role   what it is, such as 'first': letters and digits
        words  the user's: the name of a flock; of a rule and its parameter
        key    tells apart what has the same role and words, such as two functions of the same name
        """
        wanted = (role, words, key)
        if wanted not in self._names:
            assert role.isalnum(), f"role {role!r}: got other characters than letters and digits"
            stem = "_".join([role, *(_identifier(word) for word in words)])
            self._names[wanted] = self._new(stem)
        return self._names[wanted]

    def _new(self, stem: str) -> str:
        """Return a name of this stem that was not issued yet: flocks may be `a-b` and `a_b`."""
        name, number = f"{stem}_", 1
        while name in self.issued:
            number += 1
            name = f"{stem}_{number}_"
        self.issued.add(name)
        return name


def is_own(name: str) -> bool:
    """Return whether a name may be one of templates: no user's has this form."""
    return name == "_" or not name.endswith("_")


def local_name(name: str) -> str:
    """Return the name of a user's variable where its own name means something else in the text."""
    return f"{LOCAL}_{name}_"


def is_local_name(name: str) -> bool:
    """Return whether a name has the form of those that `local_name` gives."""
    return name.startswith(f"{LOCAL}_") and name.endswith("_")


def _identifier(word: str) -> str:
    """Return a word as part of an identifier, in the form that Python compares identifiers in."""
    return re.sub(r"\W", "_", unicodedata.normalize("NFKC", word))

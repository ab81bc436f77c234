"""murmurate cite: the references of a model or a recording, and of murmurate."""

from __future__ import annotations

import re
from typing import Annotated

from cyclopts import Parameter

from murmurate.cli.terminal import say


def cite(
    what: Annotated[
        str,
        Parameter(
            help="A published flock (murmurate models), a model file ending in .toml, or a "
            "recording, NAME.zarr."
        ),
    ],
    /,
    *,
    bibtex: Annotated[bool, Parameter(help="Print them as BibTeX.")] = False,
) -> None:
    """Print the references of a model or a recording, and of murmurate.

    For instance:

        murmurate cite vicsek-1995
        murmurate cite flock.zarr --bibtex
    """
    from murmurate.model import citations
    from murmurate.model.files import model_text
    from murmurate.runs.sources import is_recording
    from murmurate.version import __version__

    said, version = None, __version__
    if is_recording(what):
        from murmurate.record import open as opened

        rec = opened(what)
        text, where, said = rec.header["model"], what, rec.citations
        flown = re.search(r"\bmurmurate (\S+?)(?:,|$)", rec.header["versions"])
        version = flown[1] if flown else version
    else:
        source = model_text(what)
        text, where = source.text, source.where
    if bibtex:
        say(citations.bibtex(citations.source_in(text, where), version))
        return
    for reference in said or citations.citations(citations.source_in(text, where)):
        say(" ".join(reference.split()))

"""Additions to a model's page on the site: a live flock, buttons with changes to try, the model
file, Python code, and what to cite."""

from __future__ import annotations

import html
import shlex
from collections.abc import Iterator
from typing import Any

from flocks import Flock, flocks
from sphinx.application import Sphinx

from murmurate.model import citations
from murmurate.model.files import model_text

ROOT = "../../"  # of the site, from the page of a flock
FENCE = "``````"


def add_flight(app: Sphinx, docname: str, source: list[str]) -> None:
    """Replace the still picture by a live flock, and append the other additions."""
    folder, _, name = docname.rpartition("/")
    if folder != "docs/models":
        return
    flock = flocks()[name]
    head, title, rest = source[0].split("\n\n", 2)
    if rest.startswith("!["):
        rest = rest.partition("\n\n")[2]
    live = "\n".join(_raw(_live(flock)))
    source[0] = "\n\n".join([head, title, live, rest, "\n".join(_more(flock))])


def _raw(lines: Iterator[str]) -> Iterator[str]:
    yield "```{raw} html"
    yield from lines
    yield "```"


def _live(flock: Flock) -> Iterator[str]:
    name, title = flock.name, html.escape(flock.model.title, quote=True)
    if not flock.live:
        yield f'<div class="flock large"><img src="{ROOT}live/{name}.png"'
        yield f'alt="{title}, a still picture" class="dark-light"></div>'
        yield '<p class="flock-facts">'
        yield f'<span class="badge">{_verdict(flock)}</span>' if flock.verdicts else ""
        yield f'<a href="{ROOT}gallery.html">All flocks</a></p>'
        return
    yield f'<div class="flock large" data-live="{ROOT}live/{name}.html" data-fly="seen">'
    yield f'<img src="{ROOT}live/{name}.png" alt="{title}, a still picture" class="dark-light">'
    yield f'<button type="button" class="fly" aria-label="Run {name}">Run</button></div>'
    yield '<div class="tries" role="group" aria-label="Changes to try">'
    yield '<button type="button" data-flock="" aria-pressed="true">As published</button>'
    for change in flock.tries:
        if change.works_in_page:
            hint = html.escape(change.settings, quote=True)
            yield (
                f'<button type="button" data-flock="{change.link}" aria-pressed="false" '
                f'title="{hint}">{html.escape(change.words)}</button>'
            )
    yield "</div>"
    yield '<p class="flock-facts">'
    yield f'<span class="badge">{_verdict(flock)}</span>' if flock.verdicts else ""
    yield f'<a href="{ROOT}live/{name}.html">Alone on a page</a>'
    yield f'<a href="{ROOT}compare.html#a={name}&amp;b={name}">Compare two settings</a>'
    yield f'<a href="{ROOT}gallery.html">All flocks</a></p>'


def _verdict(flock: Flock) -> str:
    agree = sum(verdict == "agrees" for verdict in flock.verdicts)
    return f"{agree} of {len(flock.verdicts)} results agree with the expected values"


def _more(flock: Flock) -> Iterator[str]:
    """Yield a section with tabs."""
    yield "## Run it yourself\n"
    yield f"{FENCE}{{tab-set}}"
    yield from _tab("Commands", "bash", _commands(flock))
    yield from _tab("Python", "python", _python(flock))
    source = model_text(flock.name)
    yield from _tab("The model file", "toml", source.text.strip())
    yield from _tab("The verify file", "toml", source.verify.strip())
    yield from _tab("Cite it", "bibtex", citations.bibtex(flock.model.source).strip())
    yield f"{FENCE}\n"


def _tab(title: str, language: str, text: str) -> Iterator[str]:
    yield f"`````{{tab-item}} {title}"
    yield f"````{language}\n{text}\n````"
    yield "`````"


def _commands(flock: Flock) -> str:
    name = flock.name
    setting = shlex.quote(flock.model.tries[0].partition(": ")[0])
    return "\n".join(
        [
            f"murmurate watch {name}                 # live in the browser",
            f"murmurate film {name}                  # {name}.mp4",
            f"murmurate film {name} --set {setting} -o changed.mp4",
            f"murmurate page {name} --live           # the page above as a file",
            f"murmurate verify {name}                # compare with the expected results",
            f"murmurate new {name} mine.toml         # copy it to your own file",
        ]
    )


def _python(flock: Flock) -> str:
    path, _, rest = flock.model.tries[0].partition("=")
    value = _literal(rest.partition(": ")[0])
    first = next(iter(flock.model.flocks))
    return "\n".join(
        [
            "import murmurate as mm",
            "",
            f'model = mm.load("{flock.name}")',
            "sim = mm.Simulation(model, seed=1).step(100)",
            f'flock = sim.frame["{first}"]',
            "print(mm.polarization(flock), flock.positions.shape)",
            "",
            f'changed = model.set({{"{path}": {value}}})',
            f'mm.film(changed, "{flock.name}.mp4")',
        ]
    )


def _literal(text: str) -> str:
    """Return a value of a model file as a Python literal."""
    return {"true": "True", "false": "False", "inf": 'float("inf")'}.get(text, text)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", add_flight)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

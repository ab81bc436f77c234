"""What a flock's page has on the site beside its Markdown: the flock in flight, things to try as
buttons, the model file, lines of Python, what to cite."""

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
    """Puts the live flock in the place of its still picture, and the rest at the end."""
    folder, _, name = docname.rpartition("/")
    if folder != "docs/models":
        return
    flock = flocks()[name]
    head, title, rest = source[0].split("\n\n", 2)
    if rest.startswith("!["):
        rest = rest.partition("\n\n")[2]
    live = "\n".join(_raw(_live(flock)))
    source[0] = "\n\n".join([head, title, live, rest, "\n".join(_yours(flock))])


def _raw(lines: Iterator[str]) -> Iterator[str]:
    yield "```{raw} html"
    yield from lines
    yield "```"


def _live(flock: Flock) -> Iterator[str]:
    name, title = flock.name, html.escape(flock.model.title, quote=True)
    yield f'<div class="flock large" data-live="{ROOT}live/{name}.html" data-fly="seen">'
    yield f'<img src="{ROOT}live/{name}.png" alt="{title}, a still picture" class="dark-light">'
    yield f'<button type="button" class="fly" aria-label="Fly {name}">Fly</button></div>'
    yield '<div class="tries" role="group" aria-label="What to try">'
    yield '<button type="button" data-flock="" aria-pressed="true">As published</button>'
    for one in flock.tries:
        if one.flies:
            hint = html.escape(one.settings, quote=True)
            yield (
                f'<button type="button" data-flock="{one.link}" aria-pressed="false" '
                f'title="{hint}">{html.escape(one.words)}</button>'
            )
    yield "</div>"
    yield '<p class="flock-facts">'
    yield f'<span class="badge">{_verdict(flock)}</span>' if flock.verdicts else ""
    yield f'<a href="{ROOT}live/{name}.html">Alone on a page</a>'
    yield f'<a href="{ROOT}compare.html#a={name}&amp;b={name}">Compare two settings</a>'
    yield f'<a href="{ROOT}gallery.html">All flocks</a></p>'


def _verdict(flock: Flock) -> str:
    agree = sum(verdict == "agrees" for verdict in flock.verdicts)
    return f"{agree} of {len(flock.verdicts)} results agree with what is expected"


def _yours(flock: Flock) -> Iterator[str]:
    """A section with tabs."""
    yield "## Fly it yourself\n"
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
            f"murmurate film {name} --set {setting}",
            f"murmurate page {name} --live           # the page above, to send to someone",
            f"murmurate verify {name}                # what it must give, flown and compared",
            f"murmurate new {name} mine.toml         # a file of your own",
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
    """A value of a model file as Python has it."""
    return {"true": "True", "false": "False", "inf": 'float("inf")'}.get(text, text)


def setup(app: Sphinx) -> dict[str, Any]:
    app.connect("source-read", add_flight)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""The card of a model in a notebook: title, source, rules as formulas, changes to try."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from murmurate.model.description import (
    describe_entry,
    describe_settings,
    fill_formula,
    first_paragraph,
    format_boids,
    format_number,
)
from murmurate.model.model import Model

CELL = 'style="text-align: left; vertical-align: top"'  # notebooks align cells to the right


def model_card(model: Model) -> str:
    """Return a model as HTML for a notebook. Nothing is simulated.

    Texts of the model are escaped, so that they cannot add elements or scripts.
    """
    space = model.space
    faces = space.boundary if isinstance(space.boundary, str) else ", ".join(space.boundary)
    facts = [
        ("space", f"{' x '.join(map(format_number, space.size))}, {faces}"),
        ("update", f"{model.order}, dt {format_number(model.dt)}"),
        ("obstacles", ", ".join(f"{name} ({o.kind})" for name, o in model.obstacles.items())),
        (
            "population",
            "; ".join(describe_entry(n, entry) for n, entry in model.population.items()),
        ),
    ]
    rows = [_row(name, escape(text), "th") for name, text in facts if text]
    if source := _source(model):
        rows.insert(0, _row("source", source, "th"))
    for name in model.flocks:
        rows.extend(_flock_rows(model, name))
    tries = "".join(f"<li><code>{escape(line)}</code></li>" for line in model.tries)
    return "".join([
        f'<div class="murmurate-model"><h3>{escape(model.title or model.name)}</h3>',
        _paragraph(" ".join(model.about.split())),
        f"<table>{''.join(rows)}</table>",
        f"<p>Try, with <code>set</code>:</p><ul>{tries}</ul>" if tries else "",
        "</div>",
    ])  # fmt: skip


def _source(model: Model) -> str:
    """Return the source as HTML, with links to its DOI and its address."""
    source = model.source
    doi = source.doi and _link(f"https://doi.org/{source.doi}", f"doi:{source.doi}")
    is_web = source.url.startswith(("https://", "http://"))
    url = _link(source.url, source.url) if is_web else escape(source.url)
    return ", ".join(filter(None, (escape(source.reference), doi, url)))


def _link(address: str, text: str) -> str:
    return f'<a href="{escape(address)}" target="_blank" rel="noreferrer">{escape(text)}</a>'


def _flock_rows(model: Model, name: str) -> Iterator[str]:
    """Yield a row for a flock, for its motion, and for each rule that moves it."""
    flock = model.flocks[name]
    summary = f"{format_boids(flock.count)}, start: {flock.start.kind}, by {flock.combine}"
    yield _row(name, f"<b>{escape(summary)}</b>", "th")
    motion = flock.motion
    formula = fill_formula(motion.formula, motion) or f"{first_paragraph(motion)} ({motion.kind})"
    yield _row("v ←", escape(formula))
    for rule_name, rule in model.moved_by(name).items():
        kind = "" if rule.kind == rule_name else f" ({rule.kind})"
        formula = fill_formula(rule.formula_as_set, rule) or first_paragraph(rule)
        settings = describe_settings(rule)
        note = f"<br><small>{escape(settings)}</small>" if settings else ""
        yield _row(rule_name + kind, escape(formula) + note)


def _row(name: str, html: str, tag: str = "td") -> str:
    """Return a row of a name, in an element `tag`, and of HTML."""
    name = escape(name).replace(" ", "&nbsp;")
    return f"<tr><{tag} {CELL}>{name}</{tag}><td {CELL}>{html}</td></tr>"


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>" if text else ""

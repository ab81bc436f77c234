"""The card of a model in a notebook: what it is, its source, rules as formulas, what to try."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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


def model_card(model: Model) -> str:
    """Return a model as HTML for a notebook. Nothing is simulated.

    Texts of the model are escaped, so that they cannot add elements or scripts.
    """
    space = model.space
    faces = space.boundary if isinstance(space.boundary, str) else ", ".join(space.boundary)
    facts = [
        ("source", _source(model)),
        ("space", f"{' x '.join(map(format_number, space.size))}, {faces}"),
        ("update", f"{model.order}, dt {format_number(model.dt)}"),
        ("obstacles", ", ".join(f"{name} ({o.kind})" for name, o in model.obstacles.items())),
        (
            "population",
            "; ".join(describe_entry(n, entry) for n, entry in model.population.items()),
        ),
    ]
    rows = [f"<tr><th>{name}</th><td>{escape(text)}</td></tr>" for name, text in facts if text]
    tries = "".join(f"<li><code>{escape(line)}</code></li>" for line in model.tries)
    return "".join([
        f'<div class="murmurate-model"><h3>{escape(model.title or model.name)}</h3>',
        _paragraph(" ".join(model.about.split())),
        _table(rows),
        *(_table(_flock_rows(model, name)) for name in model.flocks),
        f"<p>Try, with <code>set</code>:</p><ul>{tries}</ul>" if tries else "",
        "</div>",
    ])  # fmt: skip


def _source(model: Model) -> str:
    source = model.source
    return ", ".join(filter(None, (source.reference, source.doi and f"doi:{source.doi}",
                                   source.url)))  # fmt: skip


def _flock_rows(model: Model, name: str) -> Iterator[str]:
    """Yield a row for a flock, for its motion, and for each rule that moves it."""
    flock = model.flocks[name]
    summary = f"{format_boids(flock.count)}, start: {flock.start.kind}, by {flock.combine}"
    yield f"<tr><th>{escape(name)}</th><th>{escape(summary)}</th></tr>"
    motion = flock.motion
    formula = fill_formula(motion.formula, motion) or f"{first_paragraph(motion)} ({motion.kind})"
    yield f"<tr><td>v &larr;</td><td>{escape(formula)}</td></tr>"
    for rule_name, rule in model.moved_by(name).items():
        kind = "" if rule.kind == rule_name else f" ({rule.kind})"
        formula = fill_formula(rule.formula_as_set, rule) or first_paragraph(rule)
        settings = describe_settings(rule)
        note = f"<br><small>{escape(settings)}</small>" if settings else ""
        yield f"<tr><td>{escape(rule_name + kind)}</td><td>{escape(formula)}{note}</td></tr>"


def _table(rows: Iterable[str]) -> str:
    return f"<table>{''.join(rows)}</table>"


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>" if text else ""

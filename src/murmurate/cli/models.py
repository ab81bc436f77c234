"""murmurate models, show: the published flocks, one model, and its references."""

from __future__ import annotations

import json as json_text
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from murmurate.cli.options import Changes, Dtype, ModelName, load_model
from murmurate.cli.terminal import (
    console,
    make_table,
    print_error,
    print_line,
)
from murmurate.errors import CommandError
from murmurate.model.description import (
    describe_entry,
    describe_settings,
    fill_formula,
    first_paragraph,
    format_boids,
    format_number,
)
from murmurate.model.rule_functions import is_of_user, kind_class

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from murmurate.model.model import Model


def models(
    word: str | None = None,
    /,
    *,
    json: bool = False,
) -> None:
    """List the published flocks that come with murmurate.

    Film one by its name: murmurate film NAME.

    For instance:

        murmurate models
        murmurate models fish

    Parameters
    ----------
    word
        List only those about an animal, an author or a subject, such as fish.
    json
        Print them as JSON.
    """
    from murmurate.model.files import zoo

    listed = zoo()
    if word is not None:
        from murmurate.model.zoo_search import find_published

        names = find_published(word, listed)
        if not names:
            raise CommandError(
                f"{word}: got a word for no published flock; expected an animal, an author or a "
                "subject, such as fish, couzin or noise. murmurate models lists all flocks"
            )
        listed = {name: listed[name] for name in names}
    if json:
        print_line(json_text.dumps(model_rows(listed), indent=2))
    else:
        print_models(console(uncut=True), listed)


def show(
    model: ModelName,
    /,
    *,
    kernel: bool = False,
    toml: bool = False,
    verify: bool = False,
    cite: bool = False,
    bibtex: bool = False,
    dtype: Dtype = "float32",
    changes: Changes | None = None,
) -> None:
    """Show a model: its rules as formulas, its numbers, its source, and changes to try; or print
    references.

    For instance:

        murmurate show parker
        murmurate show mine.toml --set rules.cohesion.weight=0.05
        murmurate show starlings --kernel
        murmurate show starlings --toml
        murmurate show flock.zarr --cite

    Parameters
    ----------
    kernel
        Print the generated code of its kernels.
    toml
        Print its model file.
    verify
        Print its expectations and figures, which verify uses, as TOML.
    cite
        Print its references and those of murmurate, also of a recording.
    bibtex
        Print the references as BibTeX.
    dtype
        Precision of the code.
    """
    if cite or bibtex:
        _print_references(model, bibtex)
        return
    from murmurate.model.warnings import model_warnings

    changed = load_model(model, changes)
    if kernel:
        from murmurate.codegen.module_text import kernel_text
        from murmurate.codegen.planner import make_plan
        from murmurate.engines.cpu.thresholds import cpu_layout

        plan = make_plan(changed)
        print_line(kernel_text(plan, dtype, cpu_layout(plan)), end="")
    elif toml or verify:
        text, verify_text = _model_texts(model, changed, changes)
        print_line("\n".join([text] * toml + [verify_text] * verify), end="")
    else:
        print_model(console(), changed)
    for warning in model_warnings(changed, dtype):
        print_error(warning, "warning")


def _print_references(what: str, bibtex: bool) -> None:
    """Print the references of a model or a recording, and of murmurate."""
    from murmurate.model import citations
    from murmurate.model.files import model_text
    from murmurate.runs.sources import is_recording
    from murmurate.version import __version__

    recorded, version = None, __version__
    if is_recording(what):
        from murmurate.record import open as open_recording

        rec = open_recording(what)
        text, where, recorded = rec.header["model"], what, rec.citations
        match = re.search(r"\bmurmurate (\S+?)(?:,|$)", rec.header["versions"])
        version = match[1] if match else version
    else:
        source = model_text(what)
        text, where = source.text, source.where
    if bibtex:
        print_line(citations.bibtex(citations.source_in(text, where), version))
        return
    for reference in recorded or citations.citations(citations.source_in(text, where)):
        print_line(" ".join(reference.split()))


def _model_texts(name: str, changed: Model, changes: Changes | None) -> tuple[str, str]:
    """Return the model file and the verify file with their comments.

    If `changes` has any, both are made from the changed model.
    """
    from murmurate.model.files import model_text, to_toml

    if changes is not None and (changes.set or changes.boids is not None):
        return to_toml(changed, "model"), to_toml(changed, "verify")
    source = model_text(name)
    return source.text, source.verify


# --- the list of models


def model_rows(zoo: Mapping[str, str]) -> list[dict[str, Any]]:
    """Return a row per model: name, title, tags, boids, dims, flocks, reference, doi, url."""
    from murmurate.model.text_reader import read_toml

    rows = []
    for name, text in zoo.items():
        data = read_toml(text)
        flocks = {flock: table["count"] for flock, table in data["flocks"].items()}
        source = data.get("source", {})
        rows.append({
            "name": name, "title": data.get("title", ""), "tags": data.get("tags", []),
            "boids": sum(flocks.values()),
            "dims": len(data["space"]["size"]), "flocks": flocks,
            **{key: source.get(key, "") for key in ("reference", "doi", "url")},
        })  # fmt: skip
    return rows


def print_models(out: Console, zoo: Mapping[str, str]) -> None:
    """Print a line per model; two lines if the console is too narrow."""
    from rich.measure import Measurement
    from rich.text import Text

    rows = model_rows(zoo)
    table = make_table("model", "source", "boids", "dims", "what it is")
    for column in (2, 3):
        table.columns[column].justify = "right"
    for row in rows:
        table.add_row(
            Text(row["name"], "cyan"), Text(short_source(row["reference"])), f"{row['boids']}",
            f"{row['dims']}", Text(row["title"]),
        )  # fmt: skip
    if Measurement.get(out, out.options, table).maximum < out.width:
        out.print(table)
    else:
        _print_in_two_lines(out, rows)
    out.print(
        "\nmurmurate show NAME   murmurate film NAME   murmurate new NAME mine.toml   "
        "murmurate verify NAME",
        style="dim",
    )


def _print_in_two_lines(out: Console, rows: list[dict[str, Any]]) -> None:
    from rich.text import Text

    for row in rows:
        source = short_source(row["reference"])
        summary = f"{row['boids']} boids in {row['dims']}-D" + (f", {source}" if source else "")
        out.print(Text.assemble((row["name"], "cyan"), "  ", (summary, "dim")))
        _print_indented(out, Text(row["title"]))


def short_source(reference: str) -> str:
    """Return a reference up to its year: 'Couzin et al. 2002'."""
    reference = reference.split(";")[0]
    match = re.match(r"(.*?)[,(\s]*\b((?:19|20)\d\d)\b", reference, re.DOTALL)
    if not match:
        return re.split(r"[,:.]", reference, maxsplit=1)[0]
    names = re.split(r",\s+|\s+and\s+|\s*&\s*", match[1].strip(" ,("))
    return f"{names[0]} et al. {match[2]}" if len(names) > 2 else f"{match[1]} {match[2]}"


# --- one model


def print_model(out: Console, model: Model) -> None:
    """Print a model with its rules as formulas that contain its numbers."""
    from rich.text import Text

    out.print(Text(model.title or model.name, "bold"))
    if model.about.strip():
        out.print(Text(" ".join(model.about.split())))
    out.print()
    _print_source(out, model)
    space = model.space
    size = " x ".join(map(format_number, space.size))
    faces = space.boundary if isinstance(space.boundary, str) else ", ".join(space.boundary)
    out.print(Text.assemble(("space   ", "bold"), f"{size}, {faces}"))
    out.print(Text.assemble(("update  ", "bold"), f"{model.order}, dt {format_number(model.dt)}\n"))
    for name in model.flocks:
        _print_flock(out, model, name)
    if model.obstacles:
        named = ", ".join(f"{name} ({o.kind})" for name, o in model.obstacles.items())
        out.print(Text.assemble(("obstacles  ", "bold"), named))
    for entry_name, entry in model.population.items():
        out.print(Text.assemble(("population  ", "bold"), describe_entry(entry_name, entry)))
    if model.tries:
        out.print(Text("\nTry, with --set:", "bold"))
        for line in model.tries:
            _print_indented(out, Text(line))
    if model.expect or model.figure:
        counts = f"{len(model.expect)} expectations"
        panels = len(model.figure)
        counts += f", {panels} panel{'s' * (panels > 1)} of figures" if panels else ""
        out.print(Text.assemble(("\nverify  ", "bold"), counts, (" (--verify)", "dim")))


def _print_source(out: Console, model: Model) -> None:
    from rich.text import Text

    source = model.source
    parts = [source.reference, source.doi and f"doi:{source.doi}", source.url]
    if any(parts):
        out.print(Text.assemble(("source  ", "bold"), ", ".join(filter(None, parts))))
    if source.reading:
        out.print(Text.assemble(("read    ", "bold"), " ".join(source.reading.split())))


def _print_flock(out: Console, model: Model, name: str) -> None:
    """Print the motion and the rules of a flock."""
    from rich.text import Text

    flock = model.flocks[name]
    summary = f"  {format_boids(flock.count)}, start: {flock.start.kind}, by {flock.combine}"
    out.print(Text.assemble((name, "bold cyan"), summary))
    motion = flock.motion
    formula = fill_formula(motion.formula, motion) or f"{first_paragraph(motion)} ({motion.kind})"
    _print_indented(out, Text.assemble(("v <- ", "dim"), formula))
    for rule_name, rule in model.moved_by(name).items():
        kind = "" if rule.kind == rule_name else f" ({rule.kind})"
        formula, about = fill_formula(rule.formula_as_set, rule), first_paragraph(rule)
        line = formula or about or "has neither formula nor docstring"
        _print_indented(out, Text.assemble((rule_name, "green"), (kind, "dim"), f"  {line}"))
        users = is_of_user(kind_class(type(rule)))
        for note in (about if users and formula else "", describe_settings(rule)):
            if note:
                _print_indented(out, Text(note, "dim"), 6)


def _print_indented(out: Console, text: Text, by: int = 2) -> None:
    from rich.padding import Padding

    out.print(Padding(text, (0, 0, 0, by), expand=False))

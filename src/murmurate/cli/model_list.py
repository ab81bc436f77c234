"""The list of published flocks: as a table that fits its terminal, or as plain values."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.measure import Measurement
from rich.padding import Padding
from rich.text import Text

from murmurate.cli.tables import table
from murmurate.model.text_reader import read_toml


def model_rows(zoo: Mapping[str, str]) -> list[dict[str, Any]]:
    """A row a model: name, title, boids, dims, flocks (name -> boids), reference, doi, url."""
    rows = []
    for name, text in zoo.items():
        data = read_toml(text)
        flocks = {flock: one["count"] for flock, one in data["flocks"].items()}
        source = data.get("source", {})
        rows.append({
            "name": name, "title": data.get("title", ""), "boids": sum(flocks.values()),
            "dims": len(data["space"]["size"]), "flocks": flocks,
            **{key: source.get(key, "") for key in ("reference", "doi", "url")},
        })  # fmt: skip
    return rows


def print_models(out: Console, zoo: Mapping[str, str]) -> None:
    """A line a model; on a console that is too narrow for that, two."""
    rows = model_rows(zoo)
    wide = table("model", "source", "boids", "dims", "what it is")
    for column in (2, 3):
        wide.columns[column].justify = "right"
    for row in rows:
        wide.add_row(
            Text(row["name"], "cyan"), Text(short_source(row["reference"])), f"{row['boids']}",
            f"{row['dims']}", Text(row["title"]),
        )  # fmt: skip
    if Measurement.get(out, out.options, wide).maximum < out.width:
        out.print(wide)
    else:
        _print_in_two_lines(out, rows)
    out.print(
        "\nmurmurate show NAME   murmurate film NAME   murmurate new NAME mine.toml   "
        "murmurate verify NAME",
        style="dim",
    )


def _print_in_two_lines(out: Console, rows: list[dict[str, Any]]) -> None:
    for row in rows:
        source = short_source(row["reference"])
        said = f"{row['boids']} boids in {row['dims']}-D" + (f", {source}" if source else "")
        out.print(Text.assemble((row["name"], "cyan"), "  ", (said, "dim")))
        out.print(Padding(Text(row["title"]), (0, 0, 0, 2), expand=False))


def short_source(reference: str) -> str:
    """A reference up to its year: 'Couzin et al. 2002'."""
    reference = reference.split(";")[0]
    found = re.match(r"(.*?)[,(\s]*\b((?:19|20)\d\d)\b", reference, re.DOTALL)
    if not found:
        return re.split(r"[,:.]", reference, maxsplit=1)[0]
    names = re.split(r",\s+|\s+and\s+|\s*&\s*", found[1].strip(" ,("))
    return f"{names[0]} et al. {found[2]}" if len(names) > 2 else f"{found[1]} {found[2]}"

"""murmurate show --cite: references of models and recordings, as text and as BibTeX."""

from __future__ import annotations

import re
import sys

import pytest

import murmurate as mm
from cases import cases
from processes import ran_well


@pytest.mark.slow
@cases("name", mm.zoo())
def test_every_published_flock_is_cited(murmurate, name) -> None:
    source = mm.load(name).source
    plain = murmurate("show", "--cite", name)
    assert plain.code == 0 and plain.out.splitlines()[-1].startswith(f"murmurate {mm.__version__}")
    assert " ".join(source.reference.split()) in plain.out
    bibtex = murmurate("show", "--cite", name, "--bibtex").out
    entries = re.findall(r"@(article|misc)\{(\w+),\n((?:  \w+ = \{.*\},\n)+)\}\n", bibtex)
    assert len(entries) == bibtex.count("@") and entries[-1][1] == "murmurate"
    keys = [key for _, key, _ in entries]
    assert len(set(keys)) == len(keys)
    assert source.doi in bibtex and source.url in bibtex
    for word in re.findall(r"\w{4,}", source.reference.split(";")[0].replace("murmurate", "")):
        assert word in bibtex


def test_bibtex_of_an_article(murmurate) -> None:
    bibtex = murmurate("show", "--cite", "couzin-2002", "--bibtex").out
    assert bibtex.startswith(
        "@article{couzin2002,\n"
        "  author = {Couzin and Krause and James and Ruxton and Franks},\n"
        "  year = {2002},\n"
        "  title = {Collective memory and spatial sorting in animal groups},\n"
        "  journal = {Journal of Theoretical Biology},\n"
        "  volume = {218},\n"
        "  pages = {1-11},\n"
        "  doi = {10.1006/jtbi.2002.3065},\n"
        "}\n"
    )
    commas = murmurate("show", "--cite", "dorsogna-2006", "--bibtex").out
    assert "title = {Self-propelled particles with soft-core interactions: patterns, stability, " \
        "and collapse}" in commas  # fmt: skip
    two = murmurate("show", "--cite", "topological", "--bibtex").out
    assert "@article{ginelli2010," in two and "author = {Ballerini and others}" in two


def test_a_model_of_ones_own_whose_rules_are_not_known(murmurate, tmp_path) -> None:
    (tmp_path / "mine.toml").write_text(
        '[source]\nreference = "Me & You 2020, 100% {new}"\n[rules.x]\nkind = "of-my-own"\n'
    )
    bibtex = murmurate("show", "--cite", "mine.toml", "--bibtex").out
    assert r"author = {Me \& You}" in bibtex
    assert r"title = {100\% \textbraceleft new\textbraceright }" in bibtex
    assert murmurate("show", "--cite", "tiny.toml").out.startswith("murmurate ")
    (tmp_path / "bad.toml").write_text("source = 3\n")
    assert "[source]" in murmurate("show", "--cite", "bad.toml").err
    unknown = murmurate("show", "--cite", "vicsek-1996")
    assert unknown.code == 2 and "did you mean" in unknown.err


def test_a_recording_is_cited_as_its_model(murmurate) -> None:
    murmurate("run", "ucl", "--boids", 5, "--engine", "reference", "--steps", 1, "-o", "a.zarr",
              "--quiet")  # fmt: skip
    for option in ("--cite", "--bibtex"):
        assert murmurate("show", option, "a.zarr").out == murmurate("show", option, "ucl").out


@pytest.mark.slow
def test_a_model_is_cited_without_zarr_or_a_compiler() -> None:
    code = (
        "import sys; sys.modules.update(zarr=None, numba=None, xarray=None); "
        "from murmurate.cli import main; sys.exit(main(['show', 'vicsek-1995', '--cite']))"
    )
    assert "Novel type of phase transition" in ran_well(sys.executable, "-c", code)

"""Published flocks are found by animals, authors and subjects, and never in place of a file."""

from __future__ import annotations

import re

import pytest

import murmurate as mm
from murmurate.cli import main
from murmurate.model.zoo_search import find_published, plain, published_facts

AUTHORS = re.compile(r"(?P<names>\D+?) (?:19|20)\d\d[,;]")


@pytest.mark.parametrize(
    ("word", "names"),
    [
        ("vicsek", ["vicsek-1995"]),  # vasarhelyi-2018 has the author too
        ("Couzin", ["couzin-2002", "couzin-2005", "jolles-2017"]),
        ("sheep", ["strombom-2014"]),
        ("D'Orsogna", ["dorsogna-2006"]),
        ("olfati saber", ["olfati-saber-2006"]),
        ("pikes", ["river"]),
        ("reynolds", ["agentpy-2d", "agentpy-3d", "p5", "parker", "reynolds-1987", "ucl"]),
        ("sort", ["sort-sol", "sort-sol-hunt", "sort-sol-near"]),
        ("bird.toml", []),
        ("zebra", []),
        ("", []),
    ],
)
def test_a_word_finds_flocks(word, names):
    assert list(find_published(word, mm.zoo())) == names


@pytest.mark.parametrize("name", mm.zoo())
def test_every_published_flock_states_its_subjects_and_authors(name):
    tags = published_facts(mm.zoo()[name])["tags"]
    model = mm.load(name)
    assert model.tags == tags and len(set(map(plain, tags))) == len(tags) >= 4
    matches = [find_published(tag, mm.zoo()) for tag in tags]
    assert all(name in names or len(names) == 1 for names in matches)
    match = AUTHORS.match(model.source.reference)
    if match and not model.source.reference.startswith("murmurate"):
        authors = re.split(r", | and ", match["names"])
        assert {plain(author) for author in authors} <= set(map(plain, tags))


def test_tags_change_no_flock():
    model = mm.load("vicsek-1995")
    assert model.set({"tags": []}).fingerprint() == model.fingerprint()


def test_a_command_runs_the_only_flock_and_says_which(capsys):
    assert main(["show", "sheep"]) == 0
    printed = capsys.readouterr()
    assert "note: sheep is strombom-2014: Strombom's shepherd" in printed.err
    assert printed.out.startswith("Strombom's shepherd")


def test_a_command_lists_several_flocks(capsys):
    assert main(["film", "fish"]) == 2
    printed = capsys.readouterr().err
    assert "fish: got a word for 6 published flocks" in printed and "\n  river " in printed


def test_a_file_comes_before_a_word(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sheep").write_text(mm.to_toml("ucl", "model"))
    assert main(["show", "sheep"]) == 0
    assert "UCL" in capsys.readouterr().out


def test_models_lists_those_of_a_word(capsys):
    assert main(["models", "drones"]) == 0
    assert "vasarhelyi-2018" in (printed := capsys.readouterr().out) and "starlings" not in printed
    assert main(["models", "zebra"]) == 2
    assert "zebra: got a word for no published flock" in capsys.readouterr().err


def test_python_asks_for_a_name():
    with pytest.raises(mm.ModelError, match=r"(?s)got the name of no model.*\n  strombom-2014 "):
        mm.load("sheep")

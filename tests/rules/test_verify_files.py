"""Verify files: expectations and figures in a second file, beside the model file."""

from __future__ import annotations

from pathlib import Path

import pytest

import murmurate as mm

MODEL = "[space]\nsize = [10, 10]\n[flocks.boids]\ncount = 3\n"
VERIFY = """\
[[expect]]
measure = "polarization"
step = 2
low = 0.5

[[figure]]
title = "Order"
x = "boids"
y = "polarization"
measure = "polarization"
vary = { "flocks.boids.count" = [2, 3] }
step = 4
"""


def write(folder: Path, model: str = MODEL, verify: str = VERIFY) -> Path:
    (folder / "mine.toml").write_text(model, encoding="utf-8")
    (folder / "mine.verify.toml").write_text(verify, encoding="utf-8")
    return folder / "mine.toml"


def test_two_files_are_the_same_model_as_one_file(tmp_path: Path) -> None:
    two = mm.load(write(tmp_path))
    (tmp_path / "one").mkdir()
    one_file = tmp_path / "one" / "mine.toml"
    one_file.write_text(MODEL + VERIFY, encoding="utf-8")
    assert two == mm.load(one_file)
    assert two.fingerprint() == mm.load(one_file).fingerprint()
    assert (len(two.expect), len(two.figure)) == (1, 1)


def test_a_folder_and_a_path_as_text_make_no_difference(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert mm.load("mine.toml") == mm.load(path) == mm.load(str(path))


def test_each_part_is_text_of_its_own(tmp_path: Path) -> None:
    model = mm.load(write(tmp_path))
    (tmp_path / "again").mkdir()
    path = write(tmp_path / "again", mm.to_toml(model, "model"), mm.to_toml(model, "verify"))
    assert "expect" not in path.read_text(encoding="utf-8")
    assert mm.load(path) == model
    assert mm.parse(mm.to_toml(model)) == model


def test_an_empty_verify_file_adds_nothing(tmp_path: Path) -> None:
    assert mm.load(write(tmp_path, verify="")).expect == ()
    assert mm.load(write(tmp_path, verify="# to be written\n")).expect == ()


@pytest.mark.parametrize(
    ("verify", "words"),
    [
        ("[[expect]", ["not a TOML file"]),
        ("dt = 2", ["got dt", "[[expect]] and [[figure]]", "Move the rest to"]),
        (MODEL, ["got space, flocks"]),
        ('[[expect]]\nmeasure = "polarization"\n', ["expect.0"]),
        ("expect = 3", ["expect"]),
    ],
)
def test_errors_name_the_verify_file(tmp_path: Path, verify: str, words: list[str]) -> None:
    with pytest.raises(mm.ModelError) as error:
        mm.load(write(tmp_path, verify=verify))
    for line in str(error.value).splitlines():
        assert line.startswith(f"{tmp_path / 'mine.verify.toml'}: ")
    for word in words:
        assert word in str(error.value)


def test_each_error_names_its_own_file(tmp_path: Path) -> None:
    verify = VERIFY.replace("step = 2", "step = -2")
    with pytest.raises(mm.ModelError) as error:
        mm.load(write(tmp_path, MODEL.replace("count = 3", "count = -3"), verify))
    first, second = str(error.value).splitlines()
    assert first.startswith(f"{tmp_path / 'mine.toml'}: flocks.boids.count")
    assert second.startswith(f"{tmp_path / 'mine.verify.toml'}: expect.0.step")


def test_expectations_stand_in_one_of_the_two_files(tmp_path: Path) -> None:
    with pytest.raises(mm.ModelError, match=r"mine\.toml has too"):
        mm.load(write(tmp_path, MODEL + VERIFY, VERIFY))
    expect, figure = VERIFY.split("[[figure]]")
    both = mm.load(write(tmp_path, MODEL + expect, f"[[figure]]{figure}"))
    assert (len(both.expect), len(both.figure)) == (1, 1)


def test_a_verify_file_alone_is_no_model(tmp_path: Path) -> None:
    write(tmp_path)
    with pytest.raises(mm.ModelError, match=r"Name .*mine.toml instead"):
        mm.load(tmp_path / "mine.verify.toml")


def test_a_verify_file_that_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(MODEL, encoding="utf-8")
    (tmp_path / "mine.verify.toml").mkdir()
    with pytest.raises(mm.ModelError, match=r"mine\.verify\.toml"):
        mm.load(tmp_path / "mine.toml")


@pytest.mark.parametrize("name", mm.zoo())
def test_the_zoo_is_in_two_files_that_its_text_joins(name: str) -> None:
    folder = Path(mm.__file__).parent / "zoo"
    model = mm.load(name)
    assert mm.load(folder / f"{name}.toml") == model
    assert mm.parse(mm.zoo()[name], f"{name}.toml") == model
    text = (folder / f"{name}.toml").read_text(encoding="utf-8")
    alone = mm.parse(text, f"{name}.toml")
    assert (alone.expect, alone.figure) == ((), ())
    assert text.count("\n") <= 150

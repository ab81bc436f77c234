"""Names of models: files that are named after them stay in their folder."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel, ValidationError

import murmurate as mm
from murmurate.model.messages import format_first_error
from murmurate.model.names import MAX_LENGTH, file_name, name_error, usable_name, with_ending

GOOD = [
    "model", "vicsek-1995", "Vicsek 1995 (2-D)", "my_flock.2", "étourneaux", "e\u0301tourneaux",
    "椋鳥", "ספרים", "हिन्दी", "_x", "a" * MAX_LENGTH, "consul", "2 flocks, 1 hawk",
]  # fmt: skip
BAD = [
    "", ".", "..", "../x", "/somewhere/x", "a/b", "a\\b", "C:x", ".hidden", " x", "x ", "x.",
    "-rf", "a\0b", "a\nb", "a\x1b[31mb", "a\u202eb", "a\u2028b", "\ud800", "a" * (MAX_LENGTH + 1),
    "𒀀" * MAX_LENGTH, "con", "NUL", "com1.mp4", "lpt¹", "aux .x", "%05d", "a*b", "a?b", "<b>", '"',
]  # fmt: skip
MODEL = {"space": {"size": [9, 9]}, "flocks": {"boids": {"count": 2}}}


@pytest.mark.parametrize("name", GOOD)
def test_reasonable_names_are_kept(name: str) -> None:
    assert mm.Model(name=name, **MODEL).name == name
    assert file_name(name, ".mp4") == f"{name}.mp4"


@pytest.mark.parametrize("name", BAD)
def test_others_are_refused_in_a_short_line(name: str) -> None:
    with pytest.raises(mm.ModelError) as error:
        mm.Model(name=name, **MODEL)
    (line,) = str(error.value).splitlines()
    assert line.startswith("name: ") and line.isprintable() and len(line) < 300


@pytest.mark.parametrize("name", [*GOOD, *BAD])
def test_a_file_s_name_is_never_a_path(name: str, tmp_path: Path) -> None:
    named = file_name(name, ".html")
    assert Path(named).name == named and not named.startswith((".", "-", " "))
    (tmp_path / named).write_text("")
    assert not name_error(usable_name(name))


def test_a_file_s_own_name_becomes_a_name_that_is_allowed(tmp_path: Path) -> None:
    for stem, name in {"my flock": "my flock", ".a:b*": "a-b-", "con": "_con"}.items():
        file = tmp_path / f"{stem}.toml"
        file.write_text("[space]\nsize = [9, 9]\n[flocks.boids]\ncount = 2\n")
        assert mm.load(file).name == name


@pytest.mark.parametrize("table", ["flocks", "rules", "obstacles"])
def test_names_in_a_model_have_a_length_too(table: str) -> None:
    part = {
        "flocks": {"count": 1},
        "rules": {"kind": "wind", "vector": [1, 0]},
        "obstacles": {"kind": "sphere", "centre": [5, 5], "radius": 1},
    }[table]
    tables = {**MODEL, table: {**MODEL.get(table, {}), "a" * 65: part}}
    with pytest.raises(mm.ModelError, match=r"a letter .* followed by at most 63"):
        mm.Model(**tables)


@pytest.mark.parametrize(
    "path, proposed",
    [
        ("out/a.dat", "out/a.zarr"),
        ("out/a", "out/a.zarr"),
        (".", "NAME.zarr"),
        ("out/..", "out/NAME.zarr"),
    ],
)
def test_a_proposed_path_is_in_the_same_folder(path: str, proposed: str) -> None:
    assert with_ending(Path(path), ".zarr") == Path(proposed)


@pytest.mark.parametrize("make, ending", [(mm.film, ".mp4"), (mm.still, ".png")])
def test_films_and_stills_are_in_the_folder_of_the_run(
    make, ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """This holds for a model whose name was never checked, too."""
    monkeypatch.chdir(tmp_path)
    view = {"steps": 1, "size": [64, 64]}
    model = mm.Model(**MODEL, view=view).model_copy(update={"name": str(tmp_path.parent / "x")})
    make(model, options=mm.RunOptions(engine="reference"))
    (file,) = tmp_path.iterdir()
    assert file.suffix == ending


def test_the_first_of_several_errors_is_named() -> None:
    class Table(BaseModel):
        first: int
        second: int

    with pytest.raises(ValidationError) as error:
        Table(first="one", second="two")  # type: ignore[arg-type]
    assert format_first_error(error.value).startswith("first: got 'one'; expected a valid integer")

"""The files beside the package: one version everywhere, what is promised is tested."""

from __future__ import annotations

import re
import shlex
import subprocess
import tomllib
from typing import Any

import pytest
from page_blocks import ROOT

import murmurate
from cases import cases

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
CITATION = ROOT / "CITATION.cff"
WORKFLOW = ROOT / ".github" / "workflows" / "tests.yml"
HOOKS = ROOT / ".pre-commit-config.yaml"
NEEDED = {"cff-version", "message", "title", "authors"}  # by the Citation File Format 1.2.0
KNOWN = NEEDED | {
    "type",
    "version",
    "license",
    "abstract",
    "keywords",
    "date-released",
    "doi",
    "url",
}
KNOWN |= {"repository-code"}


def citation() -> dict[str, str]:
    """The keys of the first level, with what stands in their line."""
    lines = CITATION.read_text(encoding="utf-8").splitlines()
    assert all(re.match(r"[a-z-]+:|  - \S|    \S", line) for line in lines), "not plain enough YAML"
    pairs = [line.partition(":") for line in lines if not line.startswith(" ")]
    keys = [key for key, _, _ in pairs]
    assert len(set(keys)) == len(keys)
    return {key: value.strip().strip('"') for key, _, value in pairs}


def test_the_version_is_read_from_one_file() -> None:
    assert "version" not in PROJECT["project"] and "version" in PROJECT["project"]["dynamic"]
    text = (ROOT / PROJECT["tool"]["hatch"]["version"]["path"]).read_text(encoding="utf-8")
    assert re.findall(r'^__version__ = "(.+)"$', text, re.MULTILINE) == [murmurate.__version__]
    assert re.fullmatch(r"\d+\.\d+\.\d+", murmurate.__version__)


def test_the_citation_has_the_version_and_what_the_format_needs() -> None:
    found = citation()
    assert set(found) >= NEEDED and set(found) <= KNOWN
    assert found["cff-version"] == "1.2.0" and found["type"] == "software"
    assert found["version"] == murmurate.__version__
    assert found["license"] == PROJECT["project"]["license"]


def test_the_newest_entry_of_the_changelog_is_of_this_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    newest = next(v for v in re.findall(r"^## (\S+)", text, re.MULTILINE) if v != "Unreleased")
    assert newest == murmurate.__version__


def test_the_citation_is_yaml() -> None:
    yaml = pytest.importorskip("yaml")
    found = yaml.safe_load(CITATION.read_text(encoding="utf-8"))
    assert found["authors"] and all("name" in author for author in found["authors"])
    assert set(found["keywords"]) == set(PROJECT["project"]["keywords"])
    assert {key: str(value) for key, value in found.items() if isinstance(value, str | float)} == {
        key: value for key, value in citation().items() if value
    }


def test_the_workflow_tests_what_is_promised() -> None:
    prefix = "Programming Language :: Python :: 3."
    promised = [c for c in PROJECT["project"]["classifiers"] if c.startswith(prefix)]
    text = WORKFLOW.read_text(encoding="utf-8")
    versions = re.findall(r'"(3\.\d+)"', text)
    assert versions == [c.rpartition(" ")[2] for c in promised]
    assert PROJECT["project"]["requires-python"] == f">={versions[0]}"
    assert all(f"{system}-latest" in text for system in ("ubuntu", "macos", "windows"))
    assert "has not been run" in text


def test_numba_is_bounded_to_what_was_tried() -> None:
    """codegen/kernel_compiler.py patches a private method of it."""
    bound = next(d for d in PROJECT["project"]["dependencies"] if d.startswith("numba"))
    assert re.fullmatch(r"numba>=0\.\d+,<0\.\d+", bound)


def test_the_extra_all_has_every_extra_of_users() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    (named,) = re.findall(r"^murmurate\[(.+)\]$", "\n".join(extras["all"]), re.MULTILINE)
    assert sorted(named.split(",")) == sorted({*extras} - {"all", "test", "docs", "bench"})


def test_hooks_are_local_and_run_what_is_installed() -> None:
    yaml = pytest.importorskip("yaml")
    config = yaml.safe_load(HOOKS.read_text(encoding="utf-8"))
    assert [repo["repo"] for repo in config["repos"]] == ["local"]
    installed = " ".join(PROJECT["project"]["optional-dependencies"]["test"])
    for hook in config["repos"][0]["hooks"]:
        if hook["language"] == "system":
            program = shlex.split(hook["entry"])[0]
            assert program == "python" or program in installed, hook["id"]
        else:
            assert hook["language"] == "pygrep" and re.compile(hook["entry"])


def test_files_pass_the_hooks_for_text() -> None:
    yaml = pytest.importorskip("yaml")
    listed = subprocess.run(
        ["git", "ls-files", "-z", "*.py", "*.md", "*.toml", "*.ts", "*.yml", "*.yaml", "*.cff"],
        cwd=ROOT, capture_output=True, text=True,
    )  # fmt: skip
    if listed.returncode:
        pytest.skip("not a checkout of git")
    hooks = yaml.safe_load(HOOKS.read_text(encoding="utf-8"))["repos"][0]["hooks"]
    hooks = [hook for hook in hooks if hook["language"] == "pygrep"]
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            text = (ROOT / name).read_text(encoding="utf-8")
            for hook in hooks:
                left_out = re.search(hook.get("exclude", "^$"), name)
                found = re.search(hook["entry"], text, re.MULTILINE)
                assert left_out or not found, f"{name}: {hook['name']}"


def test_the_files_that_changes_touch_are_there() -> None:
    """The table of CONTRIBUTING.md: three files each, six for a neighbour search; names in capitals
    stand for new ones."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("| to add | files |")[1]
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \|$", text, re.MULTILINE)
    assert len(rows) >= 6
    for change, files in rows:
        names = files.split(",")
        assert len(names) <= (6 if "neighbour search" in change else 3), change
        for name in re.findall(r"`([^`]+)`", files):
            name = re.sub(r"[A-Z]{4,}", "*", name)
            places = (ROOT / "src" / "murmurate", ROOT)
            assert any(list(place.glob(name)) for place in places), f"{change}: {name}"


ARCHITECTURE = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
PACKAGE = ROOT / "src" / "murmurate"
FOLDERS = [ROOT, PACKAGE, *(p for p in PACKAGE.rglob("*") if p.is_dir())]


@cases("name", sorted(set(re.findall(r"`([\w./-]+)`", ARCHITECTURE))))
def test_files_and_folders_named_in_the_architecture_exist(name: str) -> None:
    is_path = name.endswith(("/", ".py", ".pyi", ".j2", ".toml", ".ts")) or "/" in name
    if is_path and not re.search(r"NAME|FAMILY", name):
        assert any((folder / name).exists() for folder in FOLDERS), name


def test_the_architecture_names_every_package() -> None:
    packages = {p.parent.name for p in PACKAGE.glob("*/__init__.py")} | {"zoo"}
    named = set(re.findall(r"`(\w+)/`", ARCHITECTURE))
    assert packages <= named, packages - named


def test_files_that_texts_name_exist() -> None:
    """Names of files in ARCHITECTURE.md, guarantees.md, in templates and comments of the viewer."""
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("the repository is needed")
    files = listed.stdout.split()
    texts = [file for file in files if file in ("ARCHITECTURE.md", "docs/guarantees.md")]
    texts += [file for file in files if file.startswith("viewer/src/") or file.endswith(".j2")]
    named = re.compile(r"(?<![\w./*-])(?:[\w-]+/)*[\w-]+\.(?:py(?:\.j2)?|ts|wgsl)\b(?!/)")
    wrong = [
        f"{text}: {name}"
        for text in texts
        for name in named.findall((ROOT / text).read_text(encoding="utf-8"))
        if not re.search("[A-Z]{4}", name)  # as FAMILY.py
        and not any(f"/{file}".endswith(f"/{name}") for file in files)
    ]
    assert not wrong, "\n".join(wrong)

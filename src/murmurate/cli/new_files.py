"""murmurate new, schema: model files and rule files to edit."""

from __future__ import annotations

import keyword
import re
import shlex
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from murmurate.cli.options import ModelName
from murmurate.cli.terminal import UNWRITABLE, print_line
from murmurate.disk import check_folder, check_writable, read_text, write_file
from murmurate.errors import CommandError

KIND = re.compile(r"[a-z][a-z0-9]{0,30}(-[a-z][a-z0-9]{0,30}){0,3}")
OTHER_MODULES = ("murmurate", "numpy", "numba", "pytest", "pydantic", "scipy")
STEM = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
SCHEMA = "murmurate.schema.json"
SCHEMA_LINE = f"#:schema ./{SCHEMA}\n"
"""The first line of a model file, which tells editors based on Taplo where the schema is."""


def new(
    model: ModelName | None = None,
    file: Path | None = None,
    /,
    *,
    output: Annotated[Path | None, Parameter(name=("--output", "-o"))] = None,
    rule: str | None = None,
    motion: str | None = None,
    force: bool = False,
) -> None:
    """Copy a model to a file to edit; or write a rule or motion of your own.

    Expectations and figures go to a second file, NAME.verify.toml, which murmurate verify uses;
    everything else works without it. A third file, murmurate.schema.json, is for editors: they
    complete keys, explain them, and mark mistakes.

    For instance:

        murmurate new sort-sol mine.toml
        murmurate film mine.toml
        murmurate new --rule swirl
        murmurate watch swirl.toml --rules swirl.py

    Parameters
    ----------
    file
        The file to write. Default: NAME.toml in this folder.
    output
        The file to write, as FILE.
    rule
        Write a rule of this name instead: NAME.py, its test, and a model that uses it. A name has
        lower-case letters, digits and hyphens.
    motion
        Write a motion of this name instead, as --rule does.
    force
        Replace existing files.
    """
    named = {"MODEL": model, "--rule": rule, "--motion": motion}
    passed = [word for word, value in named.items() if value is not None]
    if len(passed) != 1:
        raise CommandError(
            f"new: got {' and '.join(passed) or 'nothing'}; expected one of MODEL, --rule NAME and "
            "--motion NAME, such as murmurate new starlings"
        )
    if file is not None and output is not None:
        raise CommandError(f"--output {output}: got it with {file}; expected one of them")
    if model is not None:
        _copy_model(model, file or output, force)
    else:
        _write_rule(rule or motion or "", output, rule is None, force)


def _copy_model(model: str, file: Path | None, force: bool) -> None:
    from murmurate.model.files import model_text, parse_texts, verify_path
    from murmurate.model.names import with_ending
    from murmurate.show.output import check_apart

    source = model_text(model)
    parse_texts(source)
    path = file or Path(Path(source.where).name)
    if path.suffix != ".toml":
        raise CommandError(
            f"{path}: got ending {path.suffix!r}; expected .toml. Use {with_ending(path, '.toml')}"
        )
    check_folder(path, CommandError)
    if Path(model).is_file():
        check_apart(path, model)
    second = verify_path(path)
    if second.exists() and (not source.verify if force else not path.exists()):
        problem = f"{second} exists, and would be read together with {path}"
        remedy = ", or --force" if source.verify else ""
        raise CommandError(f"{problem}; give another name{remedy}")
    text = with_schema_line(source.text)
    write_new(path, text, force)
    print_line(f"{path}: a copy of {model}. Edit it, then: murmurate film {path}")
    if source.verify:
        write_new(second, source.verify, force)
        print_line(f"{second}: its expectations and figures, for murmurate verify {path}")
    if text.startswith(SCHEMA_LINE):
        write_schema(path.parent, force)


def schema(
    *,
    output: Annotated[Path | None, Parameter(name=("--output", "-o"))] = None,
    force: bool = False,
) -> None:
    """Print the JSON schema of model files, by which editors complete and check them.

    For instance:

        murmurate schema -o murmurate.schema.json

    Parameters
    ----------
    output
        The file to write, instead of printing it.
    force
        Replace an existing file.
    """
    from murmurate.schema import schema_text

    if output is None:
        print_line(schema_text(), end="")
    else:
        write_new(output, schema_text(), force)
        print_line(f"{output}: the JSON schema of model files")


def _write_rule(name: str, output: Path | None, motion: bool, force: bool) -> None:
    """Write the files of a rule or a motion."""
    _check_name(name, motion)
    path = output or Path(f"{name.replace('-', '_')}.py")
    _check_module(path)
    class_name = "".join(word.capitalize() for word in name.split("-"))
    texts = {
        path.parent / file: text
        for file, text in rule_files(name, class_name, path.stem, motion).items()
    }
    existing = [str(file) for file in texts if file.exists()]
    if len(existing) > 1 and not force:
        raise CommandError(
            f"{', '.join(existing)} exist and are kept; give another name, or --force to replace"
        )
    for file in texts:
        check_writable(file, force, CommandError)
    for file, text in texts.items():
        write_new(file, text, force)
    rules, test, model = (shlex.quote(str(file)) for file in texts)
    print_line(f"{path}: a {'motion' if motion else 'rule'} to edit. Watch it:")
    print_line(f"  murmurate watch {model} --rules {rules}")
    print_line(f"  murmurate film {model} --rules {rules}")
    print_line(f"Its test: pytest {test}")
    write_schema(path.parent, force)


def _check_name(name: str, motion: bool) -> None:
    """Raise CommandError for an invalid name of a rule, or an existing one."""
    import murmurate.rules  # noqa: F401  (registers the built-in rules)
    from murmurate.model.registry import MOTIONS, RULES

    what, names = ("motion", MOTIONS) if motion else ("rule", RULES)
    if not KIND.fullmatch(name):
        raise CommandError(
            f"invalid name {name[:64]!r} for a {what}: use lower-case letters and digits, in at "
            "most four words joined by hyphens, each beginning with a letter, such as swirl-left"
        )
    if name in names:
        raise CommandError(f"{name}: a {what} of this name exists. Choose another name")


def _check_module(path: Path) -> None:
    """Raise CommandError for a file that a test could not import."""
    stem = path.stem
    if path.suffix != ".py" or not STEM.fullmatch(stem) or keyword.iskeyword(stem):
        raise CommandError(
            f"{path}: expected a letter followed by letters, digits or '_', ending in .py, and not "
            "a word of Python, so that its test can import it. Use -o my_rules.py"
        )
    if stem in sys.stdlib_module_names or stem in OTHER_MODULES:
        raise CommandError(
            f"{path}: a module of Python has this name, and the file would replace it. Use "
            "-o my_rules.py"
        )


# --- writing


def write_new(path: Path, text: str, force: bool) -> None:
    """Write a text file.

    Raises CommandError if it exists and `force` is False, or if it cannot be written.
    """
    check_writable(path, force, CommandError)
    try:
        write_file(path, text, new=not force)
    except OSError as error:
        if error.errno in UNWRITABLE:
            raise CommandError(f"{path}: cannot be written: {error.strerror}") from None
        error.filename = path
        raise


def with_schema_line(text: str) -> str:
    """Insert the line that names the schema, unless a model file has one."""
    return text if text.startswith("#:schema") else f"{SCHEMA_LINE}\n{text}"


def write_schema(folder: Path, force: bool) -> None:
    """Write the schema into the folder of a model file.

    An existing file of another version is kept unless `force` is True.
    """
    from murmurate.schema import schema_text

    path, text = folder / SCHEMA, schema_text()
    if path.is_file() and not force:
        if read_text(path, "replace") != text:
            print_line(f"{path} is of another version, and is kept; --force replaces it")
        return
    write_new(path, text, force)
    print_line(f"{path}: editors complete and check model files by it")


def rule_files(kind: str, class_name: str, stem: str, motion: bool) -> dict[str, str]:
    """Return file name -> text for a new rule: its code, its test and a model.

    In the templates NAME stands for the kind, CLASS for the class, and FILE for the file's name
    without its ending. Their lines have at most 88 characters, and imports the order that ruff and
    black give them by default.
    """
    folder = Path(__file__).parent / "templates" / ("motion" if motion else "rule")
    words = {"NAME": kind, "CLASS": class_name, "FILE": stem}

    def fill(text: str) -> str:
        return re.sub("|".join(words), lambda match: words[match[0]], text)

    names = ("FILE.py", "test_FILE.py", "FILE.toml")
    return {fill(name): fill(read_text(folder / f"{name}.txt")) for name in names}

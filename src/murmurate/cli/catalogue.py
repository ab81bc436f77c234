"""murmurate models, show, new, schema: the zoo, a model, and model files."""

from __future__ import annotations

import json as json_text
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from murmurate.cli.error_output import BadInput, complain
from murmurate.cli.new_file import SCHEMA_LINE, with_schema_line, write_new, write_schema
from murmurate.cli.options import Changes, Dtype, ModelName, load_model
from murmurate.cli.terminal import console, say

if TYPE_CHECKING:
    from murmurate.model.model import Model


def models(*, json: Annotated[bool, Parameter(help="Print them as JSON.")] = False) -> None:
    """List the published flocks that come with murmurate.

    Each can be filmed by its name: murmurate film NAME.
    """
    from murmurate.cli.model_list import model_rows, print_models
    from murmurate.model.files import zoo

    if json:
        say(json_text.dumps(model_rows(zoo()), indent=2))
    else:
        print_models(console(uncut=True), zoo())


def show(
    model: ModelName,
    /,
    *,
    kernel: Annotated[bool, Parameter(help="Print the code that flies it.")] = False,
    toml: Annotated[bool, Parameter(help="Print its model file.")] = False,
    verify: Annotated[
        bool, Parameter(help="Print its expectations and figures, which verify uses, as TOML.")
    ] = False,
    dtype: Annotated[Dtype, Parameter(help="The precision that it runs in.")] = "float32",
    changes: Changes | None = None,
) -> None:
    """Show what a model is: its rules as formulas, its numbers, its source, what to try.

    For instance:

        murmurate show parker
        murmurate show mine.toml --set rules.cohesion.weight=0.05
        murmurate show starlings --kernel
        murmurate show starlings --toml
    """
    from murmurate.cli.tables import print_model
    from murmurate.model.warnings import model_warnings

    changed = load_model(model, changes)
    if kernel:
        from murmurate.codegen.module_text import kernel_text
        from murmurate.codegen.planner import make_plan
        from murmurate.engines.cpu.thresholds import cpu_layout

        plan = make_plan(changed)
        say(kernel_text(plan, dtype, cpu_layout(plan)), end="")
    elif toml or verify:
        text, verify_text = _texts(model, changed, changes)
        say("\n".join([text] * toml + [verify_text] * verify), end="")
    else:
        print_model(console(), changed)
    for doubt in model_warnings(changed, dtype):
        complain(doubt, "warning")


def new(
    model: ModelName,
    file: Annotated[
        Path | None, Parameter(help="The file to write; NAME.toml in this folder unless given.")
    ] = None,
    /,
    *,
    force: Annotated[bool, Parameter(help="Replace a file that is there.")] = False,
) -> None:
    """Copy a model to a file of your own, comments and all, ready to edit.

    Expectations and figures go to a second file, NAME.verify.toml, which murmurate verify uses;
    everything else works without it. A third file, murmurate.schema.json, is for editors: they
    complete keys by it, explain them, and mark mistakes.

    For instance:

        murmurate new sort-sol mine.toml
        murmurate film mine.toml
    """
    from murmurate.model.files import model_text, parse_texts, verify_path
    from murmurate.model.names import with_ending
    from murmurate.show.output import check_apart

    source = model_text(model)
    parse_texts(source)
    path = file or Path(Path(source.where).name)
    if path.suffix != ".toml":
        raise BadInput(f"{path}: a model file ends in .toml; call it {with_ending(path, '.toml')}")
    if not path.parent.is_dir():
        raise BadInput(f"{path}: there is no folder {path.parent}; make it first")
    if Path(model).is_file():
        check_apart(path, model)
    second = verify_path(path)
    if second.exists() and (not source.verify if force else not path.exists()):
        problem = f"{second} exists, and would be read together with {path}"
        raise BadInput(f"{problem}; give another name" + (", or --force" if source.verify else ""))
    text = with_schema_line(source.text)
    write_new(path, text, force)
    say(f"{path}: a copy of {model}. Edit it, then: murmurate film {path}")
    if source.verify:
        write_new(second, source.verify, force)
        say(f"{second}: its expectations and figures, for murmurate verify {path}")
    if text.startswith(SCHEMA_LINE):
        write_schema(path.parent, force)


def schema(
    *,
    output: Annotated[
        Path | None,
        Parameter(name=("--output", "-o"), help="The file to write, instead of printing it."),
    ] = None,
    force: Annotated[bool, Parameter(help="Replace a file that is there.")] = False,
) -> None:
    """Print the JSON schema of model files, by which editors complete and check them.

    For instance:

        murmurate schema -o murmurate.schema.json
    """
    from murmurate.schema import schema_text

    if output is None:
        say(schema_text(), end="")
    else:
        write_new(output, schema_text(), force)
        say(f"{output}: the JSON schema of model files")


def _texts(name: str, changed: Model, changes: Changes | None) -> tuple[str, str]:
    """Return the model file and the verify file as they are, with comments; made from the model
    where `changes` has any."""
    from murmurate.model.files import model_text, to_toml

    if changes is not None and (changes.set or changes.boids is not None):
        return to_toml(changed, "model"), to_toml(changed, "verify")
    source = model_text(name)
    return source.text, source.verify

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
    file: Annotated[
        Path | None, Parameter(help="The file to write. Default: NAME.toml in this folder.")
    ] = None,
    /,
    *,
    output: Annotated[
        Path | None, Parameter(name=("--output", "-o"), help="The file to write, as FILE.")
    ] = None,
    rule: Annotated[
        str | None,
        Parameter(
            help="Write a rule of this name instead: NAME.py, its test, and a model that uses it. "
            "A name has lower-case letters, digits and hyphens."
        ),
    ] = None,
    motion: Annotated[
        str | None, Parameter(help="Write a motion of this name instead, as --rule does.")
    ] = None,
    force: Annotated[bool, Parameter(help="Replace existing files.")] = False,
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
    output: Annotated[
        Path | None,
        Parameter(name=("--output", "-o"), help="The file to write, instead of printing it."),
    ] = None,
    force: Annotated[bool, Parameter(help="Replace an existing file.")] = False,
) -> None:
    """Print the JSON schema of model files, by which editors complete and check them.

    For instance:

        murmurate schema -o murmurate.schema.json
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


# --- the text of a rule, its test and a model. NAME stands for the kind, CLASS for the class, and
# FILE for the file's name without its ending. Lines have at most 88 characters, and imports the
# order that ruff and black give them by default.

RULE = '''"""The rule NAME.

Watch it: murmurate watch FILE.toml --rules FILE.py
Test it:  pytest test_FILE.py
"""

import murmurate as mm


class CLASS(mm.NeighbourRule):
    """Circle the mean position of the neighbours, to the left."""

    # Parameters of the rule. Each is a slider of the live view and may be a schedule
    # in a model file; changing it compiles nothing. Units are words: a model chooses
    # its own. Every rule also has weight, limit, normalise and more. A rule that
    # senses neighbours also has senses, field_of_view, nearest and more, which choose
    # the neighbours.
    radius: mm.Scalar = mm.quantity(10.0, gt=0, unit="length", infinite=True)
    """Radius within which neighbours are sensed."""
    strength: mm.Scalar = mm.quantity(0.1, ge=0, unit="1/time^2", slider=(0, 1))
    """Steering per unit of distance from the mean position."""

    # `murmurate show` prints this formula with numbers for the names in braces.
    formula = "{weight} * {strength} * (mean of x_j - x_i), turned to the left"

    def pair(self, me, other):
        """Return what one neighbour adds to the sums. `other` has dx dy dz, the vector
        to it (length), distance, r2 (its square), and its velocity u v w
        (length/time)."""
        return 1.0, other.dx, other.dy

    def finish(self, sums, me):
        """Return the steering vector x, y, z (length/time^2 if the motion adds it to
        the velocity) from the sums in the order of `pair`. `me` has the position
        x y z, the velocity u v w, speed, time, dt and more. Both functions are
        compiled, so use only numbers, `math`, `if` and `for`. To store a number per
        boid from step to step, see `keeps` of mm.Rule."""
        count, x, y = sums
        if count == 0.0:
            return 0.0, 0.0, 0.0  # no neighbours
        k = self.strength / count
        return -k * y, k * x, 0.0
'''

RULE_TEST = '''"""Tests of the rule NAME: pytest test_FILE.py"""

import murmurate as mm
import numpy as np

from FILE import CLASS


def model(**parameters):
    """Return a model of two boids at rest at a distance of 2, and a distant third."""
    start = mm.Given(positions=((4.0, 5.0), (6.0, 5.0), (90.0, 90.0)))
    return mm.Model(
        space=mm.Space(size=(100.0, 100.0)),
        flocks={"boids": mm.Flock(count=3, start=start, motion=mm.Add())},
        rules={"mine": CLASS(**parameters)},
    )


def reference(model):
    """Return a simulation by the reference engine."""
    return mm.Simulation(model, engine="reference")


def test_velocities_computed_by_hand():
    """The reference engine runs plain Python, in which print works."""
    frame = reference(model(strength=0.5, radius=3.0)).step(1).frame
    # 0.5 * 2, at right angles to the other boid; the third has no neighbours
    expected = [[0.0, 1.0], [0.0, -1.0], [0.0, 0.0]]
    np.testing.assert_allclose(frame["boids"].velocities, expected)


def test_compiled_code_gives_the_same():
    expected = reference(model()).step(20).frame
    compiled = mm.Simulation(model()).step(20).frame
    positions = [frame["boids"].positions for frame in (expected, compiled)]
    np.testing.assert_allclose(*positions, rtol=1e-4)
'''

MOTION = '''"""The motion NAME.

Watch it: murmurate watch FILE.toml --rules FILE.py
Test it:  pytest test_FILE.py
"""

import murmurate as mm
from murmurate.rules.vectors import limited


class CLASS(mm.Motion):
    """Add the steering to the velocity, and subtract a drag."""

    # Parameters of the motion: sliders of the live view, and schedules if a model file
    # has them. Every motion also has max_speed, min_speed, max_force and turn_rate,
    # which have an effect if `turn` uses them.
    drag: mm.Scalar = mm.quantity(0.1, ge=0, unit="1/time", slider=(0, 1))
    """Fraction of its velocity that a boid loses per unit of time."""

    # `murmurate show` prints this formula with numbers for the names in braces.
    formula = "v_i + dt * (steering - {drag} v_i), |v| up to {max_speed}"

    def turn(self, me, x, y, z):
        """Return the next velocity u, v, w (length/time) from the steering of the rules
        x, y, z (length/time^2). `me` has the velocity u v w, speed, the position x y z,
        time, dt and more. The function is compiled, so use only numbers, `math`, `if`
        and `for`."""
        x, y, z = limited(x, y, z, self.max_force)
        k = 1.0 - self.drag * me.dt
        u, v, w = k * me.u + x * me.dt, k * me.v + y * me.dt, k * me.w + z * me.dt
        return limited(u, v, w, self.max_speed)
'''

MOTION_TEST = '''"""Tests of the motion NAME: pytest test_FILE.py"""

import murmurate as mm
import numpy as np

from FILE import CLASS


def model(**parameters):
    """Return a model of two boids, one moving along x, in a wind along y."""
    positions, velocities = ((4.0, 5.0), (6.0, 5.0)), ((1.0, 0.0), (0.0, 0.0))
    start = mm.Given(positions=positions, velocities=velocities)
    motion = CLASS(**parameters)
    return mm.Model(
        space=mm.Space(size=(100.0, 100.0)),
        flocks={"boids": mm.Flock(count=2, start=start, motion=motion)},
        rules={"wind": mm.Wind(vector=(0.0, 0.5))},
    )


def reference(model):
    """Return a simulation by the reference engine."""
    return mm.Simulation(model, engine="reference")


def test_velocities_computed_by_hand():
    """The reference engine runs plain Python, in which print works."""
    frame = reference(model(drag=0.25)).step(1).frame
    np.testing.assert_allclose(frame["boids"].velocities, [[0.75, 0.5], [0.0, 0.5]])


def test_compiled_code_gives_the_same():
    expected = reference(model()).step(20).frame
    compiled = mm.Simulation(model()).step(20).frame
    positions = [frame["boids"].positions for frame in (expected, compiled)]
    np.testing.assert_allclose(*positions, rtol=1e-4)
'''

MODEL = """# A model with the WHAT NAME.
#
#     murmurate watch FILE.toml --rules FILE.py
name = "NAME"

[space]
size = [60, 60]
boundary = "periodic"

[flocks.boids]
count = 120
start = { kind = "box", velocity = { kind = "directions", speed = 1 } }
motion = MOTION

[rules.alignment]
radius = 6
weight = 0.05
"""
RULE_MOTION = '{ kind = "add", min_speed = 0.5, max_speed = 1.5 }'
RULE_TABLE = """
[rules.NAME]
radius = 6
strength = 0.02
"""
MOTION_TABLE = """
[rules.random-steering]
weight = 0.2
"""


def rule_files(kind: str, class_name: str, stem: str, motion: bool) -> dict[str, str]:
    """Return file name -> text for a new rule."""
    model = with_schema_line(MODEL) + (MOTION_TABLE if motion else RULE_TABLE)
    motion_table = f'{{ kind = "{kind}", drag = 0.05, max_speed = 1.5 }}' if motion else RULE_MOTION
    words = {"WHAT": "motion" if motion else "rule", "NAME": kind, "CLASS": class_name}
    words |= {"FILE": stem, "MOTION": motion_table}
    texts = {
        f"{stem}.py": MOTION if motion else RULE,
        f"test_{stem}.py": MOTION_TEST if motion else RULE_TEST,
        f"{stem}.toml": model,
    }
    pattern = "|".join(words)
    return {
        name: re.sub(pattern, lambda match: words[match[0]], text) for name, text in texts.items()
    }

"""What `murmurate new-rule` writes: a rule or a motion, its test, and a model that flies it.

NAME stands for the kind, CLASS for the class and FILE for the file's name without its ending. Lines
are at most 88 long, and imports in the order that ruff and black give them by default.
"""

import re

from murmurate.cli.new_file import with_schema_line

RULE = '''"""The rule NAME.

Fly it:   murmurate watch FILE.toml --rules FILE.py
Test it:  pytest test_FILE.py
"""

import murmurate as mm


class CLASS(mm.NeighbourRule):
    """Round the middle of the neighbours, to the left of the way there."""

    # A rule's parameters. Each is a slider of the live view, may be a schedule in a
    # model file, and changing it compiles nothing. Units are words: a model chooses
    # its own. Every rule also has weight, limit, normalise and more; one that senses
    # neighbours has senses, field_of_view, nearest and more, so that who is a
    # neighbour is not this rule's business.
    radius: mm.Scalar = mm.quantity(10.0, gt=0, unit="length", infinite=True)
    """How far a boid looks."""
    strength: mm.Scalar = mm.quantity(0.1, ge=0, unit="1/time^2", slider=(0, 1))
    """How hard it is pushed, for each unit of length that the middle is away."""

    # What `murmurate show` prints, with the numbers in the place of the names in
    # braces.
    formula = "{weight} * {strength} * (mean of x_j - x_i), turned to the left"

    def pair(self, me, other):
        """What one neighbour adds to the sums. `other` has dx dy dz, the way to it
        (length), distance, r2 (its square), and its velocity u v w (length/time)."""
        return 1.0, other.dx, other.dy

    def finish(self, sums, me):
        """The sums, in the order of `pair` -> the steering vector x, y, z
        (length/time^2, where the motion adds it to the velocity). `me` has the place
        x y z, the velocity u v w, speed, time, dt and more. Here, as in `pair`, stand
        numbers, `math`, `if` and `for` only: both functions are compiled. To keep a
        number of each boid from step to step, see `keeps` of mm.Rule."""
        count, x, y = sums
        if count == 0.0:
            return 0.0, 0.0, 0.0  # nobody is near
        k = self.strength / count
        return -k * y, k * x, 0.0
'''

RULE_TEST = '''"""Tests of the rule NAME: pytest test_FILE.py"""

import murmurate as mm
import numpy as np

from FILE import CLASS


def model(**parameters):
    """Two boids at rest, 2 apart, and a third that is too far away."""
    start = mm.Given(positions=((4.0, 5.0), (6.0, 5.0), (90.0, 90.0)))
    return mm.Model(
        space=mm.Space(size=(100.0, 100.0)),
        flocks={"boids": mm.Flock(count=3, start=start, motion=mm.Add())},
        rules={"mine": CLASS(**parameters)},
    )


def test_what_it_does_by_hand():
    """The reference engine runs it as plain Python, where print works too."""
    rule = model(strength=0.5, radius=3.0)
    frame = mm.Simulation(rule, engine="reference").step(1).frame
    # 0.5 * 2, across the way to the other; and nobody is near the third
    expected = [[0.0, 1.0], [0.0, -1.0], [0.0, 0.0]]
    np.testing.assert_allclose(frame["boids"].velocities, expected)


def test_compiled_it_does_the_same():
    one = mm.Simulation(model(), engine="reference").step(20).frame
    other = mm.Simulation(model()).step(20).frame
    places = [frame["boids"].positions for frame in (one, other)]
    np.testing.assert_allclose(*places, rtol=1e-4)
'''

MOTION = '''"""The motion NAME.

Fly it:   murmurate watch FILE.toml --rules FILE.py
Test it:  pytest test_FILE.py
"""

import murmurate as mm
from murmurate.rules.vectors import limited


class CLASS(mm.Motion):
    """Steering is added to the velocity, against a drag."""

    # A motion's parameters: sliders of the live view, and schedules if a model file
    # says so. Every motion also has max_speed, min_speed, max_force and turn_rate;
    # they hold where `turn` uses them.
    drag: mm.Scalar = mm.quantity(0.1, ge=0, unit="1/time", slider=(0, 1))
    """How much of its velocity a boid loses in a unit of time."""

    # What `murmurate show` prints, with the numbers in the place of the names in
    # braces.
    formula = "v_i + dt * (steering - {drag} v_i), |v| up to {max_speed}"

    def turn(self, me, x, y, z):
        """The rules' steering x, y, z (length/time^2) -> the next velocity u, v, w
        (length/time). `me` has the velocity u v w as it is, speed, the place x y z,
        time, dt and more. Here stand numbers, `math`, `if` and `for` only: it is
        compiled."""
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
    """Two boids, one of them flying along x, in a wind along y."""
    places, speeds = ((4.0, 5.0), (6.0, 5.0)), ((1.0, 0.0), (0.0, 0.0))
    start = mm.Given(positions=places, velocities=speeds)
    motion = CLASS(**parameters)
    return mm.Model(
        space=mm.Space(size=(100.0, 100.0)),
        flocks={"boids": mm.Flock(count=2, start=start, motion=motion)},
        rules={"wind": mm.Wind(vector=(0.0, 0.5))},
    )


def test_what_it_does_by_hand():
    """The reference engine runs it as plain Python, where print works too."""
    frame = mm.Simulation(model(drag=0.25), engine="reference").step(1).frame
    np.testing.assert_allclose(frame["boids"].velocities, [[0.75, 0.5], [0.0, 0.5]])


def test_compiled_it_does_the_same():
    one = mm.Simulation(model(), engine="reference").step(20).frame
    other = mm.Simulation(model()).step(20).frame
    places = [frame["boids"].positions for frame in (one, other)]
    np.testing.assert_allclose(*places, rtol=1e-4)
'''

MODEL = """# A model that flies the WHAT NAME.
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


def files(kind: str, class_name: str, stem: str, motion: bool) -> dict[str, str]:
    """File name -> its text."""
    model = with_schema_line(MODEL) + (MOTION_TABLE if motion else RULE_TABLE)
    own = f'{{ kind = "{kind}", drag = 0.05, max_speed = 1.5 }}' if motion else RULE_MOTION
    words = {"WHAT": "motion" if motion else "rule", "NAME": kind, "CLASS": class_name}
    words |= {"FILE": stem, "MOTION": own}
    texts = {
        f"{stem}.py": MOTION if motion else RULE,
        f"test_{stem}.py": MOTION_TEST if motion else RULE_TEST,
        f"{stem}.toml": model,
    }
    pattern = "|".join(words)
    return {
        name: re.sub(pattern, lambda found: words[found[0]], text) for name, text in texts.items()
    }

"""Rules that read per-boid state: what it begins with, which names they may read, and when."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest

import flights
import murmurate as mm
from murmurate.codegen.planner import check_states, make_plan
from murmurate.errors import ModelError, RuleError
from structures_states import ReadReader, ReadTicker, clocks


class StateEcho(mm.NeighbourRule):
    """Stores the number of its neighbour at the end of the last step, plus one."""

    first: mm.Scalar = mm.quantity(5.0)
    states = ("echo",)
    starts: ClassVar[dict[str, str]] = {"echo": "first"}

    def pair(self, me: Any, other: Any) -> tuple[float, ...]:
        return (other.state.echo,)

    def finish(self, sums: Any, me: Any, state: Any) -> tuple[float, ...]:
        return 0.0, 0.0, 0.0, sums[0] + 1.0


class StateEchoAgain(mm.Rule):
    """Stores a number of the same name."""

    states = ("echo",)

    def alone(self, me: Any, state: Any) -> tuple[float, ...]:
        return 0.0, 0.0, 0.0, state.echo


class StateAffine(mm.NeighbourRule):
    """Claims that its sum depends on velocities only."""

    affine = ("velocity",)

    def pair(self, me: Any, other: Any) -> tuple[float, ...]:
        return (other.u + other.state.echo,)

    def finish(self, sums: Any, me: Any) -> tuple[float, ...]:
        return sums[0], 0.0, 0.0


def pair_of(order: str = "synchronous", **rules: Any) -> mm.Model:
    return mm.Model(
        space=mm.Space(size=(10.0, 10.0)),
        order=order,
        flocks={"boids": mm.Flock(count=2), "others": mm.Flock(count=2)},
        rules=rules or {"echo": StateEcho(moves="boids")},
    )


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("engine", ["cpu", "reference"])
@pytest.mark.parametrize(
    ("order", "after_1", "after_2"),
    [("synchronous", [6.0, 6.0], [7.0, 7.0]), ("one-by-one", [6.0, 7.0], [8.0, 9.0])],
)
def test_when_state_is_read(
    engine: str, order: str, after_1: list[float], after_2: list[float]
) -> None:
    """Synchronous updates read the number before the step, sequential ones the present number."""
    simulation = mm.Simulation(pair_of(order), engine=engine)
    assert simulation.frame["boids"].per_boid("echo").tolist() == [5.0, 5.0]
    simulation.step()
    assert simulation.frame["boids"].per_boid("echo").tolist() == after_1
    simulation.step()
    assert simulation.frame["boids"].per_boid("echo").tolist() == after_2


def test_state_begins_with_a_parameter_at_time_0() -> None:
    start = mm.Ramp(start=3.0, stop=9.0, begin=-1.0, end=1.0)
    model = pair_of(echo=StateEcho(moves=("boids", "others"), first=start))
    for engine in ("cpu", "reference"):
        frame = mm.Simulation(model, engine=engine).frame
        assert [frame[name].per_boid("echo").tolist() for name in frame] == [[6.0, 6.0]] * 2


@pytest.mark.usefixtures("interpreted")
def test_changed_start_parameters_change_nothing_while_running() -> None:
    model = pair_of()
    simulation = mm.Simulation(model)
    simulation.step()
    simulation.replace_model(model.set({"rules.echo.first": 100.0}))
    assert simulation.frame["boids"].per_boid("echo").tolist() == [6.0, 6.0]


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("engine", ["cpu", "reference"])
def test_a_rule_added_while_running_begins_with_its_parameter(engine: str) -> None:
    model = pair_of(other=ReadTicker(moves="others", first=1.0), echo=StateEcho(moves="others"))
    with pytest.raises(ModelError, match=r"rules.other: got me.state.phase"):
        mm.Simulation(model, engine=engine)
    simulation = mm.Simulation(pair_of(again=StateEchoAgain(moves="boids")), engine=engine)
    changed = pair_of(again=StateEchoAgain(moves="boids"), echo=StateEcho(moves="others"))
    simulation.replace_model(changed)
    assert simulation.frame["others"].per_boid("echo").tolist() == [5.0, 5.0]
    simulation.step()
    assert simulation.frame["others"].per_boid("echo").tolist() == [6.0, 6.0]
    grown = changed.set({"flocks.others.count": 3})
    assert simulation.fork(grown).frame["others"].per_boid("echo").tolist() == [6.0, 6.0, 5.0]


def test_a_frame_without_state_continues_with_the_initial_one() -> None:
    plain = mm.Model(
        space=mm.Space(size=(10.0, 10.0)),
        flocks={"boids": mm.Flock(count=2), "others": mm.Flock(count=2)},
    )
    simulation = mm.Simulation.from_frame(pair_of(), mm.Simulation(plain).frame, seed=0)
    assert simulation.frame["boids"].per_boid("echo").tolist() == [5.0, 5.0]


# --- refusals


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (
            {"echo": StateEcho(moves="boids", senses=("boids", "others"))},
            r"rules.echo: got other.state.echo; expected a number that flock 'others' stores of "
            r"each boid: it stores nothing. Add a rule with states = \('echo',\) that moves "
            r"'others', or sense another flock",
        ),
        (
            {"ticker": ReadTicker(moves="boids")},
            r"rules.ticker: got me.state.phase; expected .* 'boids' stores .*: "
            r"no per-boid state named 'phase'.* \(known: ticks\)",
        ),
        (
            {"a": StateEcho(moves="boids"), "b": StateEchoAgain(moves="boids")},
            r"rules.a: got other.state.echo; expected one rule or motion of flock 'boids' that "
            r"stores it, and there are 2: rules.a.echo, rules.b.echo. Let one",
        ),
        (
            {"a": StateEcho(moves="boids"), "b": StateAffine(moves="boids")},
            r"rules.b: got other.state.echo in rule StateAffine with affine = \('velocity',\); "
            r"expected a rule that is not affine.* Remove `affine` from the class",
        ),
        (
            {"a": StateEcho(moves="boids", senses=("boids", "rock"))},
            r"rules.a.senses: got rock for a rule that reads other.state.echo; expected flocks "
            r"only, since obstacles have no state. Sense obstacles with another rule",
        ),
        (
            {"a": StateEcho(moves="boids", senses="obstacles")},
            r"rules.a.senses: got rock for a rule",
        ),
        (
            {"a": StateEcho(moves="late")},
            r"flocks.late.sensing: got a value for a flock whose rules.a reads other.state.echo; "
            r"expected none, .* Leave out `sensing`, or the rule",
        ),
    ],
)
@pytest.mark.parametrize("engine", ["cpu", "reference", "slabs"])
def test_refused_models(engine: str, rules: dict[str, Any], message: str) -> None:
    """The error comes before anything is compiled."""
    model = mm.Model(
        space=mm.Space(size=(10.0, 10.0)),
        flocks={
            "boids": mm.Flock(count=2),
            "others": mm.Flock(count=2),
            "late": mm.Flock(count=2, sensing=mm.Sensing(delay=2.0)),
        },
        rules=rules,
        obstacles={"rock": mm.Sphere(centre=(5.0, 5.0), radius=1.0)},
    )
    with pytest.raises(ModelError, match=message):
        mm.Simulation(model, engine=engine)
    with pytest.raises(ModelError, match=message):
        check_states(model)


@pytest.mark.parametrize("engine", [pytest.param("cpu", marks=pytest.mark.slow), "reference"])
def test_own_state_may_be_read_with_delayed_sensing(engine: str) -> None:
    """A boid knows its own state exactly, however it senses others."""
    model = mm.Model(
        space=mm.Space(size=(10.0, 10.0)),
        flocks={"boids": mm.Flock(count=4, sensing=mm.Sensing(delay=1.0))},
        rules={"a": StateEchoAgain(), "b": OwnEcho()},
    )
    frame = mm.Simulation(model, engine=engine).step(2).frame
    assert np.isfinite(frame["boids"].positions).all()


class OwnEcho(mm.Rule):
    def alone(self, me: Any) -> tuple[float, ...]:
        return me.state.echo, 0.0, 0.0


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        ("other.state,", r"returns the numbers of other.state where a number must be"),
        ("other.state + 1.0,", r"computes with the numbers of other.state"),
        ("float(len(other.state)),", r"takes the numbers of other.state for a tuple"),
        ("other.state.echo.more,", r"asks for other.state.echo.more"),
    ],
)
def test_state_is_read_by_name(returned: str, message: str, tmp_path: Any) -> None:
    file = tmp_path / "rule.py"
    file.write_text(
        "import murmurate as mm\n\n\nclass StateWrong(mm.NeighbourRule):\n"
        f"    def pair(self, me, other):\n        return {returned}\n\n"
        "    def finish(self, sums, me):\n        return 0.0, 0.0, 0.0\n"
    )
    mm.load_rules(file)
    with pytest.raises(RuleError, match=message):
        mm.Simulation(pair_of(wrong={"kind": "state-wrong", "moves": "boids"}))


def test_state_cannot_be_assigned() -> None:
    class StateAssigned(mm.NeighbourRule):
        def pair(self, me: Any, other: Any) -> tuple[float, ...]:
            other.state.echo = 1.0
            return (1.0,)

        def finish(self, sums: Any, me: Any) -> tuple[float, ...]:
            return 0.0, 0.0, 0.0

    with pytest.raises(RuleError, match=r"only be read: the rule that keeps it returns it"):
        make_plan(pair_of(a=StateAssigned(moves="boids")))


@pytest.mark.parametrize(
    ("starts", "message"),
    [
        (["a"], r"StateStarts.starts: got \['a'\]; expected a dict of names"),
        ({"b": "first"}, r"starts: got 'b'; expected a name in states = \('a',\). Add it there"),
        ({"a": "none"}, r"starts\['a'\]: got 'none'; expected a parameter that is a number. Add"),
        ({"a": "word"}, r"starts\['a'\]: got 'word'; expected a parameter that is a number"),
        ({"a": "way"}, r"starts\['a'\]: got 'way'; expected a parameter that is a number"),
    ],
)
def test_starts_name_numbers(starts: Any, message: str) -> None:
    fields = {
        "__annotations__": {"first": mm.Scalar, "word": str, "way": mm.Vector},
        "first": mm.quantity(1.0), "word": "", "way": mm.quantity((0.0, 0.0)), "states": ("a",),
        "starts": starts, "alone": StateEchoAgain.alone, "__module__": __name__,
    }  # fmt: skip
    with pytest.raises(RuleError, match=message):
        type("StateStarts", (mm.Rule,), fields)


# --- nothing changes where it is not used


def test_models_without_reads_have_no_rows() -> None:
    plan = make_plan(pair_of(a=StateEchoAgain(moves="boids")))
    assert plan.states.shared_rows == () and plan.states.own == ()
    read = make_plan(clocks())
    assert read.states.shared_rows == (0, 1, 2)  # phases in rows 0 and 1, contacts in 1 and 2
    assert read.states.own == ("contacts", "phase")
    reader = make_plan(pair_of(e=StateEcho(moves="boids")))
    assert reader.states.others == ("echo",) and reader.states.shared_rows == (0,)


@pytest.mark.slow
def test_readers_store_nothing() -> None:
    model = clocks()
    assert model.memory_of("others") == ("rules.clock.phase", "rules.clock.contacts")
    assert ReadReader.states == ()
    with flights.in_cells():
        simulation = flights.cpu(model, seed=3)
    simulation.step(3)
    assert np.isfinite(simulation.state().flocks["boids"].memory).all()


def test_state_may_begin_with_a_number_of_each_boid() -> None:
    """It is drawn as every number that differs between boids, the same on all engines."""
    first = mm.Uniform(min=-3.0, max=3.0)
    model = pair_of(echo=StateEcho(moves="boids", first=first)).set({"flocks.boids.count": 200})
    frames = [mm.Simulation(model, seed=4, engine=e).frame["boids"] for e in ("cpu", "reference")]
    for frame in frames:
        assert np.allclose(frame.per_boid("echo"), frame.per_boid("first"), rtol=1e-6)
    echo = frames[1].per_boid("echo")
    assert abs(echo.mean()) < 4 * 3.0 / np.sqrt(3 * 200) and -3.0 < echo.min() < echo.max() < 3.0
    grown = model.set({"flocks.boids.count": 210})
    joined = mm.Simulation(model, seed=4).fork(grown).frame["boids"].per_boid("echo")
    again = mm.Simulation(grown, seed=4).frame["boids"].per_boid("echo")
    assert np.array_equal(joined, again)


class RestAfterMeal(mm.NeighbourRule):
    """Follow prey, but not while a captured one is handled."""

    def pair(self, me: Any, other: Any) -> tuple[float, ...]:
        return other.dx, other.dy, other.dz

    def finish(self, sums: Any, me: Any) -> tuple[float, ...]:
        k = 1.0 if me.state.handling <= 0.0 else 0.0
        return k * sums[0], k * sums[1], k * sums[2]


@pytest.mark.parametrize("engine", [pytest.param("cpu", marks=pytest.mark.slow), "reference"])
def test_the_time_that_a_predator_handles_prey_is_a_state_too(engine: str) -> None:
    """A predator that has just captured one stands still for the handling time."""
    model = mm.Model(
        dt=0.5,
        space=mm.Space(size=(20.0, 20.0)),
        flocks={
            "prey": mm.Flock(count=2, start=mm.Given(positions=((5.0, 5.0), (15.0, 5.0)))),
            "hawk": mm.Flock(
                count=1,
                start=mm.Given(positions=((4.8, 5.0),)),
                motion=mm.Replace(max_speed=1.0),
            ),
        },
        rules={"hunt": RestAfterMeal(moves="hawk", senses="prey")},
        population={
            "meal": mm.Capture(predators="hawk", prey="prey", radius=1.0, handling_time=2.0)
        },
    )
    simulation = mm.Simulation(model, engine=engine, dtype="float64")
    speeds = [float(np.linalg.norm(simulation.step().frame["hawk"].velocities)) for _ in range(8)]
    assert speeds[0] == pytest.approx(1.0)
    assert 0.0 in speeds[1:4] and speeds[-1] == pytest.approx(1.0), speeds

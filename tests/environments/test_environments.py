"""The environments keep the conventions of Gymnasium and PettingZoo."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import murmurate as mm
from murmurate.environments import (
    Arrival,
    Collision,
    Env,
    Numbers,
    OwnPosition,
    OwnVelocity,
    ParallelEnv,
    Steer,
    Task,
    VectorEnv,
    registration,
)
from murmurate.environments.standard_tasks import TASKS

gymnasium = pytest.importorskip("gymnasium")
pettingzoo = pytest.importorskip("pettingzoo")
REFERENCE = mm.RunOptions("reference")


def task(**changes: Any) -> Task:
    """Return a task of three boids that steer, cheap to simulate in plain Python."""
    space = mm.Space(size=(10, 10), boundary="periodic")
    flock = mm.Flock(count=3, motion=mm.Add(max_speed=1))
    rules = {"command": mm.Command(form="acceleration"), "alignment": mm.Alignment(radius=3)}
    model = mm.Model(space=space, flocks={"boids": flock}, rules=rules)
    given: dict[str, Any] = {
        "agents": "boids", "observations": [OwnVelocity(), OwnPosition()],
        "action": Steer("acceleration", 0.5), "reward": "polarization", "decisions": 7,
    }  # fmt: skip
    return Task(model, **{**given, **changes})


def centre(worlds: mm.Worlds, flock: str) -> np.ndarray:
    """End the worlds whose boids have a mean x above 6."""
    return worlds[flock].positions[..., 0].mean(axis=1) > 6


def crossed(worlds: mm.Worlds, flock: str) -> np.ndarray:
    """End the agents whose x is above 7."""
    return worlds[flock].positions[..., 0] > 7


@pytest.fixture(autouse=True)
def _unbounded() -> Iterator[None]:
    """The libraries warn of spaces without bounds; positions in open spaces have none."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*observation space.*value is.*infinity")
        warnings.filterwarnings("ignore", message=".*state space value is.*infinity")
        yield


def make(**changes: Any) -> ParallelEnv:
    return ParallelEnv(task(endings=[crossed]), options=REFERENCE, **changes)


@pytest.mark.filterwarnings("ignore:.*API has been deprecated:DeprecationWarning")
def test_pettingzoo_accepts_the_environment() -> None:
    from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, seed_test
    from pettingzoo.test.seed_test import parallel_seed_test
    from pettingzoo.test.state_test import state_test
    from pettingzoo.utils import parallel_to_aec

    parallel_api_test(make(), num_cycles=20)
    assert make().metadata["name"] == "murmurate"
    api_test(parallel_to_aec(make()), num_cycles=20)
    parallel_seed_test(make, num_cycles=10)
    seed_test(lambda: parallel_to_aec(make()), num_cycles=10)
    state_test(parallel_to_aec(make()), make())
    module = SimpleNamespace(
        parallel_env=lambda max_cycles: ParallelEnv(task(decisions=max_cycles), options=REFERENCE),
        env=lambda max_cycles: parallel_to_aec(module.parallel_env(max_cycles)),
    )
    max_cycles_test(module)


@pytest.mark.parametrize("mode", list(gymnasium.vector.AutoresetMode))
def test_worlds_equal_single_environments(mode: Any) -> None:
    """Gymnasium's own vector environment is the reference, with each way of starting again."""
    given = task(endings=[crossed, centre])
    together = VectorEnv(given, 3, autoreset_mode=mode, options=REFERENCE)
    single = gymnasium.vector.SyncVectorEnv(
        [lambda: Env(given, options=REFERENCE)] * 3, autoreset_mode=mode
    )
    starts = together.reset(seed=5)[0], single.reset(seed=5)[0]
    assert np.array_equal(*starts)
    together.action_space.seed(1)
    ended = 0
    for _ in range(30):
        action = together.action_space.sample()
        got, expected = together.step(action), single.step(action)
        for own, other in zip(got[:4], expected[:4], strict=True):
            assert np.array_equal(own, other)
        assert got[4].keys() == expected[4].keys()
        for world in np.flatnonzero(got[4].get("_final_obs", [])):
            finals = got[4]["final_obs"][world], expected[4]["final_obs"][world]
            assert np.array_equal(*finals)
        over = got[2] | got[3]
        ended += over.sum()
        if mode is gymnasium.vector.AutoresetMode.DISABLED and over.any():
            options = [{"reset_mask": over.copy()} for _ in range(2)]
            own, other = (
                e.reset(options=o)[0] for e, o in zip((together, single), options, strict=True)
            )
            assert np.array_equal(own, other)
    assert ended > 3


@pytest.mark.parametrize(
    ("actions", "text"),
    [
        (np.zeros((2, 2, 2)), r"shape \(2, 2, 2\); expected \(2, 3, 2\)"),
        (np.full((2, 3, 2), 0.6), "got 0.6 at .* from -0.5 to 0.5"),
        ("left", "expected numbers"),
        (np.full((2, 3, 2), np.inf), "got inf"),
    ],
)
def test_a_wrong_action_changes_nothing(actions: Any, text: str) -> None:
    envs = VectorEnv(task(), 2, options=REFERENCE)
    other = VectorEnv(task(), 2, options=REFERENCE)
    envs.reset(seed=1), other.reset(seed=1)
    with pytest.raises(mm.ModelError, match=text):
        envs.step(actions)
    right = np.full((2, 3, 2), 0.25, np.float32)
    assert np.array_equal(envs.step(right)[0], other.step(right)[0])


def test_an_agent_that_is_done_is_removed_and_does_not_act() -> None:
    env = make()
    env.reset(seed=0)
    nobody = np.zeros(2, np.float32)
    for _ in range(7):
        acting = list(env.agents)
        _, rewards, done, late, _ = env.step(dict.fromkeys(env.agents, nobody))
        assert list(rewards) == acting
        gone = [name for name in acting if done[name] or late[name]]
        assert env.agents == [name for name in acting if name not in gone]
    assert env.agents == []
    with pytest.raises(mm.ModelError, match="which is no agent now"):
        env.step({"boids_0": nobody})


def test_nan_leaves_a_boid_to_its_rules() -> None:
    """Worlds without commands are those of the model."""
    given = task()
    envs = VectorEnv(given, 1, options=REFERENCE)
    envs.reset(seed=3)
    world = envs._episodes.worlds.simulation(0)
    for _ in range(4):
        rows = envs.step(np.full((1, 3, 2), np.nan))[0]
    world.step(4)
    assert np.array_equal(rows[0, :, :2], world.frame["boids"].velocities.astype(np.float32))


def test_a_command_is_added_to_a_model_without_one() -> None:
    model = mm.Model(
        space=mm.Space(size=(10, 10)), flocks={"boids": mm.Flock(count=2, motion=mm.Add())}
    )
    given = Task(model, "boids", [OwnVelocity()], Steer("heading"), "polarization")
    assert given.model.rules["command"] == mm.Command(moves="boids", form="heading")
    other = mm.Model(**{**dict(model), "rules": {"command": mm.Alignment(radius=1)}})
    with pytest.raises(mm.ModelError, match=r"rules\.command: got a rule that does not command"):
        Task(other, "boids", [OwnVelocity()], Steer("heading"), "polarization")


def test_an_action_of_another_shape() -> None:
    env = make()
    env.reset(seed=0)
    with pytest.raises(mm.ModelError, match=r"actions\['boids_1'\]: got shape \(3,\); expected"):
        env.step({"boids_1": np.zeros(3)})


def test_numbers_of_the_model_are_actions() -> None:
    given = task(action=Numbers({"rules.alignment.weight": (0.0, 2.0), "dt": (0.5, 1.0)}))
    envs = VectorEnv(given, 2, options=REFERENCE)
    envs.reset(seed=1)
    envs.step(np.array([[0.5, 0.5], [2.0, 1.0]]))
    models = envs._episodes.worlds.models
    assert [m.rules["alignment"].weight for m in models] == [0.5, 2.0]
    with pytest.raises(mm.ModelError, match="got nan"):
        envs.step(np.array([[0.5, np.nan], [2.0, 1.0]]))
    with pytest.raises(mm.ModelError, match="expected Steer"):
        ParallelEnv(given)


def test_what_no_task_can_be() -> None:
    for changes, text in (
        ({"agents": "wolves"}, "wolves"),
        ({"observations": []}, "at least one"),
        ({"decisions": 0}, "decisions: got 0"),
        ({"reward": "anisotropie"}, "anisotrop"),
        ({"reward": "trajectory"}, "trajector"),
        ({"action": Numbers({"rules.alignment.wait": (0.0, 1.0)})}, "wait"),
        ({"action": Steer("heading")}, "expected 'acceleration', the form of rules.command"),
    ):
        with pytest.raises(mm.MurmurateError, match=text):
            task(**changes)
    river = mm.load("river")
    with pytest.raises(mm.ModelError, match=r"population: got .*; expected none in a task"):
        Task(river, "fish", [OwnVelocity()], Steer("velocity"), "polarization")
    for ending in (Collision, lambda value: Arrival((1, 1), value)):
        with pytest.raises(mm.ModelError, match="got 0; expected a number above 0"):
            ending(0)
    with pytest.raises(mm.ModelError, match="expected low < high"):
        Numbers({"dt": (1.0, 0.5)})
    with pytest.raises(mm.ModelError, match="limit: got 0"):
        Steer("velocity", 0)
    with pytest.raises(mm.ModelError, match="form: got 'jump'"):
        Steer("jump")  # type: ignore[arg-type]


def test_masks_and_seeds() -> None:
    envs = VectorEnv(task(), 2, options=REFERENCE)
    first, _ = envs.reset(seed=4)
    again, _ = envs.reset(seed=[4, 5])
    assert np.array_equal(first, again)
    only, _ = envs.reset(seed=[9, 9], options={"reset_mask": np.array([False, True])})
    assert np.array_equal(only[0], first[0]) and not np.array_equal(only[1], first[1])
    for mask in (np.zeros(2, bool), np.zeros(3, bool), [True, False]):
        with pytest.raises(mm.ModelError, match="reset_mask"):
            envs.reset(options={"reset_mask": mask})
    with pytest.raises(mm.ModelError, match="seed: got 3 seeds"):
        envs.reset(seed=[1, 2, 3])


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*API has been deprecated:DeprecationWarning")
def test_pictures() -> None:
    from pettingzoo.test import render_test
    from pettingzoo.utils import parallel_to_aec

    def drawn(render_mode: str) -> Any:
        shown = None if render_mode == "human" else render_mode  # a picture needs no window
        return parallel_to_aec(make(render_mode=shown))

    render_test(drawn)
    with pytest.raises(mm.ModelError, match="render_mode: got 'human'"):
        make(render_mode="human")


def test_endings() -> None:
    space = mm.Space(size=(10, 10), boundary="periodic")
    flock = mm.Flock(count=3, motion=mm.Add())
    model = mm.Model(space=space, flocks={"boids": flock})
    start = {"boids": ([[0.5, 5], [9.8, 5], [5, 5]], np.zeros((3, 2)))}
    worlds = mm.Worlds(model, 1, start=start, engine="reference")
    assert Arrival((5, 5), 3).__call__(worlds, "boids").tolist() == [True]
    assert Arrival((5, 0), 3)(worlds, "boids").tolist() == [False]


@pytest.mark.slow
def test_gymnasium_makes_the_standard_tasks() -> None:
    """Importing the environments registers them."""
    envs = gymnasium.make_vec(
        "murmurate/lead-v0", num_envs=2, vectorization_mode="vector_entry_point",
        autoreset_mode="SameStep", options=REFERENCE,
    )  # fmt: skip
    assert isinstance(envs, VectorEnv) and envs.observation_space.shape[:2] == (2, 10)
    single = gymnasium.make("murmurate/lead-v0", options=REFERENCE)
    assert np.array_equal(single.reset(seed=3)[0], envs.reset(seed=3)[0][0])


def test_every_standard_task_has_a_name_for_gymnasium() -> None:
    assert [task.name for task in TASKS] == list(registration.NAMES)

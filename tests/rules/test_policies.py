"""A policy file as a rule: what it commands against NumPy, engine against engine, and bad files."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import nullcontext
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import flights
import murmurate as mm
from murmurate.environments import (
    NearestBoids,
    OwnState,
    OwnVelocity,
    Rays,
    Steer,
    Task,
    save_policy,
)
from murmurate.errors import ModelError
from policies import CASES, FLAT, SOLID, Layers, lived, of_flocks, random_layers, saved


def actions(task: Task, observed: np.ndarray, layers: Layers, activation: str, output: str) -> Any:
    """Return the actions of a network, in NumPy."""
    hidden: dict[str, Callable[[Any], Any]] = {"tanh": np.tanh, "relu": lambda x: np.maximum(x, 0)}
    units, limit = observed.astype(float), task.bounds[1][0]
    for k, (weights, biases) in enumerate(layers):
        units = units @ weights.T.astype(float) + biases
        if k < len(layers) - 1:
            units = hidden[activation](units)
    return limit * np.tanh(units) if output == "tanh" else np.clip(units, -limit, limit)


def in_environment(
    task: Task, act: Callable[[np.ndarray], np.ndarray], decisions: int
) -> np.ndarray:
    """Return the positions of the agents after decisions in the task, (N, D)."""
    worlds = mm.Worlds(task.model, 1, seed=[3], engine="reference")
    for _ in range(decisions):
        worlds.step(task.steps, controls={task.agents: act(task.observe(worlds))})
    positions: np.ndarray = worlds[task.agents].positions[0]
    return positions


@pytest.mark.parametrize(
    "name", [pytest.param(k, marks=pytest.mark.long) if k == "2-D, tanh" else k for k in CASES]
)
def test_a_rule_acts_as_in_the_environment(name: str, tmp_path: Path) -> None:
    task, widths, activation, output = CASES[name]
    layers = random_layers(task, widths)
    path = saved(tmp_path, name)
    model = lived(task, path)
    assert mm.parse(mm.to_toml(model)) == model
    expected = in_environment(task, lambda x: actions(task, x, layers, activation, output), 2)
    for make in (flights.reference, flights.interpreted):
        engine = make(model, seed=3)
        engine.step(2 * task.steps)
        positions = flights.arrays(engine)["boids"][0]
        # the environment's columns are float32
        np.testing.assert_allclose(positions, expected, atol=1e-5)


@pytest.mark.parametrize(
    "name", [pytest.param(k, marks=pytest.mark.slow) if "flocks" not in k else k for k in CASES]
)
def test_cards_act_as_the_reference_does(name: str, tmp_path: Path) -> None:
    task = CASES[name][0]
    model = lived(task, saved(tmp_path, name))
    for engine in (
        gpu := flights.interpreted_gpu(model),
        plain := flights.reference(model, seed=3),
    ):
        engine.step(task.steps + 1)
    for ours, theirs in zip(*(flights.arrays(e)["boids"] for e in (gpu, plain)), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-4)


@pytest.mark.parametrize(
    ("changes", "in_cells"),
    [
        ({"order": "one-by-one"}, False),
        ({"order": "shuffled"}, True),
        ({"flocks.boids.sensing": {"delay": 1.0, "position_error": 0.1}}, False),
        ({"rules.policy.weight": {"kind": "uniform", "min": 0.5, "max": 1.5}}, True),
    ],
)
def test_orders_senses_cells_and_individuals(
    changes: dict[str, Any], in_cells: bool, tmp_path: Path
) -> None:
    name = "flocks, too few neighbours, a point across a face"
    model = lived(CASES[name][0], saved(tmp_path, name)).set(changes)
    with flights.in_cells() if in_cells else nullcontext():
        engine = flights.interpreted(model, seed=3)
    expected = flights.reference(model, seed=3)
    for each in (engine, expected):
        each.step(2)
    for ours, theirs in zip(*(flights.arrays(e)["boids"] for e in (engine, expected)), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-9)


def test_both_formats_hold_the_same(tmp_path: Path) -> None:
    for name in CASES:
        rules = {
            mm.Policy.from_file(saved(tmp_path, name, end)) for end in (".npz", ".safetensors")
        }
        assert len(rules) == 1


def test_a_model_file_names_a_policy(tmp_path: Path) -> None:
    task, widths, *_ = CASES["2-D, tanh"]
    layers = random_layers(task, widths)
    save_policy(tmp_path / "learned.npz", task, layers)
    base = task.model.set({"rules.command": None})
    text = mm.to_toml(base)
    (tmp_path / "alive.toml").write_text(
        f'{text}\n[rules.bird]\nkind = "policy"\nfile = "learned.npz"\nweight = 0.5\n'
    )
    rule = mm.load(tmp_path / "alive.toml").rules["bird"]
    assert isinstance(rule, mm.Policy)
    assert (rule.nearest, rule.own_velocity, rule.weight) == (4, True, 0.5)
    assert "4 nearest" in rule.formula_as_set and "7 tanh -> 7 tanh" in rule.formula_as_set
    with pytest.raises(ModelError, match=r"rules\.bird\.file: got 'learned\.npz'; expected what"):
        mm.parse((tmp_path / "alive.toml").read_text())
    wrong = f'{text}\n[rules.bird]\nkind = "policy"\nfile = "learned.npz"\nnearest = 5\n'
    (tmp_path / "alive.toml").write_text(wrong)
    with pytest.raises(ModelError, match=r"rules\.bird\.nearest: got 5; expected 4"):
        mm.load(tmp_path / "alive.toml")


def test_weights_are_numbers_that_compile_nothing(tmp_path: Path) -> None:
    task, widths, *_ = CASES["2-D, tanh"]
    models = []
    for seed in (1, 2):
        path = save_policy(tmp_path / f"{seed}.npz", task, random_layers(task, widths, seed))
        models.append(lived(task, path))
    texts = [flights.text_of(model) for model in models]
    assert texts[0] == texts[1]
    changed = mm.Simulation(models[0], seed=1, engine="reference").set(
        {"rules.policy.weights": models[1].rules["policy"].weights}  # type: ignore[attr-defined]
    )
    assert changed.model == models[1]
    other = mm.Simulation(models[1], seed=1, engine="reference")
    for sim in (changed, other):
        sim.step(2)
    assert changed.frame["boids"].positions.tolist() == other.frame["boids"].positions.tolist()


def written(tmp_path: Path, **changes: Any) -> Path:
    """Return a policy file with other arrays (None: without one) and keys of its text."""
    task, widths, *_ = CASES["2-D, tanh"]
    path = save_policy(tmp_path / "learned.npz", task, random_layers(task, widths), force=True)
    with np.load(path) as file:
        arrays: dict[str, Any] = dict(file)
    text = json.loads(str(arrays["policy"]))
    for name, value in changes.items():
        (arrays if name in arrays or name == "extra" else text)[name] = value
    arrays["policy"] = np.array(json.dumps(text)) if changes.get("policy", 1) else np.array("")
    np.savez(path, **{name: array for name, array in arrays.items() if array is not None})
    return path


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"weights1": np.zeros((5, 6), "f4")}, r"weights1: got shape \(5, 6\); expected \(5, 7\)"),
        ({"bias0": np.zeros((7, 1), "f4")}, r"bias0: got shape \(7, 1\); expected \(7,\)"),
        ({"weights2": np.zeros((4, 5), "f4")}, r"weights2: got shape .*; expected \(2 or 3, 5\)"),
        ({"weights0": np.full((7, 22), np.nan, "f4")}, "weights0: got a number that is not finite"),
        ({"bias2": np.zeros(2, int)}, "bias2: got int64; expected float32"),
        ({"bias1": None}, "got arrays bias0, bias2, weights0"),
        ({"extra": np.zeros(2)}, "got arrays bias0, bias1, bias2, extra"),
        ({"policy": None}, "policy: got no text"),
        ({"format": 2}, "format: got 2; expected 1"),
        ({"nearest": 3}, "columns: got 22 with or without 'boid3.*expected the 17"),
        ({"nearest": "4"}, "nearest: got '4'"),
        ({"senses": 1}, "senses: got 1; expected names"),
        ({"columns": ["velocity.x"] * 22}, "columns: got 22 with or without"),
        ({"activation": "sin"}, "activation: got 'sin'"),
        ({"kind": "command"}, "kind: no field named 'kind'"),
    ],
)  # fmt: skip
def test_wrong_files_are_refused_by_name(changes: Any, problem: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=problem):
        mm.Policy.from_file(written(tmp_path, **changes))


def test_pickles_and_other_bytes_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "learned.npz"
    np.savez(path, policy=np.array({"a": 1}, dtype=object))
    with pytest.raises(ModelError, match="cannot be read as npz: Object arrays"):
        mm.Policy.from_file(path)
    for name in ("learned.npz", "learned.safetensors"):
        (tmp_path / name).write_bytes(b"\xff" * 64)
        with pytest.raises(ModelError, match="cannot be read as"):
            mm.Policy.from_file(tmp_path / name)
    with pytest.raises(ModelError, match=r"ends in \.pt; expected \.npz or \.safetensors"):
        mm.Policy.from_file(tmp_path / "learned.pt")


def test_a_policy_fits_its_space_and_its_flocks(tmp_path: Path) -> None:
    task, widths, *_ = CASES["flocks, too few neighbours, a point across a face"]
    path = save_policy(tmp_path / "learned.npz", task, random_layers(task, widths))
    with pytest.raises(ModelError, match="senses: got 1 flocks; expected 2"):
        mm.Policy.from_file(path, senses="boids")
    moved = mm.Policy.from_file(path, moves="boids", senses=("boids", "rest"), point=(1, 1))
    assert moved.point == (1, 1)
    with pytest.raises(ModelError, match="include_self: got True; expected False"):
        mm.Policy.from_file(path, include_self=True)
    solid = of_flocks({"boids": 4, "others": 2, "rest": 5}, SOLID)
    with pytest.raises(ModelError, match=r"rules\.policy\.weights: got .* in a space of 3 axes"):
        solid.set({"rules.policy": moved.model_copy(update={"point": (1, 1, 1)})})


@pytest.mark.parametrize(
    ("observations", "problem"),
    [
        ([NearestBoids(2), Rays(4)], "got Rays; expected NearestBoids, OwnVelocity"),
        ([NearestBoids(2), OwnState("rules.command.x")], "got OwnState; expected"),
        ([NearestBoids(2), NearestBoids(1)], "got NearestBoids 2 times; expected once"),
        ([OwnVelocity()], "got none of boids; expected NearestBoids once"),
    ],
)
def test_what_a_rule_cannot_see_is_refused(observations: Any, problem: str, tmp_path: Path) -> None:
    model = of_flocks({"boids": 5}, FLAT)
    task = Task(model, "boids", observations, Steer("velocity"), "polarization")
    with pytest.raises(ModelError, match=problem):
        save_policy(tmp_path / "learned.npz", task, random_layers(task, (4,)))
    assert not list(tmp_path.iterdir())


def test_layers_that_do_not_fit_the_task_are_refused(tmp_path: Path) -> None:
    task, widths, *_ = CASES["2-D, tanh"]
    layers = random_layers(task, widths)
    with pytest.raises(ModelError, match=r"weights0: got shape .*; expected \(5, 22\)"):
        save_policy(tmp_path / "learned.npz", task, layers[1:])
    path = save_policy(tmp_path / "learned.npz", task, layers)
    with pytest.raises(ModelError, match="exists and is kept"):
        save_policy(path, task, layers)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["2-D, tanh", "3-D, relu, commands hold"])
def test_a_rule_computes_what_torch_does(name: str, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    task, widths, activation, output = CASES[name]
    torch.manual_seed(1)
    hidden = {"tanh": torch.nn.Tanh, "relu": torch.nn.ReLU}[activation]
    sides = [len(task.columns), *widths, task.model.space.dims]
    parts = [part for a, b in pairwise(sides) for part in (torch.nn.Linear(a, b), hidden())]
    network = torch.nn.Sequential(*parts[:-1])
    layers = [(m.weight, m.bias) for m in network if isinstance(m, torch.nn.Linear)]
    path = save_policy(
        tmp_path / "learned.npz", task, layers, activation=activation, output=output  # type: ignore[arg-type]
    )  # fmt: skip
    limit = float(task.bounds[1][0])

    def act(observed: np.ndarray) -> np.ndarray:
        with torch.no_grad():
            units = network.double()(torch.from_numpy(observed.astype(float))).numpy()
        return limit * np.tanh(units) if output == "tanh" else np.clip(units, -limit, limit)

    expected = in_environment(task, act, 1)
    for engine in (flights.reference, flights.interpreted):
        living = engine(lived(task, path), seed=3)
        living.step(task.steps)
        np.testing.assert_allclose(flights.arrays(living)["boids"][0], expected, atol=1e-6)


@pytest.mark.long
@pytest.mark.parametrize("name", ["2-D, tanh", "flocks, too few neighbours, a point across a face"])
def test_compiled_engines_agree(name: str, tmp_path: Path) -> None:
    task = CASES[name][0]
    model = lived(task, saved(tmp_path, name))
    expected = mm.Simulation(model, seed=3, engine="reference").step(3).frame["boids"].positions
    for engine in ("cpu", "wasm"):
        boids = mm.Simulation(model, seed=3, engine=engine).step(3).frame["boids"]
        np.testing.assert_allclose(boids.positions, expected, atol=1e-4, err_msg=engine)
    worlds = mm.Worlds(model, 2, seed=[5, 3]).step(3)
    one = mm.Simulation(model, seed=3).step(3).frame["boids"]
    assert worlds["boids"].positions[1].tolist() == one.positions.tolist()


@pytest.mark.slow
def test_threads_and_slabs_give_the_same_bits(tmp_path: Path) -> None:
    space = mm.Space(size=(60, 60), boundary="periodic")
    task = Task(
        of_flocks({"boids": 1500}, space), "boids", [OwnVelocity(), NearestBoids(8)],
        Steer("acceleration", 0.1), "polarization",
    )  # fmt: skip
    model = lived(task, save_policy(tmp_path / "l.npz", task, random_layers(task, (32, 32))))
    runs = [{"threads": 1}, {"threads": 2}, {"engine": mm.Slabs(workers=2, address="here")}]
    bits = {
        mm.Simulation(model, seed=1, **run).step(5).frame["boids"].positions.tobytes()  # type: ignore[arg-type]
        for run in runs
    }
    assert len(bits) == 1

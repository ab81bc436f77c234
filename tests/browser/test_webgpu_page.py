"""Pages that simulate by WebGPU have the numbers of engine gpu in Python.

They need Chromium's software adapter and, to compare, wgpu with an adapter for Python.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from device_pages import ENGINE, head_of, rows, script

import murmurate as mm
from murmurate.runs.live_page import flight_head, page_gpu
from page_worker import fly
from tiny_model import TINY

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def software(chromium: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A tab in which flocks run on the browser's software adapter."""
    path = tmp_path_factory.mktemp("device") / "empty.html"
    path.write_text("<!doctype html><title>device</title>")
    tab = chromium.new_page()
    tab.goto(path.as_uri())
    tab.add_script_tag(content=script())
    tab.evaluate("(text) => { window.script = text; }", script())
    tab.evaluate(f"(async () => {{ {ENGINE} }})()")
    if not tab.evaluate("Boolean(window.adapter)"):
        pytest.skip("this browser has no software adapter")
    yield tab
    tab.close()


SCHEDULED = """
name = "scheduled"
space = { size = [40, 40] }
flocks.boids = { count = 300, motion = { max_speed = 2.0, max_force = 1.0 } }
[rules.alignment]
radius = 5.0
weight = { kind = "cycle", mean = 1.0, amplitude = 1.0, period = 5.0 }
[rules.cohesion]
radius = { kind = "ramp", start = 3.0, stop = 8.0, begin = 0.0, end = 10.0 }
[rules.separation]
radius = 2.0
[rules.posts]
kind = "avoid-obstacles"
look_ahead = 8.0
[obstacles.post]
kind = "sphere"
centre = [{ kind = "cycle", mean = 20.0, amplitude = 5.0, period = 9.0 }, 20.0]
radius = 3.0
[obstacles.floor]
kind = "wall"
point = [0.0, 1.0]
normal = [0.0, 1.0]
"""


def model_of(name: str) -> mm.Model:
    if name == "many starlings":
        # As dense at the start as 4,000 of them.
        changes = {"flocks.boids.count": 100_000, "flocks.boids.start.radius": 70.0}
        return mm.load("starlings").set(changes)
    model = mm.parse(SCHEDULED) if name == "scheduled" else mm.load(name)
    large = {n: f for n, f in model.flocks.items() if f.count > 600}
    return model.set({f"flocks.{n}.count": 600 for n in large})


@pytest.mark.parametrize(
    "name",
    [
        "starlings",  # 3-D, the seven nearest, two flocks
        pytest.param("vicsek-1995", marks=pytest.mark.long),
        pytest.param("couzin-2005", marks=pytest.mark.long),
        pytest.param("cucker-smale", marks=pytest.mark.long),  # an integrator
        pytest.param("pearce-2014", marks=pytest.mark.long),  # views
        "scheduled",  # and obstacles, of which one moves
        "jolles-2017",  # numbers that differ between boids
        pytest.param("many starlings", marks=pytest.mark.long),
    ],
)
def test_a_page_has_the_numbers_of_engine_gpu(software: Any, name: str) -> None:
    model, last = model_of(name), 2 if name == "many starlings" else 12
    dims = model.space.dims
    bits = software.evaluate(
        """async ([head, steps]) => {
          const flock = await begin(head);
          const start = await flock.places();
          await flock.run(steps);
          const end = await flock.places();
          flock.channel.close();
          flock.device.destroy();
          return [start, end];
        }""",
        [head_of(model, 5), last],
    )
    pytest.importorskip("wgpu")
    try:
        simulation = mm.Simulation(model, seed=5, engine="gpu")
    except mm.ModelError as error:
        pytest.skip(str(error))  # no adapter
    for state, steps in zip(bits, (0, last), strict=True):
        simulation.step(steps)
        flocks = [np.concatenate([f.positions, f.velocities], 1) for f in simulation.frame.values()]
        expected = np.concatenate(flocks).T.astype(np.float32)
        size = np.abs(expected).max(axis=1, keepdims=True) + 1e-6
        error = (np.abs(rows(state, dims) - expected) / size).max(axis=0)
        # Adapters may fuse products and sums: nearly all models have all bits alike even so.
        assert error.max() <= (1e-4 if steps else 0.0)
        assert np.median(error) <= 1e-6


def test_more_boids_than_webassembly_has_room_for(software: Any) -> None:
    """The start of a flock that the reader made larger is that of Python."""
    model = mm.load("vicsek-1995")
    head = head_of(model, 5)
    assert head["max_boids"] < 20_000
    head["max_boids"] = head["gpu"]["program"]["max_boids"]  # as the page does
    bounds = head["scene"]["schemas"]["flocks.boids"]["properties"]["count"]
    bounds["maximum"] = head["max_boids"]
    bits = software.evaluate(
        """async ([head, count]) => {
          const flock = await begin(head);
          const reply = await flock.ask({ type: "set", values: { "flocks.boids.count": count } });
          await flock.ask({ type: "restart" });
          const start = await flock.places();
          flock.channel.close();
          flock.device.destroy();
          return [start, reply.error ?? ""];
        }""",
        [head, 20_000],
    )
    assert bits[1] == ""
    larger = model.set({"flocks.boids.count": 20_000})
    flock = mm.Simulation(larger, seed=5).frame["boids"]
    expected = np.concatenate([flock.positions, flock.velocities], 1).T.astype(np.float32)
    assert np.array_equal(rows(bits[0], 2), expected)


def test_boids_are_moved_called_and_looked_at_as_by_webassembly(software: Any) -> None:
    """A boid is moved, all are called to a point, and the vectors of its rules are shown."""
    model = mm.load("ucl").set(
        {
            "space.size": [40.0, 40.0], "flocks.boids.count": 40, "rules.alignment.radius": 9.0,
            "rules.separation.radius": 2.0, "flocks.boids.start.lower": [5.0, 5.0],
            "flocks.boids.start.upper": [35.0, 35.0],
            "flocks.boids.start.velocity.lower": [-1.0, -1.0],
            "flocks.boids.start.velocity.upper": [1.0, 1.0],
        }
    )  # fmt: skip
    head = head_of(model, 4)
    messages: list[dict[str, Any]] = [
        {"type": "move", "flock": "boids", "boid": 3, "position": [20.0, 21.0, 0.0]},
        {"type": "shoo", "position": [20.0, 20.0, 0.0], "radius": 30.0, "call": True},
        {"type": "step", "steps": 1},
        {"type": "state"},
        {"type": "choose", "flock": "boids", "boid": 3},
    ]
    expected = fly(head, messages)
    bits, steering = software.evaluate(
        """async ([head, messages]) => {
          const flock = await begin(head);
          for (const message of messages.slice(0, 2)) await flock.ask(message);
          await flock.run(1);
          const places = await flock.places();
          await flock.ask(messages[4]);
          await flock.until(() => flock.boids.length > 0);
          flock.channel.close();
          flock.device.destroy();
          return [places, flock.boids[0].steering];
        }""",
        [head, messages],
    )
    assert rows(bits, 2) == pytest.approx(expected[3]["state"]["places"], abs=1e-4)
    vectors = {each["rule"]: each["vector"] for each in expected[4]["boid"]["steering"]}
    assert any(map(any, vectors.values()))
    for each in steering:
        assert each["vector"] == pytest.approx(vectors[each["rule"]], abs=1e-4)


def test_what_is_drawn_acts_as_with_webassembly(software: Any) -> None:
    """Obstacles and predators come and go, and boids follow a goal and a path, on the same
    kernels."""
    model = mm.parse(TINY).set({"space.size": [40.0, 40.0], "flocks.boids.count": 60})
    head = flight_head(model, 4, 100, draw=True) | {"gpu": page_gpu(model, 4, draw=True)}
    corners = [[5.0, 5.0], [35.0, 8.0], [20.0, 30.0]]
    drawn: list[dict[str, Any]] = [
        {"kind": "sphere", "centre": [20.0, 20.0], "radius": 5.0},
        {"kind": "box", "centre": [8.0, 30.0], "size": [6.0, 4.0]},
        {"kind": "goal", "place": [30.0, 10.0]},
        {"kind": "path", "points": corners, "closed": True},
    ]
    messages: list[dict[str, Any]] = [{"type": "draw", "shape": shape} for shape in drawn]
    messages.append({"type": "set", "values": {"obstacles.sphere.radius": 7.0}})
    messages.append({"type": "edit", "values": {"obstacles.box": None}})
    messages.insert(1, {"type": "place", "position": [12.0, 12.0]})
    messages.insert(4, {"type": "place", "position": [30.0, 30.0]})
    messages.append({"type": "remove", "flock": "predator", "boid": 0})
    steps, state = {"type": "step", "steps": 2}, {"type": "state"}
    several = [m for message in messages for m in (message, steps)]
    expected = fly(head, [*several, state])[-1]["state"]["places"]
    bits = software.evaluate(
        """async ([head, messages]) => {
          const flock = await begin(head);
          for (const message of messages) {
            const reply = await flock.ask(message);
            if (!reply.ok) throw new Error(reply.error);
            await flock.run(2);
          }
          const places = await flock.places();
          flock.channel.close();
          flock.device.destroy();
          return places;
        }""",
        [head, messages],
    )
    error = np.abs(rows(bits, 2) - expected)
    assert np.median(error) < 1e-4 and error.max() < 1e-2  # of a space of 40


PUSH = """\
def pair(self, me, other):
    q = strength(other.distance) * math.exp(-other.r2)
    if other.dx > 2 and not other.u < 0:
        return 1, q * other.dx, q * other.dy
    return 1, abs(q) ** 2.5 * other.dx, other.dy / max(1, q, abs(other.dy))

def strength(r):
    return 2 / r if r > 1 else 2

def finish(self, sums, me, random):
    n, x, y = sums
    return (x + random.a) / max(n, 1), math.sin(y) // 0.1, 0
"""


def test_an_edited_rule_has_the_numbers_of_python(software: Any) -> None:
    """It continues from the step at which it is edited; an error of the compiler names its line."""
    path = "rules.cohesion.functions"
    model = mm.parse(TINY)
    head = flight_head(model, 4, 60, edit=True) | {"gpu": page_gpu(model, 4, edit=True)}
    bits, faults = software.evaluate(
        """async ([head, path, texts]) => {
          const flock = await begin(head);
          const set = (text) => flock.ask({ type: "set", values: { [path]: text } });
          await flock.run(3);
          const states = [];
          for (const text of texts.slice(0, 2)) {
            await set(text);
            await flock.run(12);
            states.push(await flock.places());
          }
          await set(texts[2]);
          await flock.until(() => false).catch(() => undefined);
          flock.device.destroy();
          return [states, flock.errors];
        }""",
        [head, path, [PUSH, "", PUSH.replace("2 / r", "2 / 0")]],
    )
    simulation = mm.Simulation(model, seed=4, engine="reference", dtype="float32").step(3)
    for state, text in zip(bits, (PUSH, ""), strict=True):
        simulation.set({path: text})
        frame = simulation.step(12).frame
        (boids,) = frame.values()
        expected = np.concatenate([boids.positions, boids.velocities], 1).T
        assert rows(state, 2) == pytest.approx(expected, abs=1e-3)
    assert "rule cohesion, line 8" in faults[0]

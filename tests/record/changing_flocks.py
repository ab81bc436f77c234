"""Frames and recordings of flocks whose numbers of boids change, in tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

import murmurate as mm
from murmurate.engines.state import FlightState, FlockState, make_frame
from murmurate.record import Writer
from murmurate.record.header import make_header, schedule_values
from murmurate.record.writer import ResumedRecording
from murmurate.runs.record_run import measures

SMALL = {"shard_bytes": 250, "chunk_frames": 3, "block_boids": 4}  # nine frames in a file
Array = np.ndarray


def changing_model(max_boids: int = 20, **changes: Any) -> mm.Model:
    """Return prey that join and leave, and hawks that catch them and whose number only falls."""
    model = mm.Model(
        name="prey",
        space=mm.Space(size=(20.0, 16.0)),
        dt=0.1,
        flocks={
            "prey": mm.Flock(
                count=6,
                max_boids=max_boids,
                motion=mm.ConstantSpeed(speed=2.0),
                perching=mm.Perching(ground=2.0, shortest=2, longest=5),
            ),
            "hawks": mm.Flock(count=3, motion=mm.ConstantSpeed(speed=3.0)),
        },
        rules={"cohesion": mm.Cohesion(moves="prey", radius=4.0, weight=0.2)},
        population={
            "enter": mm.BoidSource(flock="prey", rate=3.0),
            "die": mm.Deaths(flocks=("prey", "hawks"), rate=0.4),
            "hunt": mm.Capture(
                predators="hawks", prey="prey", radius=1.0, handling_time=1.0, probability=0.5
            ),
        },
    )
    return model.set(changes) if changes else model


def frames_of(
    model: mm.Model,
    numbers: Sequence[dict[str, list[int]]],
    seed: int = 1,
    dtype: str = "float32",
) -> Iterator[mm.Frame]:
    """Yield a frame for each mapping of flocks to the indices of their boids.

    Positions are random, and a boid's birth is the step at which it is first there.
    """
    random = np.random.default_rng(seed)
    births: dict[tuple[str, int], int] = {}
    n_ever = {name: flock.count for name, flock in model.flocks.items()}
    for step, present in enumerate(numbers):
        flocks = {}
        for name, indices in present.items():
            for index in indices:
                births.setdefault((name, index), step)
                n_ever[name] = max(n_ever[name], index + 1)
            shape = (len(indices), model.space.dims)
            flocks[name] = FlockState(
                (16 * random.random(shape)).astype(dtype),
                random.normal(size=shape).astype(dtype),
                random.integers(0, 3 if model.flocks[name].perching else 1, len(indices)),
                random.normal(size=(len(indices), len(model.memory_of(name)))).astype(dtype),
                indices=np.array(indices, np.int64),
                births=np.array([births[name, index] for index in indices], np.int64),
                n_ever=n_ever[name],
            )
        yield make_frame(model, FlightState(step, flocks), seed=5)


def random_numbers(
    frames: int, seed: int = 2, max_prey: int = 20, hawks: int = 3
) -> list[dict[str, list[int]]]:
    """Return the boids of each frame; prey are sometimes none, and sometimes many."""
    random = np.random.default_rng(seed)
    prey, next_prey, others = list(range(6)), 6, list(range(hawks))
    out = []
    for frame in range(frames):
        out.append({"prey": list(prey), "hawks": list(others)})
        if frame % 11 == 7:
            prey = []
        prey = [index for index in prey if random.random() < 0.85]
        joining = min(int(random.integers(0, 6)), max_prey - len(prey))
        prey += range(next_prey, next_prey + joining)
        next_prey += joining
        others = [index for index in others if random.random() < 0.97]
    return out


def write(
    path: Path, model: mm.Model, frames: Sequence[mm.Frame], target: int | None = None,
    **options: Any,
) -> mm.Recording:  # fmt: skip
    """Write frames to a recording."""
    settings = {"seed": 5, "every": 1, "dtype": "float32", **SMALL, **options}
    header = make_header(model, frames[0], **settings)
    last = frames[-1].step if target is None else target
    with Writer.create(
        path, header, frames[0], last, measure=measures(model), scheduled=schedule_values(model)
    ) as writer:
        for frame in frames[1:]:
            writer.add(frame)
    return mm.open(path)


def assert_equal_frames(first: mm.Frame, second: mm.Frame) -> None:
    assert (first.step, first.time) == (second.step, second.time)
    assert list(first) == list(second)
    for name, flock in first.items():
        other = second[name]
        assert (flock.n_ever, flock.state_names) == (other.n_ever, other.state_names)
        for name in flock.state_names:
            assert flock.state(name).tobytes() == other.state(name).tobytes(), name
        for field in ("ids", "births", "positions", "velocities", "perch_timers"):
            a, b = getattr(flock, field), getattr(other, field)
            assert a.dtype == b.dtype and a.shape == b.shape, (name, field, a.shape, b.shape)
            assert a.tobytes() == b.tobytes(), (name, field)
        assert list(flock.traits) == list(other.traits)
        for trait, values in flock.traits.items():
            assert np.array_equal(values, other.traits[trait]), trait


def resume_with(path: Path, frames: Sequence[mm.Frame]) -> mm.Recording:
    """Resume a recording with those frames that it lacks, as a simulation would compute them."""
    again = ResumedRecording(path)
    if again.exact is not None:
        assert_equal_frames(frames[again.frames - 1], again.exact)
    model = mm.open(path).model
    with again.writer(
        frames[-1].step, measure=measures(model), scheduled=schedule_values(model)
    ) as writer:
        for frame in frames[again.frames :]:
            writer.add(frame)
    return mm.open(path)


def contents(path: Path) -> dict[str, bytes]:
    """Return the bytes of all files that a resumed recording has in common with another.

    The journal, the exact states and the root's metadata say which parts it was computed in.
    """
    files = (file for file in path.rglob("*") if file.is_file() and file.parent.name != "journal")
    names = {str(file.relative_to(path)): file for file in files if file != path / "zarr.json"}
    return {name: file.read_bytes() for name, file in names.items()}

"""Replays of boids that join and leave, and numbers of boids in replays."""

from __future__ import annotations

import base64
import json
import zlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_frames import empty, flock, frame, space

from murmurate.errors import ShowError
from murmurate.frame import Frame
from murmurate.show.replay import ReplayBuilder, decode, dequantize
from murmurate.show.replay_boids import MIN_REST, REST, RowLayout

SHARED = Path(__file__).parents[2] / "viewer" / "test" / "changing.json"
PLANE = space(2)


def pond(step: int, fish: list[int], sharks: list[int], **numbers: Any) -> Frame:
    """Return a frame of flocks by their ids. A boid of id i is at (i + step, 2 i)."""
    flocks = []
    for name, ids, ever in (("fish", fish, 9), ("sharks", [50 + i for i in sharks], 2)):
        positions = np.array([[i + step, 2.0 * i] for i in ids]).reshape(-1, 2)
        own = flock(positions, ids=ids, name=name, where=PLANE) if ids else empty(2, name)
        flocks.append(replace(own, n_ever=ever))
    flocks[0] = replace(flocks[0], **numbers)
    return frame(*flocks, step=step)


def pond_frames() -> list[Frame]:
    """Fish 1 leaves after frame 1, fish 3 joins in frame 2; a shark joins in frame 3."""
    fish = [[0, 1, 2], [0, 1, 2], [0, 2, 3], [0, 2, 3], [2, 3]]
    return [
        pond(
            step, ids, [0] if step < 3 else [0, 1],
            traits={"rules.school.weight": 10.0 + np.array(ids)},
            memory=np.array([[0.5 * step + i] for i in ids]), state_names=("rules.school.phase",),
        )
        for step, ids in enumerate(fish)
    ]  # fmt: skip


def replay_of(frames: list[Frame], **options: Any) -> Any:
    builder = ReplayBuilder(changing=True, **options)
    for moment in frames:
        builder.add(moment)
    return builder.build()


def positions_of(replay: Any) -> np.ndarray:
    """Return the decoded positions of all rows (T, R, 2)."""
    head = replay.head
    levels = decode(replay.payload, head["frames"], head["count"], 2, head["order"])
    return dequantize(levels, np.array(head["lower"][:2]), np.array(head["side"][:2]))


def test_each_boid_is_in_one_row_while_it_is_there() -> None:
    frames = pond_frames()
    replay = replay_of(frames)
    boids, positions = replay.head["boids"], positions_of(replay)
    half = np.array(replay.head["side"][:2]) / 131072 * 1.001
    decoded: dict[tuple[int, int], set[int]] = {}
    for row, boid, first, last in zip(
        *(boids[key] for key in ("row", "id", "first", "last")), strict=True
    ):
        kind = 0 if row < boids["rows"][0] else 1
        for number in range(first, last + 1):
            own = frames[number]["fish" if kind == 0 else "sharks"]
            position = own.positions[own.ids.tolist().index(boid + 50 * kind)]
            assert (np.abs(positions[number, row] - position) <= half).all()
            decoded.setdefault((kind, number), set()).add(boid)
    for number, moment in enumerate(frames):
        assert decoded[0, number] == set(moment["fish"].ids.tolist())
        assert decoded[1, number] == {i - 50 for i in moment["sharks"].ids.tolist()}


def test_numbers_of_boids_are_charted() -> None:
    head = replay_of(pond_frames()).head
    assert head["measures"]["fish"]["boids"] == [3, 3, 3, 3, 2]
    assert head["measures"]["sharks"]["boids"] == [1, 1, 1, 2, 2]
    assert head["boids"]["ever"]["fish"] == {"first": 9, "step": 0}


def test_other_flocks_are_refused() -> None:
    builder = ReplayBuilder(changing=True)
    builder.add(pond(0, [0], [0]))
    with pytest.raises(ShowError, match="replay shows the same boids"):
        builder.add(frame(flock([[0.0, 0.0]], name="fish", where=PLANE), step=1))


def test_a_flock_may_be_empty() -> None:
    replay = replay_of([pond(0, [0, 1], []), pond(1, [], []), pond(2, [2], [])])
    assert replay.head["boids"]["rows"] == [3, 0]
    assert positions_of(replay).shape == (3, 3, 2)


def test_no_boid_at_all() -> None:
    replay = replay_of([pond(0, [], []), pond(1, [], [])])
    assert replay.head["count"] == 0


lifetimes = st.lists(st.tuples(st.integers(0, 300), st.integers(0, 40)), min_size=1, max_size=60)


@pytest.mark.slow
@settings(max_examples=80, deadline=None)
@given(lives=lifetimes)
def test_rows_are_shared_after_a_rest(lives: list[tuple[int, int]]) -> None:
    spans = sorted((first, first + length) for first, length in lives)
    frames = range(spans[-1][0] + 45)
    ids = [
        [np.array([i for i, (first, last) in enumerate(spans) if first <= k <= last], np.int64)]
        for k in frames
    ]
    layout = RowLayout.of_ids(ids)
    assert layout.first.tolist() == [first for first, _ in spans]
    assert layout.last.tolist() == [last for _, last in spans]
    largest = max(len(moment[0]) for moment in ids)
    rest = REST if layout.sizes[0] <= largest else MIN_REST
    for row in range(layout.sizes[0]):
        own = np.flatnonzero(layout.rows == row)
        assert (layout.first[own[1:]] - layout.last[own[:-1]] >= rest).all() or len(own) < 2
    values = [10.0 * moment[0] + k for k, moment in enumerate(ids)]
    spread = layout.spread(ids, values)
    for k, moment in enumerate(ids):
        assert (spread[k][layout.rows_of(0, moment[0])] == values[k]).all()


# --- numbers of each boid


def numbers_of(replay: Any) -> list[np.ndarray]:
    """Return the numbers as pages unpack them: (boids,) of traits, (frames, rows) of states."""
    head = replay.head
    data = zlib.decompress(base64.b64decode(head["numbers"]["text"]))
    n_boids = len(head["boids"]["row"]) if "boids" in head else head["count"]
    rows, frames, start, decoded = head["count"], head["frames"], 0, []
    for about in head["numbers"]["names"]:
        low, side = about["low"], about["high"] - about["low"]
        if about["kind"] == "trait":
            levels = np.frombuffer(data, "<u2", n_boids, start).astype(float)
            start, last = start + 2 * n_boids, 65534
        else:
            steps = np.frombuffer(data, np.uint8, rows * frames, start).reshape(rows, frames)
            levels = np.cumsum(steps, axis=1, dtype=np.uint8).T.astype(float)
            start, last = start + rows * frames, 254
        decoded.append(np.where(levels > last, np.nan, low + levels / last * side))
    assert start == len(data)
    return decoded


def test_numbers_of_boids_that_come_and_go() -> None:
    replay = replay_of(pond_frames())
    boids = replay.head["boids"]
    weights, phases = numbers_of(replay)
    fish = np.array(boids["row"]) < boids["rows"][0]
    np.testing.assert_allclose(weights[fish], 10.0 + np.array(boids["id"])[fish], atol=1e-4)
    assert np.isnan(weights[~fish]).all()
    row = boids["row"][boids["id"].index(3)]
    np.testing.assert_allclose(phases[2:, row], [4.0, 4.5, 5.0], atol=0.01)
    assert [entry["name"] for entry in replay.head["scene"]["per_boid"]] == [
        "rules.school.weight",
        "rules.school.phase",
    ]


def test_numbers_of_the_same_boids() -> None:
    weights = np.array([0.5, np.nan, 2.0])
    frames = [
        frame(
            replace(
                flock([[0.0, 0.0], [1.0, 2.0], [step, 1.0]]),
                traits={"rules.a.weight": weights},
                memory=np.array([[0.0], [step], [2.0 * step]]),
                state_names=("motion.spin",),
            ),
            step=step,
        )
        for step in range(4)
    ]
    builder = ReplayBuilder()
    for moment in frames:
        builder.add(moment)
    replay = builder.build()
    assert "boids" not in replay.head
    trait, state = numbers_of(replay)
    np.testing.assert_allclose(trait, weights, atol=1e-4)
    np.testing.assert_allclose(state, [[0, k, 2 * k] for k in range(4)], atol=0.02)
    assert replay.head["scene"]["per_boid"][0]["range"] == (0.5, 2.0)


def made_to_share() -> list[dict[str, Any]]:
    """Return a replay of boids that come and go, with numbers of each."""
    replay = replay_of(pond_frames())
    return [{"head": replay.head, "payload": replay.payload}]


def test_the_viewer_reads_the_same_replay() -> None:
    """If the packing changes, write it again with `python tests/show/test_replay_boids.py`."""
    stored, packed = json.loads(SHARED.read_text()), made_to_share()
    assert [entry["head"]["boids"] for entry in stored] == [
        entry["head"]["boids"] for entry in packed
    ]
    for first, second in zip(stored, packed, strict=True):
        numbers = first["head"]["numbers"], second["head"]["numbers"]
        assert numbers[0]["names"] == numbers[1]["names"]
        texts = [zlib.decompress(base64.b64decode(each["text"])) for each in numbers]
        assert texts[0] == texts[1]


if __name__ == "__main__":
    SHARED.write_text(json.dumps(made_to_share(), separators=(",", ":")) + "\n")

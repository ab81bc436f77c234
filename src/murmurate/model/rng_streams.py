"""Streams of random numbers: each use of random numbers in a model has a name.

A random number is a function of seed, step, boid and stream, and a stream is the CRC-32 of its
name, so that a new rule leaves other streams unchanged. Two uses with one stream would get equal
numbers: `rng_uses` lists the uses of a model, which refuses names with equal streams.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import Any

from murmurate.model.distribution import Each, is_individual

PERCHING = "perching"
"""The stream for times on the ground. Streams of motions and of errors have a '/' in their names,
which names of rules do not have."""
SENSING = ("place", "velocity", "clock", "link")
"""What a flock draws of each flock that it senses: errors, clocks of messages, and their losses."""
STAGES = 9  # of rules: a motion has a stream for each


def rng_stream_id(*names: str) -> int:
    """Return the stream of a name: 32 bits."""
    return zlib.crc32("/".join(names).encode())


def rng_stream(name: str) -> str:
    """Return the stream of a rule: its name, or 'rule/perching' for a rule named 'perching'."""
    return f"rule/{name}" if name == PERCHING else name


def rng_uses(model: Any) -> Iterator[tuple[str, str, str]]:
    """Yield (path, use, name of the stream) of all random numbers of a model.

    Numbers of a boid that are drawn together, by a word, have one use.
    """
    yield "order", "turns", "turns"
    for flock, part in model.flocks.items():
        own = [PERCHING, *(f"motion/{stage}" for stage in range(STAGES))]
        if part.sensing:
            own += [f"sensing/{f}/{word}" for f in model.flocks for word in SENSING]
        drawn = {f"flocks.{flock}": [f"start/{flock}", *(f"{flock}/{word}" for word in own)]}
        for name in model.moved_by(flock):
            drawn[f"rules.{name}"] = [f"{flock}/{rng_stream(name)}"]
        numbers = {k.replace("motion.", f"flocks.{flock}.motion.", 1): (k, v)
                   for k, v in model.individuals_of(flock).items()}  # fmt: skip
        for name, entry in model.population.items():
            path, joins = f"population.{name}", f"{flock}/population/{name}"
            drawn[path] = [path.replace(".", "/", 1), f"population/{name}/{flock}", joins]
            duration = getattr(entry, "duration", None)
            if is_individual(duration):
                numbers[f"{path}.duration"] = f"{path}.duration", duration
        for path, streams in drawn.items():
            yield from ((path, stream, stream) for stream in streams)
        for path, (name, value) in numbers.items():
            word = getattr(value, "draw", "")
            if not isinstance(value, Each):
                use = f"{flock}, drawn by {word}" if word else f"{flock}, {name}"
                yield path, use, trait_stream(flock, word or name)


def trait_stream(flock: str, word: str) -> str:
    """Return the name of the stream of a number that differs between the boids of a flock."""
    return f"{flock}/individual/{word}"

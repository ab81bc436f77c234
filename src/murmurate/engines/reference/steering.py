"""Steering of the reference engine."""

from __future__ import annotations

import ast
import traceback
from bdb import BdbQuit
from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from murmurate.engines.reference.mathematics import seen_at, shortened, three
from murmurate.engines.reference.obstacles import to_surface
from murmurate.engines.reference.sensing import Boid, Perception
from murmurate.language.source import definition, fault
from murmurate.model.obstacles import shape_at
from murmurate.model.quantity import Part, are_corners, fill_from_space, number_at, quantities
from murmurate.model.rule import NeighbourRule, Rule, rng_stream
from murmurate.model.rule_arguments import (
    Me,
    Other,
    kept_tuple,
    takes_herd,
    takes_kept,
    takes_random,
)

Kept = Mapping[str, float]
"""What is kept of a boid, by the names of Model.memory_of."""


class Combined(NamedTuple):
    """Each rule's vector as it acts, (D,), by the rule's name; all of them put together; and what
    is kept of the boid then."""

    pushes: dict[str, np.ndarray]
    total: np.ndarray
    kept: Kept


class Steering:
    """The rules' vectors on single boids.

    mean_from  how many neighbours an affine rule takes one by one at most; from so many on it takes
               their number times its value at their mean, which is the same but for rounding
    """

    def __init__(self, perception: Perception, mean_from: int | None = None) -> None:
        self.perception, self.model = perception, perception.model
        self._mean_from = mean_from

    def me(self, boid: Boid) -> Me:
        """What rules know of the boid that they move."""
        motion, time = self.model.flocks[boid.flock].motion, self.perception.time
        return Me(
            *three(boid.place),
            *three(boid.velocity),
            float(np.linalg.norm(boid.velocity)),
            boid.index,
            time,
            self.model.dt,
            number_at(motion.max_speed, time),
            number_at(motion.max_force, time),
            float(self.perception.size(boid.flock)),
            self.model.space.dims,
        )

    def numbers(self, part: Part) -> SimpleNamespace:
        """A rule's or motion's numbers as they are now, and its words."""
        inside = fill_from_space(part, self.model.space)
        scalars, fields, time = quantities(type(part)), {}, self.perception.time
        for key in type(part).model_fields:
            value = getattr(inside, key)
            if key in scalars and isinstance(value, tuple):
                value = three([number_at(x, time) for x in value])
            elif key in scalars and value is not None:
                value = number_at(value, time)
            elif key == "points" and are_corners(value):
                value = tuple(three(point) for point in value)
            fields[key] = value
        return SimpleNamespace(**fields)

    # --- one rule

    def vector(self, name: str, rule: Rule, boid: Boid, me: Me) -> tuple[np.ndarray, Kept]:
        """A rule's steering vector, (D,), before its weight, and what the rule keeps then."""
        cls: Any = type(rule)
        its, steering, kept = self.numbers(rule), np.zeros(3), boid.kept
        given: list[tuple[Any, tuple[Any, ...]]] = []
        if isinstance(rule, NeighbourRule):
            given.append((cls.finish, (self._sums(name, rule, its, boid, me), me)))
        if hasattr(cls, "alone"):
            given.append((cls.alone, (me,)))
        for function, arguments in given:
            more: list[Any] = []
            if takes_random(function):
                more.append(self.perception.random(boid, rng_stream(name)))
            if takes_herd(function):
                more.append(self.perception.herd(rule, boid))  # type: ignore[arg-type]
            answer, kept = _called(
                function, (its, *arguments, *more), f"rules.{name}", rule.keeps, kept
            )
            steering = steering + answer
        steering = steering[: self.model.space.dims]
        length = float(np.linalg.norm(steering))
        if rule.normalise and length > 0.0:
            steering = steering / length
        return shortened(steering, its.limit), kept

    def _sums(
        self, name: str, rule: NeighbourRule, its: SimpleNamespace, boid: Boid, me: Me
    ) -> tuple[float, ...]:
        """What all the neighbours that a rule senses add up to."""
        cls: Any = type(rule)

        def pair_with(other: Other) -> tuple[float, ...]:
            found: tuple[float, ...] = called(f"rule {name}", cls.pair, its, me, other)
            return found

        flocks, obstacles = self.model.sensed(rule, boid.flock)
        _, ways, velocities = self.perception.sensed(rule, boid, flocks)
        with_self = rule.include_self and boid.flock in flocks
        count = len(ways)
        many = self._mean_from is not None and count >= self._mean_from
        if many and rule.affine and not obstacles:
            way, velocity = ways.sum(axis=0), velocities.sum(axis=0)
            if with_self:
                count, velocity = count + 1, velocity + boid.velocity
            pair = pair_with(seen_at(way / count, velocity / count))
            return tuple(count * value for value in pair)
        others = [seen_at(*one) for one in zip(ways, velocities, strict=True)]
        others += self._obstacles(rule, boid, obstacles)
        if with_self:
            others.append(seen_at(np.zeros(len(boid.place)), boid.velocity))
        pairs = [pair_with(other) for other in others]
        if not pairs:  # as many zeros as a pair would give
            return (0.0,) * len(pair_with(Other(1.0, 0, 0, 1.0, 1.0, 0, 0, 0)))
        return tuple(sum(column) for column in zip(*pairs, strict=True))

    def _obstacles(
        self, rule: NeighbourRule, boid: Boid, obstacles: tuple[str, ...]
    ) -> Iterator[Other]:
        """The obstacles that a rule senses, by the nearest point of their surface."""
        for name in obstacles:
            shape = shape_at(self.model.obstacles[name], self.perception.time)
            away, _ = to_surface(shape, boid.place, self.model.space)
            if self.perception.sees(rule, boid, away[None])[0]:
                yield seen_at(away, np.zeros(len(away)))

    # --- all rules

    def combined(self, boid: Boid, rules: Mapping[str, Rule], me: Me) -> Combined:
        """Each rule's vector as it acts, weighted, and all of them put together, as the flock
        combines them: summed; by priority, until max_force is used up; or the highest level that
        gives something, beside level 0."""
        how, left = self.model.flocks[boid.flock].combine, me.max_force
        pushes, kept = {}, dict(boid.kept)
        for name, rule in rules.items():
            vector, after = self.vector(name, rule, boid, me)
            pushes[name] = number_at(rule.weight, self.perception.time) * vector
            kept |= {key: after[key] for key in _keys(f"rules.{name}", rule.keeps)}
        none = np.zeros(self.model.space.dims)
        if how == "sum":
            return Combined(pushes, sum(pushes.values(), none), kept)
        if how == "priority":
            acting = {}
            for name, push in pushes.items():
                acting[name] = shortened(push, left)
                left = max(0.0, left - float(np.linalg.norm(push)))
            return Combined(acting, sum(acting.values(), none), kept)
        levels = {rule.level for rule in rules.values()}
        sums = {
            level: sum((pushes[name] for name in pushes if rules[name].level == level), none)
            for level in levels
        }
        waking = {rule.level for rule in rules.values() if rule.wakes}
        awake = {rule.level for name, rule in rules.items() if rule.wakes and pushes[name].any()}
        active = [
            level
            for level in sums
            if level > 0 and sums[level].any() and (level in awake or level not in waking)
        ]
        highest = max(active, default=0)
        acting = {
            name: push if rules[name].level in (0, highest) else 0.0 * push
            for name, push in pushes.items()
        }
        total = sums.get(0, none) + (sums[highest] if highest else none)
        return Combined(acting, total, kept)

    def turned(self, boid: Boid, stage: int, last: bool = False) -> tuple[np.ndarray, Kept]:
        """(D,) the velocity that the rules of a stage give a boid, and what is kept of it then.

        last  whether it is the last stage: a boid without rules turns in that one only
        """
        rules = self.model.moved_by(boid.flock)
        now = {name: rule for name, rule in rules.items() if rule.stage == stage}
        if not now and (rules or not last):
            return boid.velocity, boid.kept
        me, motion = self.me(boid), self.model.flocks[boid.flock].motion
        _, total, kept = self.combined(boid, now, me)
        turn: Any = type(motion).turn  # type: ignore[attr-defined]
        more: list[Any] = []
        if takes_random(turn):
            more.append(self.perception.random(boid, f"motion/{stages(self.model).index(stage)}"))
        arguments = (self.numbers(motion), me, *three(total), *more)
        turned, kept = _called(turn, arguments, "motion", motion.keeps, kept)
        return np.array(turned[: self.model.space.dims], dtype=float), kept


def _keys(owner: str, names: tuple[str, ...]) -> list[str]:
    return [f"{owner}.{name}" for name in names]


def _called(
    function: Any, arguments: tuple[Any, ...], owner: str, names: tuple[str, ...], kept: Kept
) -> tuple[np.ndarray, Kept]:
    """(3,) what a function gives that may take what is kept by some names; and what is kept then.

    owner  whose names they are: 'motion', or a rule as 'rules.flee'
    """
    name = owner.replace("rules.", "rule ")
    if not takes_kept(function):
        return np.array(vector_of(name, function, (), *arguments), dtype=float), kept
    keys = _keys(owner, names)
    before = kept_tuple(names)(*(kept[key] for key in keys))
    answer = vector_of(name, function, names, *arguments, before)
    after = dict(zip(keys, map(float, answer[3:]), strict=True))
    return np.array(answer[:3], dtype=float), {**kept, **after}


def stages(model: Any) -> list[int]:
    """The stages of a model's rules, in order; one where it has none."""
    return sorted({rule.stage for rule in model.rules.values()}) or [1]


def called(name: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """What a function returns. Raises RuleError, with the line, for whatever it raises.

    name  whose function it is, such as 'rule flee'
    """
    try:
        return function(*arguments)
    except BdbQuit:  # the user left the debugger
        raise
    except Exception as error:
        file = function.__code__.co_filename
        frames = traceback.extract_tb(error.__traceback__)
        line = next((f.lineno for f in reversed(frames) if f.filename == file), None)
        text = f"of {name} raises {type(error).__name__}: {error}"
        raise fault(function, line, text) from error


def vector_of(
    name: str, function: Callable[..., Any], names: tuple[str, ...], *arguments: Any
) -> tuple[Any, ...]:
    """What a function returns that must give a vector, and behind it a number for each name that it
    keeps. Raises RuleError, with the line, for anything else."""
    result: Any = called(name, function, *arguments)
    wrong = ""
    if not isinstance(result, tuple) or len(result) != 3 + len(names):
        found = f"{len(result)} numbers" if isinstance(result, tuple) else f"{result!r}"
        wanted = "three, x, y and z, such as 'return x, y, 0.0'"
        if names:
            wanted = f"{3 + len(names)}: 'return x, y, z, {', '.join(names)}'"
        wrong = f"of {name} returns {found}: it must return {wanted}"
    else:
        for number in result:
            if isinstance(number, bool) or not isinstance(number, int | float):
                wrong = f"of {name} returns {number!r} where a number must be"
    if wrong:
        raise fault(function, _first_return(function), wrong)
    vector: tuple[Any, ...] = result
    return vector


def _first_return(function: Callable[..., Any]) -> int | None:
    """The line of the first return."""
    returns = (n.lineno for n in ast.walk(definition(function)) if isinstance(n, ast.Return))
    return next(returns, None)

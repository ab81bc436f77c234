"""Steering of the reference engine: perception of a boid -> its steering vector.

It calls the rules' own functions as plain Python, and names file and line of what goes wrong.
"""

from __future__ import annotations

import ast
import math
import traceback
from bdb import BdbQuit
from collections.abc import Callable, Iterator, Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from murmurate.engines.reference.mathematics import (
    length_of,
    limit_length,
    make_other,
    make_others,
    pad_to_3d,
)
from murmurate.engines.reference.obstacles import edge_point, to_surface
from murmurate.engines.reference.sensing import Boid, Perception, Values, readable
from murmurate.errors import NotFiniteError, RuleError
from murmurate.language.methods import part_of, sums_of
from murmurate.language.reader import Readings
from murmurate.language.source import definition, fault
from murmurate.language.state_reads import mentions_state
from murmurate.model.number_table import table_fields, table_numbers
from murmurate.model.quantity import (
    Part,
    are_corners,
    fill_from_space,
    number_at,
    numbers_and_words,
    quantities,
)
from murmurate.model.rng_streams import rng_stream
from murmurate.model.rule import NeighbourRule, Rule, check_influence
from murmurate.model.rule_arguments import (
    Me,
    MeWithState,
    NearOther,
    Other,
    OtherWithState,
    state_tuple,
    takes_arc,
    takes_herd,
    takes_random,
    takes_state,
)


class Combined(NamedTuple):
    """Weighted vector of each rule, (D,), their combination, and the resulting per-boid state."""

    pushes: dict[str, np.ndarray]
    total: np.ndarray
    memory: Values


class Steering:
    """Steering vectors of rules on single boids.

    mean_from  number of neighbours from which an affine rule is evaluated once, at their mean, and
        multiplied by their number. This differs by rounding only. The default is never.
    readings  functions that earlier steps have read
    """

    def __init__(
        self, perception: Perception, mean_from: int | None = None, readings: Readings | None = None
    ) -> None:
        self.perception, self.model = perception, perception.model
        self._mean_from = mean_from
        self._numbers: dict[tuple[int, float], SimpleNamespace] = {}  # by id of the part, and time
        self._zeros: dict[int, tuple[float, ...]] = {}  # sums without pairs, by id of the rule
        self._readings = readings or Readings()

    def me(self, boid: Boid) -> Any:
        """Return the boid that a rule moves, as its functions receive it."""
        motion, time = self.motion(boid), self.perception.time
        return MeWithState(
            *pad_to_3d(boid.position),
            *pad_to_3d(boid.velocity),
            length_of(boid.velocity),
            self.perception.index_of(boid.flock, boid.index),
            time,
            self.model.dt,
            number_at(motion.max_speed, time),
            number_at(motion.max_force, time),
            float(self.perception.size(boid.flock)),
            self.model.space.dims,
            readable(boid.memory),
        )

    def motion(self, boid: Boid) -> Any:
        """Return the motion of a boid, with its own numbers."""
        return self.perception.own("motion", self.model.flocks[boid.flock].motion, boid)

    def numbers(self, part: Part) -> SimpleNamespace:
        """Return the present numbers and words of a boid's rule or motion."""
        key = id(part), self.perception.time
        if key not in self._numbers:
            self._numbers[key] = self._numbers_of(part)
        return self._numbers[key]

    def _numbers_of(self, part: Part) -> SimpleNamespace:
        inside = fill_from_space(part, self.model.space)
        scalars, fields, time = quantities(type(part)), {}, self.perception.time
        for key in type(part).model_fields:
            value = getattr(inside, key)
            if key in scalars and isinstance(value, tuple):
                value = pad_to_3d([number_at(x, time) for x in value])
            elif key in scalars and value is not None:
                value = number_at(value, time)
            elif key == "points" and are_corners(value):
                value = tuple(pad_to_3d(point) for point in value)
            elif key in table_fields(type(part)):
                value = table_numbers(value)
            fields[key] = value
        return SimpleNamespace(**fields)

    # --- one rule

    def vector(self, name: str, rule: Rule, boid: Boid, me: Me) -> tuple[np.ndarray, Values]:
        """Return a rule's steering vector, (D,), without its weight, and the per-boid state."""
        cls: Any = type(rule)
        rule = self.perception.own(f"rules.{name}", rule, boid)
        numbers, steering, memory = self.numbers(rule), np.zeros(3), boid.memory
        calls: list[tuple[Any, tuple[Any, ...]]] = []
        if isinstance(rule, NeighbourRule):
            calls.append((cls.finish, (self._sums(name, rule, numbers, boid, me), me)))
        if hasattr(cls, "alone"):
            calls.append((cls.alone, (me,)))
        for function, arguments in calls:
            more: list[Any] = []
            if takes_random(function):
                more.append(self.perception.random(boid, rng_stream(name)))
            if takes_herd(function):
                more.append(self.perception.herd(rule, boid))  # type: ignore[arg-type]
            result, memory = _call(
                function, (numbers, *arguments, *more), f"rules.{name}", rule.states, memory
            )
            steering = steering + result
        steering = steering[: self.model.space.dims]
        length = length_of(steering)
        if rule.normalise and length > 0.0:
            steering = steering / length
        return limit_length(steering, numbers.limit), memory

    def _sums(
        self, name: str, rule: NeighbourRule, numbers: SimpleNamespace, boid: Boid, me: Me
    ) -> tuple[float, ...]:
        """Return the sums of a rule's pair function over all neighbours that it senses."""
        cls: Any = type(rule)

        def pair_with(other: Any) -> tuple[float, ...]:
            values: tuple[float, ...] = call_rule(f"rule {name}", cls.pair, numbers, me, other)
            return require_finite(f"rule {name}", cls.pair, values)

        flocks, obstacles = self.model.sensed(rule, boid.flock)
        if takes_arc(cls.pair):
            pairs = [pair_with(arc) for arc in self.perception.arcs(rule, boid, flocks)]
            return self._sums_of(pairs, rule)
        numbers_sensed, displacements, velocities = self.perception.sensed(rule, boid, flocks)
        with_self = rule.include_self and boid.flock in flocks
        count = len(displacements)
        at_mean = self._mean_from is not None and count >= self._mean_from
        at_mean = at_mean and not rule.most_influential
        if at_mean and rule.affine and not obstacles:
            displacement, velocity = displacements.sum(axis=0), velocities.sum(axis=0)
            if with_self:
                count, velocity = count + 1, velocity + boid.velocity
            pair = pair_with(make_other(displacement / count, velocity / count))
            return tuple(count * value for value in pair)
        others: list[Any] = [*make_others(displacements, velocities)]
        if mentions_state(cls):
            states = map(self.perception.readable_state, map(int, numbers_sensed))
            others = [
                _with_state(other, state) for other, state in zip(others, states, strict=True)
            ]
        if rule.nearest and mentions_state(cls):
            indices = [flocks.index(self.perception.flock_of(int(n))) for n in numbers_sensed]
            others = [
                NearOther(*other[:8], other.state, rank, index)
                for rank, (other, index) in enumerate(zip(others, indices, strict=True))
            ]
        others += self._obstacles(rule, boid, obstacles)
        if with_self:
            own = make_other(np.zeros(len(boid.position)), boid.velocity)
            others.append(_with_state(own, readable(boid.memory)))
        pairs = [pair_with(other) for other in others]
        if rule.most_influential and pairs:
            check_influence(name, rule, len(pairs[0]))
            pairs = sorted(pairs, key=lambda pair: -sum(x * x for x in pair))
            pairs = pairs[: rule.most_influential]
        return self._sums_of(pairs, rule)

    def _sums_of(self, pairs: list[tuple[float, ...]], rule: Rule) -> tuple[float, ...]:
        """Return the sums of the values of pairs; without pairs, zeros."""
        if pairs:
            return tuple(map(sum, zip(*pairs, strict=True)))
        if id(rule) not in self._zeros:
            inside = fill_from_space(rule, self.model.space)
            fields, words = numbers_and_words(inside, lambda keys, value: 0)
            count = sums_of(part_of(type(rule), fields, words), self._readings)
            self._zeros[id(rule)] = (0.0,) * count
        return self._zeros[id(rule)]

    def _obstacles(
        self, rule: NeighbourRule, boid: Boid, obstacles: tuple[str, ...]
    ) -> Iterator[Other]:
        """Yield the obstacles that a rule senses: their nearest surface point, or an edge ahead."""
        for name in obstacles:
            row = self.perception.obstacles()[name]
            away: np.ndarray | None
            if rule.obstacles_at == "edge":
                away = edge_point(row, boid.position, boid.velocity, self.model.space)
            else:
                away, _ = to_surface(row, boid.position, self.model.space)
            if away is not None and self.perception.sees(rule, boid, away[None])[0]:
                yield make_other(away, np.zeros(len(away)))

    # --- all rules

    def combined(self, boid: Boid, rules: Mapping[str, Rule], me: Me) -> Combined:
        """Return each rule's weighted vector, and their combination as the flock states it.

        The flock adds them up; or takes them by priority until they reach max_force; or takes
        level 0 and the highest other level that is active.
        """
        pushes, memory = {}, dict(boid.memory)
        for name, rule in rules.items():
            vector, after = self.vector(name, rule, boid, me)
            weight = self.perception.own(f"rules.{name}", rule, boid).weight
            pushes[name] = number_at(weight, self.perception.time) * vector
            memory |= {key: after[key] for key in _keys(f"rules.{name}", rule.states)}
        none = np.zeros(self.model.space.dims)
        own = {
            name: f"rules.{name}.{rule.replaces}" for name, rule in rules.items() if rule.replaces
        }
        still = {name: none for name in pushes}
        for name, state in reversed(own.items()):
            if memory[state] > 0.0:
                return Combined(still | {name: pushes[name]}, pushes[name], memory)
        others = {name: rule for name, rule in rules.items() if name not in own}
        acting, total = self._by_flock(boid.flock, others, {n: pushes[n] for n in others}, me)
        return Combined(still | acting, total, memory)

    def _by_flock(
        self, flock: str, rules: Mapping[str, Rule], pushes: Mapping[str, np.ndarray], me: Me
    ) -> tuple[dict[str, np.ndarray], np.ndarray]:
        """Return the vectors that act, by rule, and their sum, as a flock combines them."""
        combine, left = self.model.flocks[flock].combine, me.max_force
        none = np.zeros(self.model.space.dims)
        if combine == "sum":
            return dict(pushes), sum(pushes.values(), none)
        if combine == "priority":
            acting = {}
            for name, push in pushes.items():
                acting[name] = limit_length(push, left)
                left = max(0.0, left - length_of(push))
            return acting, sum(acting.values(), none)
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
        return acting, total

    def turned(self, boid: Boid, stage: int, last: bool = False) -> tuple[np.ndarray, Values]:
        """Return a boid's velocity after a stage, (D,), and its per-boid state.

        In the last stage boids without rules turn too.
        """
        velocity, memory = self._turned(boid, stage, last)
        for name, entry in self.model.population.items():
            if memory.get(f"population.{name}.failed", 0.0) > 0.0:
                velocity = boid.velocity if entry.then == "drift" else 0.0 * velocity  # type: ignore[union-attr]
        return velocity, memory

    def _turned(self, boid: Boid, stage: int, last: bool) -> tuple[np.ndarray, Values]:
        rules = self.model.moved_by(boid.flock)
        active = {name: rule for name, rule in rules.items() if rule.stage == stage}
        if not active and (rules or not last):
            return boid.velocity, boid.memory
        me, motion = self.me(boid), self.motion(boid)
        _, total, memory = self.combined(boid, active, me)
        turn: Any = type(motion).turn
        more: list[Any] = []
        if takes_random(turn):
            more.append(
                self.perception.random(boid, f"motion/{model_stages(self.model).index(stage)}")
            )
        arguments = (self.numbers(motion), me, *pad_to_3d(total), *more)
        result, memory = _call(turn, arguments, "motion", motion.states, memory)
        return np.array(result[: self.model.space.dims], dtype=float), memory

    def settled(self, boid: Boid, force: np.ndarray) -> np.ndarray:
        """Return a boid's velocity after a step that evaluates forces several times, (D,)."""
        motion = self.motion(boid)
        arguments = (self.numbers(motion), self.me(boid), *pad_to_3d(force))
        result, _ = _call(type(motion).turn, arguments, "motion", (), {})
        return result[: self.model.space.dims]


def _with_state(other: Other, state: Any) -> Any:
    """Return a neighbour with its per-boid state."""
    return OtherWithState(*other, state)


def _keys(owner: str, names: tuple[str, ...]) -> list[str]:
    """Return the names of an owner's per-boid state in Model.memory_of."""
    return [f"{owner}.{name}" for name in names]


def _call(
    function: Any, arguments: tuple[Any, ...], owner: str, names: tuple[str, ...], memory: Values
) -> tuple[np.ndarray, Values]:
    """Return the vector of a function, (3,), and the per-boid state after the call.

    owner : 'motion', or a rule such as 'rules.flee'
    names : per-boid state of the owner
    """
    name = owner.replace("rules.", "rule ")
    if not takes_state(function):
        return np.array(call_vector(name, function, (), *arguments), dtype=float), memory
    keys = _keys(owner, names)
    before = state_tuple(names)(*(memory[key] for key in keys))
    result = call_vector(name, function, names, *arguments, before)
    after = dict(zip(keys, map(float, result[3:]), strict=True))
    return np.array(result[:3], dtype=float), {**memory, **after}


def model_stages(model: Any) -> list[int]:
    """Return the stages of a model's rules in order; stage 1 without rules."""
    return sorted({rule.stage for rule in model.rules.values()}) or [1]


def call_rule(name: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function of a rule or motion, and return its result.

    name  owner of the function, such as 'rule flee'
    raises RuleError  the function raises an exception. The error names file and line. It is a
        NotFiniteError for an operation without a value, such as a division by zero.
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
        undefined = isinstance(error, ArithmeticError | ValueError)
        raise fault(function, line, text, NotFiniteError if undefined else RuleError) from error


def call_vector(
    name: str, function: Callable[..., Any], names: tuple[str, ...], *arguments: Any
) -> tuple[Any, ...]:
    """Call a function that returns a vector, followed by the values of its per-boid state.

    name  owner of the function, such as 'rule flee'
    names  names of its per-boid state
    raises RuleError  the function raises an exception or returns something else. The error names
        file and line. It is a NotFiniteError for nan and infinity.
    """
    result: Any = call_rule(name, function, *arguments)
    wrong = ""
    if not isinstance(result, tuple) or len(result) != 3 + len(names):
        shape = f"{len(result)} numbers" if isinstance(result, tuple) else f"{result!r}"
        expected = "three, x, y and z, such as 'return x, y, 0.0'"
        if names:
            expected = f"{3 + len(names)}: 'return x, y, z, {', '.join(names)}'"
        wrong = f"of {name} returns {shape}: it must return {expected}"
    else:
        for number in result:
            if isinstance(number, bool) or not isinstance(number, int | float):
                wrong = f"of {name} returns {number!r} where a number must be"
    if wrong:
        raise fault(function, _first_return(function), wrong)
    return require_finite(name, function, result)


def require_finite(
    name: str, function: Callable[..., Any], values: tuple[Any, ...]
) -> tuple[Any, ...]:
    """Return the values of a function. Raise NotFiniteError if one is nan or infinite."""
    if isinstance(values, tuple) and not all(map(math.isfinite, values)):
        numbers = ", ".join(f"{value:g}" for value in values)
        text = f"of {name} returns ({numbers})"
        raise fault(function, _first_return(function), text, NotFiniteError)
    return values


def _first_return(function: Callable[..., Any]) -> int | None:
    """Return the line of the first return statement."""
    returns = (n.lineno for n in ast.walk(definition(function)) if isinstance(n, ast.Return))
    return next(returns, None)

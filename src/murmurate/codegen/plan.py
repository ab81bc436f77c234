"""Plan: the compiled form of a model: parameters with their slots, and for each rule the flocks it
senses and the sums it needs.

A plan knows no arrays and no engine. A layout (layout.py) chooses cells, all pairs and threads.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import accumulate
from types import MappingProxyType
from typing import Any, Literal, TypeVar

import numpy as np

from murmurate.codegen.mesh_data import address_words, mesh_words
from murmurate.codegen.structure import has_inner_radius, has_limit
from murmurate.language.reader import Readings
from murmurate.language.state_reads import SensedStates
from murmurate.language.tree import LARGE
from murmurate.model.distribution import Distribution, is_individual
from murmurate.model.flock import Sensing
from murmurate.model.model import Model
from murmurate.model.number_table import table_numbers
from murmurate.model.obstacles import Mesh
from murmurate.model.quantity import (
    Keys,
    TableRows,
    fill_from_space,
    is_scheduled,
    number_at,
)
from murmurate.model.rule import NeighbourRule, has_view, senses_arcs
from murmurate.model.shapes.shape import ROW

T = TypeVar("T")
FAR = LARGE
"""Infinity in a kernel."""

SlotKind = Literal["plain", "cone"]


@dataclass(frozen=True)
class Slot:
    """One number that kernels read.

    key    identity, such as ('rule', 'cohesion', 'radius'): texts make a name of it. A single word,
           such as ('TIME_STEP',), does not come from the user
    kind   plain; or cone: a field of view, passed as a signed squared cosine
    value  a number, a schedule or a distribution
    path   in the model, such as rules.cohesion.radius; '' where it has none
    """

    key: tuple[str, ...]
    kind: SlotKind
    value: Any
    path: str = ""

    @property
    def trait(self) -> str:
        """Name of the number if it differs between boids, see Model.traits_of; else ''."""
        if not is_individual(self.value):
            return ""
        if self.kind == "cone":
            return f"rules.{self.key[1]}.field_of_view"
        owner = "motion" if self.key[0] == "motion" else f"rules.{self.key[1]}"
        return ".".join((owner, *self.key[2:]))

    @property
    def owner(self) -> str:
        """The only flock whose boids have the number; '' for all that a rule moves."""
        if self.kind == "cone":
            return self.key[2]
        return self.key[1] if self.key[0] == "motion" else ""

    def passed(self, numbers: np.ndarray) -> np.ndarray:
        """Return the numbers of boids, (N,), as kernels read them."""
        if self.kind != "cone":
            return numbers
        c = np.cos(np.radians(numbers))
        passed: np.ndarray = np.where(numbers < 180.0, c * np.abs(c), -2.0)
        return passed

    def at(self, time: float) -> float:
        """Return the number at a time, as kernels read it.

        For a distribution it is the largest number, such as the radius that cells must serve; the
        mean where there is no largest.
        """
        if isinstance(self.value, Distribution):
            largest = self.value.extent()[1]
            number = largest if math.isfinite(largest) else self.value.mean_value
        else:
            number = number_at(self.value, time)
        if self.kind == "cone":
            c = math.cos(math.radians(number))
            return (
                c * abs(c) if number < 180.0 else -2.0
            )  # rounding must not hide boids straight behind
        return min(FAR, max(-FAR, number))


@dataclass(frozen=True)
class Numbers:
    """The numbers of one part (a rule or a motion) in a kernel.

    role    'rule' or 'motion'
    owner   the name of the rule, or of the flock whose motion it is
    fields  field -> slot, slots of a vector (3), slots of a polyline's points, or rows of a table
    constants  field -> constant: all fields that are not numbers
    """

    role: str
    owner: str
    fields: dict[str, Any]
    constants: dict[str, Any]

    @property
    def slots(self) -> list[int]:
        """All slots of the part."""
        return slots_in(tuple(self.fields.values()))

    @property
    def shape(self) -> tuple[str, ...]:
        """Names of its fields: parts of the same shape share a tuple, and so compiled functions."""
        return tuple(
            f"{name}{len(slot)}" if isinstance(slot, tuple) and name == "points" else name
            for name, slot in self.fields.items()
        )

    @property
    def tables(self) -> dict[str, TableRows]:
        """Field -> its rows, of fields that are tables."""
        return {name: slot for name, slot in self.fields.items() if isinstance(slot, TableRows)}


FLOCK_ROLES = ("motion", "perching", "diameter")
"""First words of the keys of numbers of flocks."""


def slot_key(role: str, name: str, keys: Keys) -> tuple[str, ...]:
    """Return the key of the slot of a number of a rule or motion."""
    field, *where = keys
    return (role, name, field, *map(str, where[:-1]), *("xyz"[axis] for axis in where[-1:]))


def number_of(model: Model, key: tuple[str, ...]) -> Any:
    """Return the number of a model in the slot with a key."""
    role, *words = key
    if role == "TIME_STEP":
        return model.dt
    name, *path = words
    if role == "cone":
        return model.rules[name].field_of_view  # type: ignore[attr-defined]
    if role == "diameter":
        return model.flocks[name].diameter
    if role == "rule":
        part: Any = fill_from_space(model.rules[name], model.space)
    else:
        part = getattr(model.flocks[name], role)
    value = getattr(part, path[0])
    for word in path[1:]:
        k = "xyz".index(word) if word in "xyz" else int(word)
        value = value[k] if k < len(value) else 0.0  # 2-D is 3-D with z = 0
    return float(value) if role == "perching" and path[0] != "ground" else value


def copied(value: T, **changes: Any) -> T:
    """Return a copy with other fields, and what is cached of the others."""
    copy = object.__new__(type(value))
    vars(copy).update(vars(value), **changes)
    return copy


def slots_in(slot: Any) -> list[int]:
    """Return the slots in nested tuples of slots. Tables have none."""
    if isinstance(slot, TableRows):
        return []
    return [k for item in slot for k in slots_in(item)] if isinstance(slot, tuple) else [slot]


@dataclass(frozen=True)
class PerBoidState:
    """The numbers that a rule or a motion stores for each boid of a flock.

    role   'rule' or 'motion'
    owner  the name of the rule, or of the flock whose motion it is
    names  of the numbers
    first  first row in the memory of all boids
    """

    role: str
    owner: str
    names: tuple[str, ...]
    first: int

    @property
    def rows(self) -> range:
        """Rows in the memory of all boids."""
        return range(self.first, self.first + len(self.names))


@dataclass(frozen=True)
class HerdSlots:
    """Slots of the numbers of a herd, which follow the first one. Kernels write all but the sides.

    first  of its centre, three numbers; those of its farthest member follow
    """

    first: int

    @property
    def vectors(self) -> range:
        """Its centre and the position of its farthest member, three numbers each."""
        return range(self.first, self.first + 6)

    @property
    def spread(self) -> int:
        """The distance of its farthest member from its centre."""
        return self.first + 6

    @property
    def count(self) -> int:
        """The number of its members."""
        return self.first + 7

    @property
    def sides(self) -> range:
        """The sides of the space, on each axis."""
        return range(self.first + 8, self.first + 11)


@dataclass(frozen=True)
class Sense:
    """One rule sensing one flock.

    method  totals: all boids as sums; voronoi: boids of touching cells; each: boid by boid
    """

    rule: RulePlan
    flock: str
    method: str


@dataclass(frozen=True)
class RulePlan:
    """A rule as one flock's boids follow it."""

    name: str
    rule: Any
    numbers: Numbers
    sums: int
    """Number of sums of its pair function; 0 for a rule that needs no neighbours."""
    rng_stream: int
    """Id of its stream of random numbers."""
    cone: int
    """Slot of its field of view as a signed squared cosine; -1 for a full view."""
    senses: tuple[str, ...] = ()
    obstacles: tuple[int, ...] = ()
    herd: HerdSlots | None = None
    """Slots of the herd that it senses."""
    tessellation: int = -1
    """Index of the tessellation whose neighbours it senses; -1 for none."""
    state: PerBoidState | None = None
    """The numbers that it stores for each boid."""

    @property
    def nearest(self) -> int:
        """The number of nearest neighbours that a search of its own finds; 0 for none."""
        return 0 if self.has_view else getattr(self.rule, "nearest", 0)

    @property
    def nearest_visible(self) -> int:
        """The number of nearest visible neighbours; 0 for all."""
        return getattr(self.rule, "nearest", 0) if self.has_view else 0

    @cached_property
    def has_view(self) -> bool:
        """Whether boids hide others from it: see Visible in candidates/visible.py."""
        return has_view(self.rule)

    @cached_property
    def senses_arcs(self) -> bool:
        """Whether its pair function takes arcs of the view in place of neighbours."""
        return senses_arcs(self.rule)

    @property
    def most_influential(self) -> int:
        return getattr(self.rule, "most_influential", 0)

    @property
    def replaces(self) -> str:
        """See Rule.replaces."""
        return str(self.rule.replaces)

    @property
    def has_cone(self) -> bool:
        """Whether it has a field of view."""
        return self.cone >= 0

    @property
    def limited(self) -> bool:
        """Whether it has a finite limit, which costs each boid a root and a quotient."""
        return has_limit(self.rule)

    @property
    def senses_edges(self) -> bool:
        """Whether it senses obstacles on its path, beside the impact: see obstacle_path.py."""
        return getattr(self.rule, "obstacles_at", "surface") == "edge"

    @property
    def annulus(self) -> bool:
        """Whether it senses only beyond an inner radius."""
        return isinstance(self.rule, NeighbourRule) and has_inner_radius(self.rule)


@dataclass(frozen=True)
class FlockPlan:
    """What the boids of one flock do in one stage."""

    flock: str
    stage: int
    rules: tuple[RulePlan, ...]
    motion: Numbers
    senses: tuple[Sense, ...]
    last: bool
    motion_state: PerBoidState | None
    """The numbers that its motion stores for each boid."""
    memory_rows: int
    """Number of numbers that its motion and its rules of all stages store for each boid."""
    can_perch: bool
    """Whether its boids perch."""
    perches: tuple[tuple[type, Numbers], ...] = ()
    """Classes and numbers of the rules that may put its boids on a perch, such as a wire."""

    failures: tuple[tuple[int, bool], ...] = ()
    """Row of the memory that is above 0 for boids that have failed, and whether they drift."""

    @property
    def states(self) -> tuple[PerBoidState, ...]:
        """Per-boid states of its motion and of its rules of this stage."""
        return tuple(
            state for state in (self.motion_state, *(rule.state for rule in self.rules)) if state
        )

    @property
    def other_rows(self) -> list[int]:
        """Rows of the memory that only rules of other stages write."""
        mine = {row for state in self.states for row in state.rows}
        return [row for row in range(self.memory_rows) if row not in mine]


@dataclass
class Plan:
    """All that the functions of a kernel depend on, and its numbers."""

    model: Model
    counts: dict[str, int]
    stages: int = 0
    flocks: list[FlockPlan] = field(default_factory=list)
    slots: list[Slot] = field(default_factory=list)
    herds: dict[tuple[str, tuple[str, ...]], HerdSlots] = field(default_factory=dict)
    """(flock that senses it late or with errors, or '', its flocks) -> its slots."""
    tessellations: list[tuple[str, ...]] = field(default_factory=list)
    """Groups of flocks that share Voronoi cells."""
    grounds: dict[str, int] = field(default_factory=dict)
    """Flock that perches -> first slot of its ground level, shortest and longest rest."""
    diameters: dict[str, int] = field(default_factory=dict)
    """Flock -> slot of the diameter of its boids, for rules from which boids hide others."""
    time_step: int = -1
    """Slot of dt."""
    tables: list[Numbers] = field(default_factory=list)
    """Rules and motions with tables. Numbers of tables follow those of slots."""
    states: SensedStates = field(default_factory=SensedStates)
    """The per-boid state that functions read, of the boid that they move and of neighbours."""
    readings: Readings = field(default_factory=Readings)
    """Typed trees of the functions of rules and motions, for all texts."""
    _steady: np.ndarray = field(default_factory=lambda: np.zeros(0))
    _changing: list[int] = field(default_factory=list)

    def with_counts(self, counts: Mapping[str, int]) -> Plan:
        """Return the plan of the same model for other numbers of boids."""
        return copied(self, counts=dict(counts))

    def with_numbers(self, model: Model) -> Plan:
        """Return the plan of a model of the same structure: see structure.same_structure."""
        before = self.model
        owners = [
            (role, name)
            for table, roles in (("rules", ("rule", "cone")), ("flocks", FLOCK_ROLES))
            for name, part in getattr(model, table).items()
            if part is not getattr(before, table)[name]
            for role in roles
        ]
        slots, steady, changing = list(self.slots), self._steady.copy(), set(self._changing)
        for k in [self.time_step, *(k for o in owners for k in self._slots_of.get(o, ()))]:
            slot = slots[k]
            value = number_of(model, slot.key)
            if value is not slot.value:
                slots[k] = Slot(slot.key, slot.kind, value, slot.path)
                changing = changing - {k} | ({k} if is_scheduled(value) else set())
                if len(steady):
                    steady[k] = slots[k].at(0.0)
        if len(steady) and self.tables_of(model) != self.tables_of(before):
            steady[len(slots) :] = self._table_numbers(model)
        plan = copied(self, model=model, slots=slots, _steady=steady, _changing=sorted(changing))
        vars(plan).pop("scheduled", None)
        if model.obstacles is not before.obstacles:
            vars(plan).pop("meshes", None)
        return plan

    @cached_property
    def _slots_of(self) -> dict[tuple[str, ...], list[int]]:
        """Role and name of a part -> slots of its numbers."""
        slots: dict[tuple[str, ...], list[int]] = {}
        for k, slot in enumerate(self.slots):
            slots.setdefault(slot.key[:2], []).append(k)
        return slots

    def add_slot(
        self, key: tuple[str, ...], value: Any, kind: SlotKind = "plain", path: str = ""
    ) -> int:
        """Add a slot for a number; return its index."""
        self.slots.append(Slot(key, kind, value, path))
        return len(self.slots) - 1

    @property
    def sensor_flocks(self) -> tuple[str, ...]:
        """Flocks that sense others late, with errors or losses."""
        return tuple(self.sensings)

    @property
    def sensings(self) -> dict[str, Sensing]:
        """Flocks that sense others late, with errors or losses, and how."""
        return {name: f.sensing for name, f in self.model.flocks.items() if f.sensing}

    @property
    def first_messages(self) -> dict[str, int]:
        """First row of `perceived` of each such flock, which has one for each age of a message."""
        ages = [sensing.ages for sensing in self.sensings.values()]
        return dict(zip(self.sensings, accumulate([0, *ages]), strict=False))

    @property
    def message_rows(self) -> int:
        """Number of rows of `perceived`."""
        return sum(sensing.ages for sensing in self.sensings.values())

    def loses(self, flock: str) -> bool:
        """Return whether messages to a flock may get lost."""
        return flock in self.sensings and self.sensings[flock].loses

    def errors_of(self, flock: str) -> tuple[Any, Any]:
        """Return the errors with which a flock senses positions and velocities."""
        sensing = self.sensings[flock]
        return sensing.position_error, sensing.velocity_error

    @property
    def integrates(self) -> bool:
        """Whether a step evaluates the forces more than once."""
        return self.model.integrator != "euler"

    @property
    def perceives(self) -> bool:
        """Whether boids perceive more than the state: late, with errors, or as herds."""
        return bool(self.herds or self.sensor_flocks)

    @property
    def memory_rows(self) -> int:
        """Rows of the memory of all boids: the largest number of numbers stored for a boid."""
        return max((flock.memory_rows for flock in self.flocks), default=0)

    @property
    def perches(self) -> bool:
        """Whether a flock perches."""
        return any(flock.can_perch for flock in self.flocks)

    @property
    def has_totals(self) -> bool:
        """Whether a rule senses all boids by sums."""
        return any(s.method == "totals" for flock in self.flocks for s in flock.senses)

    @property
    def count_numbers(self) -> int:
        """Number of numbers: those of slots, and of tables."""
        return len(self.slots) + sum(
            rows.count for part in self.tables for rows in part.tables.values()
        )

    def tables_of(self, model: Model) -> list[Any]:
        """Return the tables of a model."""
        owners = [
            (model.rules[part.owner] if part.role == "rule" else model.flocks[part.owner].motion)
            for part in self.tables
        ]
        pairs = zip(self.tables, owners, strict=True)
        return [getattr(owner, field) for part, owner in pairs for field in part.tables]

    def _table_numbers(self, model: Model) -> list[float]:
        """Return the numbers of all tables of a model."""
        return [number for table in self.tables_of(model) for number in table_numbers(table)]

    def numbers(self, time: float) -> np.ndarray:
        """Return all numbers at a time, (numbers,) float64; those of herds are 0."""
        if len(self._steady) != self.count_numbers:
            steady = [slot.at(time) for slot in self.slots] + self._table_numbers(self.model)
            self._steady = np.array(steady)
            self._changing = [k for k, s in enumerate(self.slots) if is_scheduled(s.value)]
        values = self._steady.copy()
        for k in self._changing:
            values[k] = self.slots[k].at(time)
        return values

    @cached_property
    def individual_rows(self) -> dict[int, int]:
        """Slots of the numbers that differ between boids -> their rows in `individual_numbers`."""
        slots = [k for k, slot in enumerate(self.slots) if is_individual(slot.value)]
        return {slot: row for row, slot in enumerate(slots)}

    @property
    def individual_columns(self) -> int:
        """Columns of `individual_numbers`: a power of two, so that those of a boid are in as few
        lines of the processor's cache as possible."""
        rows = len(self.individual_rows)
        return 1 << (rows - 1).bit_length() if rows else 0

    @property
    def individual_slots(self) -> list[Slot]:
        """The numbers that differ between boids, in the order of their rows."""
        return [self.slots[k] for k in self.individual_rows]

    @cached_property
    def scheduled(self) -> bool:
        """Whether any number changes in time."""
        obstacles = (value for shape in self.model.obstacles.values() for _, value in shape)
        scalars = [slot.value for slot in self.slots]
        for name in self.sensor_flocks:
            scalars += self.errors_of(name)
        for value in obstacles:
            scalars.extend(value if isinstance(value, tuple) else [value])
        return any(is_scheduled(value) for value in scalars)

    def obstacle_table(self, time: float, meshes: Mapping[str, int] | None = None) -> np.ndarray:
        """Return (obstacles, 7): number of the shape, centre or point, and three numbers.

        meshes  name of a mesh -> where its words are; by default those of this process, which exist
            as long as the plan
        """
        return obstacle_table(self.model, time, meshes or mesh_addresses(self.meshes))

    @cached_property
    def meshes(self) -> dict[str, np.ndarray]:
        """Words of the obstacles that are meshes: see mesh_data.py."""
        return mesh_words_of(self.model)


def mesh_words_of(model: Model) -> dict[str, np.ndarray]:
    """Return the words of the obstacles that are meshes: see mesh_data.py."""
    return {
        name: mesh_words(shape, model.space)
        for name, shape in model.obstacles.items()
        if isinstance(shape, Mesh)
    }


def mesh_addresses(words: Mapping[str, np.ndarray]) -> dict[str, int]:
    """Return the addresses of the words of meshes in this process."""
    return {name: own.ctypes.data for name, own in words.items()}


def obstacle_table(
    model: Model, time: float, meshes: Mapping[str, int] = MappingProxyType({})
) -> np.ndarray:
    """Return (obstacles, 7) float64: see Plan.obstacle_table."""
    rows = [
        [*shape.row(time), *(address_words(meshes[name]) if name in meshes else ())]
        for name, shape in model.obstacles.items()
    ]
    return np.array(rows, dtype=float).reshape(-1, ROW)

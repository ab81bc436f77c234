"""The WGSL text from the next velocity to the next state: move, land, write."""

from __future__ import annotations

from typing import Any

from murmurate.codegen.plan import FlockPlan, Numbers
from murmurate.engines.gpu.wgsl_steering import FlockText
from murmurate.engines.gpu.wgsl_values import AXES, PlanText
from murmurate.language.methods import part_of, read_method
from murmurate.language.tree import Tuple
from murmurate.language.wgsl_types import identifier


class WgslMoving:
    """Lines that move a boid."""

    def __init__(self, text: PlanText) -> None:
        self.text, self.programs = text, FlockText(text)

    def _flat(self, text: str) -> str:
        """Return the third number of a vector: zero in 2-D."""
        return text if self.text.dims == 3 else "0.0f"

    def turn(self, flock: FlockPlan) -> list[str]:
        """Return the lines from the mean force of a step, `total`, to the next velocity."""
        motion = type(self.text.plan.model.flocks[flock.flock].motion)
        turn = self.text.function(motion, "turn", flock.motion)
        force = f"total.x, total.y, {self._flat('total.z')}"
        x, y, z = self._items("turned_values", motion, "turn", flock.motion)
        return [
            f"let turned_values = {turn}({self.text.part(flock.motion)}, me, {force});",
            f"var turned = vec3f({x}, {y}, {self._flat(z)});",
            *self.find_undefined(["turned.x", "turned.y", "turned.z"]),
        ]

    def _items(self, name: str, cls: Any, way: str, numbers: Numbers) -> list[str]:
        """Return the numbers that a method returned in the variable `name`."""
        part = part_of(cls, numbers.fields, numbers.constants)
        result = read_method(part, way, self.text.plan.readings).result
        assert isinstance(result, Tuple)
        form = "{}[{}]" if len(set(result.items)) == 1 else "{}.item{}"
        return [f"f32({form.format(name, k)})" for k in range(len(result.items))]

    def move(self, flock: FlockPlan, by: str = "") -> list[str]:
        """Return the lines from the next velocity to the next position and kind.

        by  the velocity to move with; that of the motion by default
        """
        old = self.text.plan.model.flocks[flock.flock].motion.advance == "old"
        by = by or ("velocity" if old else "turned")
        step = self.text.slot(self.text.plan.time_step)
        lines = [f"var new_position = position + {by} * {step};"]
        if self.text.plan.model.obstacles:  # see ContactText
            return [*lines, "let new_kind = kind;"]
        lines += [*self.programs.arrive(flock, "new_position", "turned"), *self.find_lost()]
        return [*lines, "let new_kind = flock_of(kind) | (timer << 8u);"]

    def find_undefined(self, numbers: list[str]) -> list[str]:
        """Return the line that reports a boid if one of some numbers is nan or infinite."""
        tests = [f"is_not_finite({number})" for number in numbers]
        return [f"if ({' || '.join(tests)}) {{ atomicMin(&control[LOST], id); }}"]

    def find_lost(self) -> list[str]:
        """Return the line that reports a lost boid."""
        axes = AXES[: self.text.dims]
        tests = [f"is_lost(new_position.{axis}, settings.centre.{axis})" for axis in axes]
        return [f"if ({' || '.join(tests)}) {{ atomicMin(&control[LOST], id); }}"]

    def write(self, flock: FlockPlan) -> list[str]:
        """Return the lines that write the next state."""
        kind = "new_kind" if flock.last else "kind"
        lines = [
            "next_boids[2u * i] = vec4u(bitcast<vec3u>(new_position), id);",
            f"next_boids[2u * i + 1u] = vec4u(bitcast<vec3u>(turned), {kind});",
        ]
        written = set()
        for state in flock.states:
            for row, name in zip(state.rows, state.names, strict=True):
                written.add(row)
                value = f"{self.text.state_name(state)}.{identifier(name)}"
                lines.append(f"next_memory[{row}u * settings.n_boids + i] = {value};")
        for row in range(self.text.plan.memory_rows):
            if row not in written:
                at = f"[{row}u * settings.n_boids + i]"
                lines.append(f"next_memory{at} = memory{at};")
        return lines

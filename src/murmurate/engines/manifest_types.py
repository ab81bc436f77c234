"""The contract of what pages simulate with: modules of WebAssembly, programs of WebGPU.

The types of the viewer are written from these by viewer/contracts.py.
"""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired

from pydantic import WithJsonSchema
from typing_extensions import TypedDict

from murmurate.codegen.opened_rules import Opened
from murmurate.model.rule_functions import Method
from murmurate.model.shapes.shape import ShapeRow
from murmurate.model.value import Plain

NUMPY = ["float32", "float64", "int32", "int64", "uint32", "uint64"]
Dtype = Annotated[str, WithJsonSchema({"enum": NUMPY})]
Access = Annotated[str, WithJsonSchema({"enum": ["read", "read_write"]})]
Bit = Annotated[int, WithJsonSchema({"enum": [0, 1]})]


class SlotSource(TypedDict):
    """Where the number of a slot comes from."""

    kind: Literal["plain", "cone"]
    """See murmurate.codegen.plan.Slot."""
    path: str
    """In the model."""
    value: Plain
    """A number or a schedule, if the model has none at that path."""


class DrawnNumber(TypedDict):
    """A number that each boid of a flock draws from a distribution."""

    value: Plain
    flock: str
    name: str
    """See Model.traits_of."""


class TraitSource(TypedDict):
    """Where a number that differs between boids comes from, a column of `individual_numbers`."""

    name: str
    """See Model.traits_of."""
    kind: Literal["plain", "cone"]
    """See murmurate.codegen.plan.Slot."""
    path: str
    """In the model."""
    value: Plain
    """Its distribution, if the model has none at that path."""
    flocks: list[str]
    """Those that have it."""


class NumberSources(TypedDict):
    """Where the numbers of a model come from."""

    flocks: list[str]
    """Their names, in the order of `flock_index`."""
    dims: int
    parts: list[float]
    """Times in a step, as fractions of it, at which forces are evaluated; each needs a row of
    numbers."""
    numbers: list[SlotSource]
    tables: list[str | list[float]]
    """Tables of numbers, which follow the other numbers: see murmurate.model.number_table."""
    rules: list[str]
    """Their names, in the order of rows of `vectors`."""
    obstacles: list[str]
    """Their names, in the order of `obstacles_by_step`."""
    shapes: dict[str, ShapeRow]
    """Shapes of obstacles by kind."""
    meshes: dict[str, list[float]]
    """Obstacle with a mesh -> the last three numbers of its row, which say where its words are."""
    errors: list[list[Plain]]
    """Standard errors of sensed positions and velocities, for each flock that has them."""
    memory_rows: int
    """Of `memory`: per-boid state."""
    traits: list[TraitSource]


class Argument(TypedDict):
    """Where an argument is in memory.

    The word of a number (64 bits) in the table holds its value, float64 by its bits. An array
    begins at `address`; its address and sides are in the words from `word` on.
    """

    word: int
    dtype: Dtype
    shape: list[int]
    address: NotRequired[int]


class Manifest(NumberSources):
    """The memory of a module: see murmurate.engines.wasm.module_memory."""

    format: int
    """Changes with the meaning of any entry."""
    table: int
    """Address of the table of arguments, the argument of the exported function
    run_steps(table: i64) -> i64, which returns the number of completed steps."""
    arguments: dict[str, Argument]
    constants: dict[str, list[float]]
    """Name -> numbers that arguments hold throughout."""
    gridded: list[str]
    """Names of the gridded flocks."""
    max_boids: int
    """Number of boids for which memory has room."""
    rows: int
    """Number of steps for which memory has room for rows of numbers."""
    radii: list[int]
    """Slots of the radii that the grid serves."""
    shuffled: bool
    """Whether `update_order` is needed."""
    opened: Opened | None
    """Rules whose functions the page writes; null if all are compiled."""


class StartManifest(TypedDict):
    """The memory of the module of starts."""

    table: int
    """Address of its table."""
    addresses: dict[str, int]
    """Of the arrays to which the table points."""


class EntryNumber(TypedDict):
    """A number of an entry of a population, which a page evaluates for each step."""

    path: str
    """In the model."""
    value: Plain
    """A number or a schedule, if the page has none at that path."""
    at: int
    """Its place in the array `numbers`."""
    end: bool
    """Whether it is that at the end of the step, not at its start."""


class PopulationManifest(TypedDict):
    """The memory of the module of births and deaths; see wasm.population_functions."""

    table: int
    """Address of its table."""
    arrays: dict[str, Argument]
    constants: dict[str, list[float]]
    """Array -> numbers that it holds throughout."""
    numbers: list[EntryNumber]
    limits: dict[str, int]
    """The largest number of boids of each flock that boids may join."""


class LaidStart(TypedDict):
    """A flock's start, for start_functions.py."""

    integers: list[str]
    """64 bits each, as text."""
    numbers: list[float]
    memory: list[float | DrawnNumber]
    """The state of each boid."""


class GivenStart(TypedDict):
    """Positions and velocities of a flock's boids."""

    positions: list[list[float]]
    velocities: list[list[float]]
    memory: list[float | DrawnNumber]
    """The state of each boid."""


StartNumbers = LaidStart | GivenStart


class Dispatch(TypedDict):
    """A dispatch of a step."""

    entry: str
    """Name of the kernel."""
    module: str
    reads: Bit
    """Which of the alternating buffers it reads: 0 for those with the state before the step."""
    threads: dict[str, int]
    """Amount -> number of threads for each."""
    group: int
    """Threads of a workgroup."""


class PlainPath(TypedDict):
    """A way to make a step."""

    max_boids: int | None
    """The largest number of boids for which it is used."""
    passes: list[Dispatch]
    """Of each step."""
    end: list[Dispatch]
    """After the last step of a submission."""
    flips: bool
    """Whether the state after a step is in the other one of two alternating buffers."""


class ShaderModule(TypedDict):
    """A module of WGSL."""

    text: str
    access: dict[str, Access]
    """Buffer -> its access."""


class UniformField(TypedDict):
    """A field of the uniform `settings`."""

    offset: int
    """Bytes."""
    dtype: Dtype


class Uniform(TypedDict):
    """The uniform `settings`."""

    size: int
    """Bytes."""
    fields: dict[str, UniformField]


class PlainProgram(NumberSources):
    """What a model needs of a device: see murmurate.engines.gpu.program."""

    format: int
    modules: dict[str, ShaderModule]
    bindings: dict[str, int]
    paths: list[PlainPath]
    """That of the smallest flocks first; the first one that allows the number of boids is used."""
    buffers: dict[str, dict[str, int]]
    """Buffer -> amount -> words of 4 bytes for each."""
    cells: tuple[tuple[int, int], ...]
    """The number of cells is the smallest of a * boids + b."""
    block: int
    max_groups: int
    settings: dict[str, list[float]]
    uniform: Uniform
    max_steps: int
    rows: int
    vectors: int
    """First word of `control` with the vectors of a chosen boid."""


class OpenFunction(TypedDict):
    """A function in the text of a module, whose body a page replaces."""

    name: str
    types: dict[str, str]
    """Argument -> its type in the text."""
    result: str


class EditedProgram(TypedDict):
    """The program of a page in which a rule is edited."""

    program: PlainProgram
    """Its `modules` are those that differ from the page's program."""
    functions: dict[str, dict[Method, OpenFunction]]
    """Rule -> method -> function of the module `stages`."""


class PageBounds(TypedDict):
    """What a page of a program allows."""

    max_boids: int
    """Of all flocks together."""
    fixed: list[str]
    """Paths that can be changed with WebAssembly, but not here."""


class PageProgram(PlainProgram, PageBounds):
    """A program with what its page allows."""

    edited: NotRequired[EditedProgram]
    """If rules can be edited."""


class Programmed(TypedDict):
    """A model that WebGPU can simulate."""

    program: PageProgram


class Unprogrammed(TypedDict):
    """A model that WebGPU cannot simulate."""

    why: str

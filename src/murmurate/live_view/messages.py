"""Messages: decode and check those of pages; encode those for pages.

Messages are JSON text in both directions. JSON has no infinity, so an infinite number is the word
"inf", as in TOML. Frames, from wire_format.py, and commands, of COMMAND_FIELDS, are binary.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import Annotated, Any, Literal, NoReturn

import numpy as np
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    FiniteFloat,
    TypeAdapter,
    ValidationError,
    model_validator,
)

from murmurate.live_view.server_messages import ServerMessage
from murmurate.model.text_reader import TextError, read_json
from murmurate.model.value import Plain
from murmurate.show.scene import jsonable
from murmurate.show.wire_format import VERSION

MAX_MESSAGE_BYTES = 64 * 1024
MAX_PATH_POINTS = 64

Id = Annotated[int, Field(ge=0, le=2**53)]
Name = Annotated[str, Field(max_length=200)]
Steps = Annotated[int, Field(ge=1, le=1_000_000)]
Seed = Annotated[int, Field(ge=0, lt=2**63)]
BoidIndex = Annotated[int, Field(ge=0, le=2**31)]
Point = Annotated[tuple[FiniteFloat, ...], Field(min_length=2, max_length=3)]
Positive = Annotated[FiniteFloat, Field(gt=0)]
Pixels = Annotated[int, Field(ge=64, le=3840)]


class MessageError(Exception):
    """A message is invalid. `message_id` is its id, or None."""

    def __init__(self, text: str, message_id: int | None = None) -> None:
        super().__init__(text)
        self.message_id = message_id


# --- shapes that pages draw; drawing.py names them and adds the rules they need


class _Shape(BaseModel):
    """The base of all shapes. Points have one number per dimension of the space."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Sphere(_Shape):
    kind: Literal["sphere"]
    centre: Point
    radius: Positive


class Box(_Shape):
    kind: Literal["box"]
    centre: Point
    size: Annotated[tuple[Positive, ...], Field(min_length=2, max_length=3)]


class Wall(_Shape):
    """A wall through two points, upright in 3-D, with the flock in front of it."""

    kind: Literal["wall"]
    through: tuple[Point, Point]


class Path(_Shape):
    kind: Literal["path"]
    points: Annotated[tuple[Point, ...], Field(min_length=2, max_length=MAX_PATH_POINTS)]
    closed: bool = False


class Goal(_Shape):
    kind: Literal["goal"]
    place: Point


Shape = Annotated[Sphere | Box | Wall | Path | Goal, Field(discriminator="kind")]


# --- messages of pages


class Message(BaseModel):
    """The base of all messages. A message with an id receives a reply."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    type: str
    id: Id | None = None


class Credit(Message):
    """The page can take more frames."""

    type: Literal["credit"]
    frames: Annotated[int, Field(ge=1, le=8)] = 1


class Play(Message):
    type: Literal["play"]


class Pause(Message):
    type: Literal["pause"]


class Step(Message):
    type: Literal["step"]
    steps: Steps = 1


class Restart(Message):
    type: Literal["restart"]
    seed: Seed | None = None


class Rate(Message):
    type: Literal["rate"]
    steps_per_second: Annotated[FiniteFloat, Field(gt=0, le=1e6)] | None


class Set(Message):
    """Set values at dotted paths.

    off  the rules to switch off; all others are switched on. Without it, a rule whose weight is
         set is switched on, and the other rules stay as they are.
    """

    type: Literal["set"]
    values: Annotated[dict[Name, Plain], Field(max_length=256)] = {}
    off: Annotated[list[Name], Field(max_length=256)] | None = None

    @model_validator(mode="after")
    def _check_content(self) -> Set:
        if not self.values and self.off is None:
            raise ValueError("values and off: both are missing; expected at least one of them")
        return self


class Switch(Message):
    type: Literal["switch"]
    rule: Name
    on: bool


class Reset(Message):
    type: Literal["reset"]


class Open(Message):
    type: Literal["open"]
    model: Name


class Choose(Message):
    type: Literal["choose"]
    flock: Name | None = None
    boid: BoidIndex | None = None


class NeighbourCounts(Message):
    """Whether frames for this page carry neighbour counts, and a number that differs between boids.

    number  its path, one of the scene's `per_boid`; none if empty or unknown
    """

    type: Literal["extra"]
    neighbours: bool
    number: Name = ""


class Move(Message):
    type: Literal["move"]
    flock: Name
    boid: BoidIndex
    position: Point


class Shoo(Message):
    """Drive boids away from the pointer, or attract them if `call` is true."""

    type: Literal["shoo"]
    position: Point | None
    radius: Positive
    call: bool = False


class Prepare(Message):
    """Such a part may be drawn soon: what it needs is compiled in the background."""

    type: Literal["prepare"]
    part: Literal["obstacle", "goal", "predator"]


class Draw(Message):
    type: Literal["draw"]
    shape: Shape


class PlacePredator(Message):
    type: Literal["place"]
    position: Point


class Remove(Message):
    """Remove a boid from its flock. Removing the last boid removes the flock."""

    type: Literal["remove"]
    flock: Name
    boid: BoidIndex


class Edit(Message):
    """Remove parts (null) or put them back; other numbers are unchanged. The flock continues from
    its state, also with other flocks or other numbers of boids. `places` has the positions of
    boids that are added."""

    type: Literal["edit"]
    values: Annotated[dict[Name, Plain], Field(min_length=1, max_length=256)]
    places: Annotated[
        dict[Name, Annotated[list[Point], Field(max_length=256)]], Field(max_length=64)
    ] = {}


class Toml(Message):
    type: Literal["toml"]


class Film(Message):
    type: Literal["film"]
    steps: Annotated[int, Field(ge=1, le=20_000)] = 240
    size: tuple[Pixels, Pixels] = (1280, 720)


class Page(Message):
    type: Literal["page"]
    frames: Annotated[int, Field(ge=1, le=5000)] = 300


AnyMessage = Annotated[
    Credit | Play | Pause | Step | Restart | Rate | Set | Switch | Reset | Open | Choose
    | NeighbourCounts | Move | Shoo | Prepare | Draw | PlacePredator | Remove | Edit | Toml | Film
    | Page,
    Field(discriminator="type"),
]  # fmt: skip
_ADAPTER: TypeAdapter[Message] = TypeAdapter(AnyMessage)


# --- commands of boids


COMMAND_FIELDS = np.dtype(
    [
        ("magic", "<u4"), ("version", "<u2"), ("dims", "<u2"), ("id", "<u4"), ("count", "<u4"),
        ("flags", "<u2"), ("name", "<u2"),
    ]
)  # fmt: skip
"""The header of a command: `id` of the reply or 0, `name` the length of the flock's name, which
follows in ASCII, with zeros up to a multiple of 4 bytes. Then, with flag SOME, uint32 index within
its flock of each boid, then float32 vectors, a row per boid. No boids and no flags: the commands of
all boids of the flock end."""
COMMAND_MAGIC, SOME = 0x43524D46, 1  # 'FMRC'


@dataclass(frozen=True)
class Command:
    """Commands of boids of a flock, for models with a rule of kind `command`.

    vectors  (N, D), or (K, D) for some boids; None ends the commands of all
    boids    (K,) indices within the flock
    """

    flock: str
    vectors: np.ndarray | None
    boids: np.ndarray | None = None
    id: int | None = None
    type: str = "command"


Request = Message | Command


def decode_command(data: bytes) -> Command:
    """Decode a binary message. Raises MessageError."""
    size = COMMAND_FIELDS.itemsize
    if len(data) < size or (header := np.frombuffer(data, COMMAND_FIELDS, 1)[0])["magic"] != (
        COMMAND_MAGIC
    ):
        raise MessageError("a binary message begins with the header of a command, 'FMRC'")
    _, version, dims, number, count, flags, length = header.tolist()
    if version != VERSION:
        raise MessageError(f"command: got version {version}; expected {VERSION}")
    some, start = bool(flags & SOME), size + -(-length // 4) * 4
    if len(data) != (expected := start + 4 * count * (dims + some)):
        raise MessageError(f"command: got {len(data)} bytes; expected {expected}", number or None)
    flock = data[size : size + length].decode("ascii", "replace")
    boids = np.frombuffer(data, "<u4", count, start) if some else None
    vectors = np.frombuffer(data, "<f4", count * dims, start + 4 * count * some)
    ends = not count and not flags
    return Command(flock, None if ends else vectors.reshape(count, dims), boids, number or None)


# --- text to messages and back


def decode(data: str | bytes) -> Request:
    """Decode and check a message. Raises MessageError with the reason."""
    if isinstance(data, bytes):
        return decode_command(data)
    size = max(len(data), len(data.encode("utf-8", "surrogatepass")))
    if size > MAX_MESSAGE_BYTES:
        raise MessageError(
            f"message: got {size} bytes; expected at most {MAX_MESSAGE_BYTES // 1024} KiB"
        )
    try:
        fields = read_json(data, parse_constant=_refuse_constant)
    except TextError as error:
        raise MessageError(str(error)[:200]) from None
    if not isinstance(fields, dict):
        raise MessageError("a message is a JSON object with a 'type'")
    number = fields.get("id")
    is_id = isinstance(number, int) and not isinstance(number, bool) and abs(number) < 2**53
    message_id = number if is_id else None
    if fields.get("type") in ("choose", "move") and "id" in fields and "boid" not in fields:
        fields["boid"] = fields.pop("id")  # older pages send the boid as "id"
        message_id = None
    return check(fields, message_id)


def check(fields: dict[str, Any], message_id: int | None = None) -> Message:
    """Return the message with these fields. Raises MessageError."""
    if not _is_finite(fields):
        raise MessageError("a number is not finite, or has too many digits", message_id)
    try:
        return _ADAPTER.validate_python(fields)
    except ValidationError as error:
        raise MessageError(_problems(error), message_id) from None


def _refuse_constant(word: str) -> NoReturn:
    raise ValueError(f'{word} is not JSON; write an infinite radius as "inf"')


def _is_finite(value: Any) -> bool:
    if isinstance(value, dict):
        return all(map(_is_finite, value.values()))
    if isinstance(value, list):
        return all(map(_is_finite, value))
    if isinstance(value, int):
        return abs(value) < 2**63
    return not isinstance(value, float) or math.isfinite(value)


def _problems(error: ValidationError) -> str:
    lines = []
    for item in error.errors(include_url=False, include_input=False)[:5]:
        field = ".".join(str(part)[:60] for part in item["loc"][1:])
        text = item["msg"].removeprefix("Value error, ")
        lines.append(f"{field}: {text}" if field else text)
    return "; ".join(lines)[:600]


def decode_value(value: Any) -> Any:
    """Convert a value of a message to the form that a model accepts: "inf" becomes infinity."""
    if isinstance(value, dict):
        return {key: decode_value(item) for key, item in value.items()}
    if isinstance(value, list):
        return [decode_value(item) for item in value]
    if isinstance(value, str):
        return {"inf": math.inf, "-inf": -math.inf}.get(value, value)
    return value


def encode(message: ServerMessage) -> str:
    """Encode a message to a page as JSON text."""
    return json.dumps(jsonable(message), allow_nan=False, separators=(",", ":"))

"""Messages: what pages may send, checked before anything is done with it; JSON text in both
directions.

JSON has no infinity: an infinite number is the word "inf", as in TOML.
"""

from __future__ import annotations

import json
import math
from typing import Annotated, Any, Literal, NoReturn

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    FiniteFloat,
    JsonValue,
    TypeAdapter,
    model_validator,
)
from pydantic import ValidationError as Invalid

from murmurate.live_view.shapes import Point, Shape
from murmurate.model.text_reader import TextError, read_json
from murmurate.show.scene import jsonable

LARGEST = 64 * 1024  # bytes of a message

Id = Annotated[int, Field(ge=0, le=2**53)]
Name = Annotated[str, Field(max_length=200)]
Steps = Annotated[int, Field(ge=1, le=1_000_000)]
Seed = Annotated[int, Field(ge=0, lt=2**63)]


class BadMessage(Exception):
    """A message that cannot be used. `to` is its id, where it has one."""

    def __init__(self, text: str, to: int | None = None) -> None:
        super().__init__(text)
        self.to = to


class Message(BaseModel):
    """What all messages share."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    id: Id | None = None


class Credit(Message):
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
    """Values at dotted paths.

    off  the rules that are off afterwards, all others being on; without it a rule whose weight is
         set goes on
    """

    type: Literal["set"]
    values: Annotated[dict[Name, JsonValue], Field(max_length=256)] = {}
    off: Annotated[list[Name], Field(max_length=256)] | None = None

    @model_validator(mode="after")
    def _something(self) -> Set:
        if not self.values and self.off is None:
            raise ValueError("no values, and no rules that are to be off")
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
    boid: Annotated[int, Field(ge=0, le=2**31)] | None = None


class Extra(Message):
    type: Literal["extra"]
    neighbours: bool


class Move(Message):
    type: Literal["move"]
    flock: Name
    boid: Annotated[int, Field(ge=0, le=2**31)]
    position: Point


class Shoo(Message):
    type: Literal["shoo"]
    position: Point | None = None
    radius: Annotated[FiniteFloat, Field(gt=0)] | None = None
    call: bool = False


class Draw(Message):
    type: Literal["draw"]
    shape: Shape


class Place(Message):
    """A predator."""

    type: Literal["place"]
    position: Point


class Remove(Message):
    """A boid that leaves its flock; the last one takes the flock with it."""

    type: Literal["remove"]
    flock: Name
    boid: Annotated[int, Field(ge=0, le=2**31)]


class Edit(Message):
    """Parts that were drawn are taken away (null) or put back; numbers are as they were. The flock
    flies on, also with other flocks or numbers of boids, which `places` says where they join."""

    type: Literal["edit"]
    values: Annotated[dict[Name, JsonValue], Field(min_length=1, max_length=256)]
    places: Annotated[
        dict[Name, Annotated[list[Point], Field(max_length=256)]], Field(max_length=64)
    ] = {}


class Toml(Message):
    type: Literal["toml"]


class Film(Message):
    type: Literal["film"]
    steps: Annotated[int, Field(ge=1, le=20_000)] = 240
    size: tuple[Annotated[int, Field(ge=64, le=3840)], Annotated[int, Field(ge=64, le=3840)]] = (
        1280,
        720,
    )


class Page(Message):
    type: Literal["page"]
    frames: Annotated[int, Field(ge=1, le=5000)] = 300


Any_ = Annotated[
    Credit | Play | Pause | Step | Restart | Rate | Set | Switch | Reset | Open | Choose | Extra
    | Move | Shoo | Draw | Place | Remove | Edit | Toml | Film | Page,
    Field(discriminator="type"),
]  # fmt: skip
_ADAPTER: TypeAdapter[Message] = TypeAdapter(Any_)


def read(data: str | bytes) -> Message:
    """The message that a text is. Raises BadMessage, saying why it is none."""
    if isinstance(data, bytes):
        raise BadMessage("messages are JSON text, not bytes")
    if len(data) > LARGEST or len(data.encode("utf-8", "surrogatepass")) > LARGEST:
        raise BadMessage(f"{len(data)} characters: a message may have {LARGEST // 1024} KiB")
    try:
        plain = read_json(data, parse_constant=_refuse)
    except TextError as error:
        raise BadMessage(str(error)[:200]) from None
    if not isinstance(plain, dict):
        raise BadMessage("a message is a JSON object with a 'type'")
    to = plain.get("id")
    to = to if isinstance(to, int) and not isinstance(to, bool) and abs(to) < 2**53 else None
    if not _finite(plain):
        raise BadMessage("a number is not finite, or has more digits than can be used", to)
    if plain.get("type") in ("choose", "move") and "id" in plain and "boid" not in plain:
        # there "id" may be the boid's
        plain["boid"] = plain.pop("id")
        to = None
    try:
        return _ADAPTER.validate_python(plain)
    except Invalid as error:
        raise BadMessage(_why(error), to) from None


def _refuse(word: str) -> NoReturn:
    raise ValueError(f'{word} is not JSON; an infinite radius is "inf"')


def _finite(value: Any) -> bool:
    if isinstance(value, dict):
        return all(map(_finite, value.values()))
    if isinstance(value, list):
        return all(map(_finite, value))
    if isinstance(value, int):
        return abs(value) < 2**63
    return not isinstance(value, float) or math.isfinite(value)


def _why(error: Invalid) -> str:
    lines = []
    for item in error.errors(include_url=False, include_input=False)[:5]:
        where = ".".join(str(part)[:60] for part in item["loc"][1:])
        lines.append(f"{where}: {item['msg']}" if where else item["msg"])
    return "; ".join(lines)[:600]


def from_page(value: Any) -> Any:
    """A value of a message as a model takes it."""
    if isinstance(value, dict):
        return {key: from_page(item) for key, item in value.items()}
    if isinstance(value, list):
        return [from_page(item) for item in value]
    return (
        {"inf": math.inf, "-inf": -math.inf}.get(value, value) if isinstance(value, str) else value
    )


def text(message: dict[str, Any]) -> str:
    """A message to a page, as JSON text."""
    return json.dumps(jsonable(message), allow_nan=False, separators=(",", ":"))

"""Value: the base class of every part of a model."""

from __future__ import annotations

import ast
import inspect
import linecache
import sys
import textwrap
import tokenize
from collections.abc import Mapping
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from pydantic import BaseModel, ConfigDict, ValidationError

from murmurate.errors import ModelError
from murmurate.model.messages import complaints
from murmurate.syntax import syntax_tree


def place_of_class(cls: type) -> tuple[str, int] | None:
    """The file and the line of the class statement that is being run; None where none is."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__") != cls.__module__:
        frame = frame.f_back  # type: ignore[assignment]
    return None if frame is None else (frame.f_code.co_filename, frame.f_lineno)


@lru_cache(maxsize=256)  # what rules share is asked for by each of them
def texts_at(place: tuple[str, int], cls: type) -> Mapping[str, str]:
    """Name of a field -> the text below it, of the class whose statement stands at a place."""
    file, line = place
    lines = linecache.getlines(file, getattr(sys.modules.get(cls.__module__), "__dict__", None))
    try:
        block = textwrap.dedent("".join(inspect.getblock(lines[line - 1 :])))
        statement: Any = syntax_tree(block).body[0]
    except (SyntaxError, IndexError, tokenize.TokenError):  # the file is another one by now
        return {}
    if not isinstance(statement, ast.ClassDef) or statement.name != cls.__name__:
        return {}
    found = {}
    body: list[Any] = statement.body
    for field, below in pairwise(body):
        text = getattr(getattr(below, "value", None), "value", None)
        named = isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if named and isinstance(below, ast.Expr) and isinstance(text, str):
            found[field.target.id] = inspect.cleandoc(text)
    return found


if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass as _Meta
else:
    _Meta = type(BaseModel)  # its public name


class _Made(_Meta):
    """Makes a value in Python say what is wrong with it as a model file would."""

    def __call__(cls, *args: Any, **data: Any) -> Any:
        try:
            return super().__call__(*args, **data)
        except ValidationError as error:
            made: Any = cls
            raise ModelError("\n".join(complaints(error, made, data, cls.__name__))) from None


class Value(BaseModel, metaclass=_Made):
    """A frozen pydantic value. Unknown keys are errors; defaults are checked like given numbers.

    Raises ModelError for what is not allowed, all of it at once.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)
    _place: ClassVar[tuple[str, int] | None] = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._place = place_of_class(cls)

    @classmethod
    def field_texts(cls) -> dict[str, str]:
        """Name of a field -> what the text below it says."""
        found: dict[str, str] = {}
        for owner in reversed(cls.__mro__):
            place = vars(owner).get("_place")
            if place is not None:
                own = texts_at(place, owner)
                found |= {
                    name: own.get(name, "") for name in vars(owner).get("__annotations__", {})
                }
        return {name: text for name, text in found.items() if text}

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> dict[str, Any]:
        found: dict[str, Any] = handler(core)
        properties = handler.resolve_ref_schema(found).get("properties", {})
        for name, text in cls.field_texts().items():
            if name in properties:
                properties[name].setdefault("description", text)
        return found


class FrozenDict(dict[str, Any]):
    """A dict that cannot be changed, so that a model can be trusted to stay what it is."""

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise TypeError("a model does not change: model.set({...}) gives a changed one")

    __setitem__ = __delitem__ = _refuse
    update = pop = popitem = clear = setdefault = _refuse
    __ior__ = _refuse
    __hash__ = None

    def __eq__(self, other: object) -> bool:
        """Order counts: by priority the first rule comes first, and ids go flock by flock."""
        return isinstance(other, dict) and list(self.items()) == list(other.items())

    def __reduce__(self) -> tuple[type, tuple[dict[str, Any]]]:
        return FrozenDict, (dict(self),)


@lru_cache(maxsize=512)
def _defaults(part: type[BaseModel]) -> dict[str, Any]:
    """Name of a field -> its default, which pydantic copies each time that it is asked."""
    return {name: info.get_default() for name, info in part.model_fields.items()}


def plain(value: Any) -> Any:
    """A value as plain tables, lists, numbers and words, without what equals its default.

    A part's `kind` is always kept, except in a rule that carries its kind as its name.
    """
    if isinstance(value, BaseModel):
        table = {}
        for name, default in _defaults(type(value)).items():
            item = getattr(value, name)
            if item is None or (name != "kind" and item == default):
                continue
            table[name] = plain(item)
        for key, rule in table.get("rules", {}).items():
            if rule["kind"] == key:
                del rule["kind"]
        return table
    if isinstance(value, dict):
        return {name: plain(item) for name, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, tuple) else value

"""Value: the base class of every part of a model."""

from __future__ import annotations

import ast
import inspect
import linecache
import re
import sys
import textwrap
import tokenize
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, NoReturn

from pydantic import (
    BaseModel,
    ConfigDict,
    JsonValue,
    PydanticUserError,
    ValidationError,
    WithJsonSchema,
)

from murmurate.errors import ModelError, RuleError
from murmurate.model.messages import format_errors, shorten
from murmurate.syntax import syntax_tree

# JSON values, by their names in viewer/src/wire/contracts.ts
Plain = Annotated[JsonValue, WithJsonSchema({"tsType": "Plain"})]
Table = Annotated[dict[str, Any], WithJsonSchema({"tsType": "Table"})]
Schema = Annotated[dict[str, Any], WithJsonSchema({"tsType": "JsonSchema"})]


def locate_class(cls: type) -> tuple[str, int] | None:
    """Return file and line of the class statement that is running, or None."""
    frame = sys._getframe(1)
    while frame is not None and frame.f_globals.get("__name__") != cls.__module__:
        frame = frame.f_back  # type: ignore[assignment]
    return None if frame is None else (frame.f_code.co_filename, frame.f_lineno)


@lru_cache(maxsize=256)  # every rule asks for the fields that rules share
def read_field_texts(location: tuple[str, int], cls: type) -> Mapping[str, str]:
    """Return the texts below the fields of a class: field name -> text.

    The source is parsed on request only: parsing that of every class takes a quarter of the time
    in which a command starts.

    location  file and line of the class statement. The result is empty if the file has changed.
    """
    file, line = location
    lines = linecache.getlines(file, getattr(sys.modules.get(cls.__module__), "__dict__", None))
    try:
        block = textwrap.dedent("".join(inspect.getblock(lines[line - 1 :])))
        statement: Any = syntax_tree(block).body[0]
    except (SyntaxError, IndexError, tokenize.TokenError):  # the file has changed
        return {}
    if not isinstance(statement, ast.ClassDef) or statement.name != cls.__name__:
        return {}
    texts = {}
    body: list[Any] = statement.body
    for field, below in pairwise(body):
        text = getattr(getattr(below, "value", None), "value", None)
        has_name = isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if has_name and isinstance(below, ast.Expr) and isinstance(text, str):
            texts[field.target.id] = inspect.cleandoc(text)
    return texts


if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass as _Meta
else:
    _Meta = type(BaseModel)  # its public name


class _ValueMeta(_Meta):
    """Raise RuleError for a class that cannot be used, and ModelError, with the messages of model
    files, for wrong arguments."""

    def __new__(mcs, name: str, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().__new__(mcs, name, *args, **kwargs)
        except PydanticUserError as error:
            raise _class_error(name, error) from None

    def __call__(cls, *args: Any, **data: Any) -> Any:
        value_class: Any = cls
        if args and value_class.__init__ is BaseModel.__init__:
            raise ModelError(
                f"{cls.__name__}: got {args[0]!r} without a name; expected NAME=VALUE for each of: "
                f"{', '.join(value_class.model_fields)}"
            )
        try:
            return super().__call__(*args, **data)
        except ValidationError as error:
            lines = format_errors(error, value_class, data, cls.__name__)
            raise ModelError("\n".join(lines)) from None
        except PydanticUserError as error:
            raise _class_error(cls.__name__, error) from None


def _class_error(name: str, error: PydanticUserError) -> RuleError:
    """Return the error of a class whose fields cannot be used."""
    text = str(error).partition("\n")[0]
    word = re.search(r"(?:Field|define|detected:) [`'](\w+)", text)
    what = word[1] if word else "a field"
    if "annotat" in text:
        return RuleError(
            f"class {name}: got {what} without a type; expected '{what}: Scalar = ...' for a "
            f"parameter, or '{what}: ClassVar = ...' for a constant"
        )
    if error.code == "class-not-fully-defined":
        return RuleError(f"class {name}: got the type {what}, which is not defined. Import it")
    return RuleError(
        f"class {name}: got a field of a type that no parameter has; expected Scalar, Vector, "
        "bool, a number or a word"
    )


class Value(BaseModel, metaclass=_ValueMeta):
    """A frozen pydantic value, comparable and strict about its keys.

    Defaults are checked like arguments.

    raises ModelError  for wrong or unknown arguments; the message names all of them
    """

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)
    _location: ClassVar[tuple[str, int] | None] = None
    _path: ClassVar[str] = "PATH."  # in Model.set

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_"):
            self._refuse_change(name, repr(value))
        super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        self._refuse_change(name, "...")

    def _refuse_change(self, name: str, value: str) -> NoReturn:
        raise ModelError(
            f"{type(self).__name__}.{name}: models cannot be changed. "
            f'model.set({{"{self._path}{name}": {value}}}) returns a changed copy'
        )

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls._location = locate_class(cls)

    @classmethod
    def field_texts(cls) -> dict[str, str]:
        """Return the descriptions of the fields that have one: field name -> text below it."""
        texts: dict[str, str] = {}
        for owner in reversed(cls.__mro__):
            location = vars(owner).get("_location")
            if location is not None:
                own = read_field_texts(location, owner)
                fields = vars(owner).get("__annotations__", {})
                texts |= {name: own.get(name, "") for name in fields}
        return {name: text for name, text in texts.items() if text}

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> dict[str, Any]:
        schema: dict[str, Any] = handler(core)
        properties = handler.resolve_ref_schema(schema).get("properties", {})
        for name, text in cls.field_texts().items():
            if name in properties:
                properties[name].setdefault("description", text)
        return schema


BOUNDS = {"gt": "exclusiveMinimum", "ge": "minimum", "le": "maximum", "max_length": "maxLength"}
"""Bounds of types that validators precede, as pydantic names them in schemas -> of JSON schema."""


@lru_cache(maxsize=256)
def json_schema(cls: type[BaseModel]) -> dict[str, Any]:
    """Return the JSON schema of a class."""
    schema: dict[str, Any] = _standard(cls.model_json_schema())
    return schema


def _standard(schema: Any) -> Any:
    """Return a schema with the bounds' names of JSON schema."""
    if isinstance(schema, list):
        return [_standard(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key if isinstance(value, dict | list) else BOUNDS.get(key, key): _standard(value)
        for key, value in schema.items()
    }


class FrozenDict(dict[str, Any]):
    """A dict that does not change, so that a model does not either."""

    __slots__ = ()

    def _refuse(self, *_: Any, **__: Any) -> NoReturn:
        raise ModelError("models cannot be changed. model.set({...}) returns a changed copy")

    __setitem__ = __delitem__ = _refuse
    update = pop = popitem = clear = setdefault = _refuse
    __ior__ = _refuse
    __hash__ = None

    def __eq__(self, other: object) -> bool:
        """Return whether both have the same items in the same order.

        The order of rules counts in flocks that combine them by priority, and that of flocks
        counts for ids.
        """
        return isinstance(other, dict) and list(self.items()) == list(other.items())

    def __reduce__(self) -> tuple[type, tuple[dict[str, Any]]]:
        return FrozenDict, (dict(self),)


@lru_cache(maxsize=512)
def _defaults(part: type[BaseModel]) -> dict[str, Any]:
    """Return field name -> default. Pydantic copies a default on each request."""
    return {name: info.get_default() for name, info in part.model_fields.items()}


def to_plain(value: Any) -> Any:
    """Convert a value to tables, lists, numbers and words, without fields at their default.

    Each part has its `kind`, but a rule that is named after its kind has none.
    """
    if isinstance(value, BaseModel):
        table = {}
        for name, default in _defaults(type(value)).items():
            item = getattr(value, name)
            if item is None or (name != "kind" and item == default):
                continue
            table[name] = to_plain(item)
        for key, rule in table.get("rules", {}).items():
            if rule["kind"] == key:
                del rule["kind"]
        return table
    if isinstance(value, dict):
        return {name: to_plain(item) for name, item in value.items()}
    return [to_plain(item) for item in value] if isinstance(value, tuple) else value


def put_plain(table: dict[str, Any], keys: Sequence[str], value: Any) -> None:
    """Put a value into plain tables and lists, in place. Raises ModelError for a wrong path.

    keys  of the tables that contain it, and of the value itself
    """
    parent: Any = table
    for key in keys[:-1]:
        if isinstance(parent, list):
            parent = parent[_index(parent, key)]
        else:
            parent = parent.setdefault(key, {})
        if not isinstance(parent, dict | list):
            raise ModelError(f"{key} is a number; expected a table")
    if isinstance(parent, list):
        parent[_index(parent, keys[-1])] = value
    else:
        parent[keys[-1]] = value


def _index(items: list[Any], key: str) -> int:
    if not re.fullmatch("[0-9]{1,9}", key) or int(key) >= len(items):
        raise ModelError(f"got index {shorten(key)}; expected one from 0 to {len(items) - 1}")
    return int(key)

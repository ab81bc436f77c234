"""Rules whose functions are outside of the kernels, so that a page can replace them.

Kernels of opened rules store the arguments of a function in `opened`, an array of their module,
call the function in the module's table, and load its results. They are the same kernels whatever
the functions are: only the number of sums and of per-boid states is fixed.

    me, other, random, herd   their fields, in the order of model/rule_arguments.py; behind those of
                              me and other, the per-boid state that functions read
    sums, kept                arguments of finish and alone
    out                       results
    numbers                   those of each rule, `self`
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from typing_extensions import TypeAliasType, TypedDict

from murmurate.codegen.plan import Numbers, Plan, RulePlan
from murmurate.errors import ModelError
from murmurate.language.function_text import function_texts
from murmurate.language.methods import ARGUMENTS, part_of
from murmurate.language.reader import Readings
from murmurate.language.source import arguments
from murmurate.language.state_reads import StateReads, reads_of
from murmurate.model.model import Model
from murmurate.model.quantity import fill_from_space, numbers_and_words
from murmurate.model.rule import Rule, adds_up_all
from murmurate.model.rule_arguments import Herd, Me, Other, Random
from murmurate.model.rule_functions import METHODS, Method, kind_class
from murmurate.model.value import Plain

MAX_SUMS = 12
"""The largest number of sums of an opened rule's pair function."""
OPENED = "opened"
"""Name of the array between kernels and opened rules."""
CAPACITY = 1024
"""Numbers that `opened` has room for."""
FIRST_FUNCTION = 1
"""Index in the table of the first function: 0 is the null pointer."""


Places = TypeAliasType("Places", "int | list[Places]")


class ReadStates(TypedDict):
    """The state that functions read, of the boid and of its neighbours."""

    me: list[str]
    other: list[str]


# not the syntax of classes: `class` is a key
OpenedRule = TypedDict(
    "OpenedRule",
    {
        "class": str,
        "functions": dict[Method, int],
        "has": list[Method],
        "numbers": dict[str, Places],
        "words": dict[str, Plain],
        "fields": list[str],
        "state_names": list[str],
        "herd": bool,
        "states": ReadStates,
    },
)


class Opened(TypedDict):
    """Where functions of rules find their arguments."""

    address: int
    """Of the array `opened`."""
    max_sums: int
    positions: dict[str, dict[str, int]]
    """Argument -> field -> its index in `opened`."""
    rules: dict[str, OpenedRule]


def opened_model(model: Model, among: Collection[str]) -> tuple[Model, tuple[str, ...]]:
    """Return the model whose rules are opened, and their names: those whose functions have a text,
    and whose pair function takes neighbours and adds up all of them.

    among  the names of the rules that may be opened

    The functions of the returned model return zeros, as many as there is room for, and read the
    per-boid state that those of the model read. Raises ModelError if no rule can be opened.
    """
    texts = function_texts(model.rules, model.space)
    names = tuple(
        name for name in among if f"rules.{name}" in texts and adds_up_all(model.rules[name])
    )
    if not names:
        raise ModelError(
            f"edit: got model {model.name!r}, whose rules have loops or slices, sense the view or "
            "rank neighbours; expected a rule whose functions are formulas of neighbours. "
            "Leave out edit"
        )
    frames = {f"rules.{name}.functions": _frame(model, model.rules[name]) for name in names}
    return model.set(frames), names


def _frame(model: Model, rule: Rule) -> str:
    """Return functions that take all arguments, and return zeros."""
    cls = kind_class(type(rule))
    fields, words = numbers_and_words(fill_from_space(rule, model.space), lambda keys, value: 0)
    reads = reads_of(part_of(type(rule), fields, words), Readings())
    states = tuple(cls.states)
    methods = ["pair", "finish", "alone"] if hasattr(cls, "pair") else ["alone"]
    texts = []
    for method in methods:
        required, more = ARGUMENTS[method]
        optional = [word for word in more if word != "herd" or _takes_herd(cls)]
        optional = [word for word in optional if word != "state" or states]
        names = reads.texts if method == "pair" else StateReads(reads.own).texts
        results = ["0.0"] * (MAX_SUMS if method == "pair" else 3)
        results += [f"state.{name}" for name in states if method != "pair"]
        lines = [f"_ = {name}" for name in names] + [f"return {', '.join(results)}"]
        texts.append(f"def {method}({', '.join([*required, *optional])}):")
        texts += [f"    {line}" for line in lines]
    return "\n".join(texts) + "\n"


def _takes_herd(cls: Any) -> bool:
    return hasattr(cls, "finish") and "herd" in arguments(cls.finish)


@dataclass(frozen=True)
class OpenedRules:
    """The opened rules of a plan, and the positions of their numbers in `opened`.

    plan   of the model of `opened_model`
    names  names of the opened rules
    """

    plan: Plan
    names: tuple[str, ...]

    @cached_property
    def rules(self) -> dict[str, RulePlan]:
        """The plan of each opened rule, for one of the flocks that it moves."""
        return {
            rule.name: rule
            for flock in self.plan.flocks
            for rule in flock.rules
            if rule.name in self.names
        }

    @cached_property
    def positions(self) -> dict[str, dict[str, int]]:
        """Argument -> name -> position. Raises ModelError for numbers that there is no room for."""
        states = self.plan.states
        numbers = max((len(rule.rule.states) for rule in self.rules.values()), default=0)
        named: dict[str, Sequence[str]] = {
            "me": Me._fields, "me.state": states.own, "other": Other._fields,
            "other.state": states.others, "random": Random._fields, "herd": Herd._fields,
            "sums": [str(k) for k in range(MAX_SUMS)],
            "state": [str(k) for k in range(numbers)],
            "out": [str(k) for k in range(max(MAX_SUMS, 3 + numbers))],
        }  # fmt: skip
        positions, first = {}, 0
        for owner, names in named.items():
            positions[owner] = {name: first + k for k, name in enumerate(names)}
            first += len(names)
        for name, rule in self.rules.items():
            positions[f"self.{name}"] = {"": first}
            first += len(rule.numbers.slots)
        if first > CAPACITY:
            raise ModelError(
                f"edit: got rules with {first:,} numbers; expected at most {CAPACITY:,} in a page "
                "whose rules can be edited. Use shorter paths, or leave out edit"
            )
        return positions

    def function(self, rule: str, method: str) -> int:
        """Return the index of a function in the table."""
        index = self.names.index(rule) * len(METHODS) + METHODS.index(method)
        return FIRST_FUNCTION + index

    @property
    def n_functions(self) -> int:
        """Size of the table."""
        return FIRST_FUNCTION + len(self.names) * len(METHODS)

    def numbers(self, rule: str) -> dict[str, Any]:
        """Return the position of each number of a rule, by field; nested lists for vectors."""
        position = iter(range(self.positions[f"self.{rule}"][""], CAPACITY))

        def of(slot: Any) -> Any:
            return [of(item) for item in slot] if isinstance(slot, tuple) else next(position)

        return {name: of(slot) for name, slot in self.rules[rule].numbers.fields.items()}

    # --- texts of kernels

    def put_me(self, me: str) -> list[str]:
        """Return the statements that store `me`."""
        return self._put("me", [f"{me}.{name}" for name in Me._fields]) + self._put(
            "me.state", [f"{me}.state[{k}]" for k in range(len(self.plan.states.own))]
        )

    def put_numbers(self, rule: RulePlan, own: str) -> list[str]:
        """Return the statements that store the numbers of a rule, whose tuple is `own`."""
        expressions = _nested(rule.numbers, own)
        first = self.positions[f"self.{rule.name}"][""]
        return [f"put_opened({first + k}, real({text}))" for k, text in enumerate(expressions)]

    def text(self, name: str, rule: str, method: str, how: str) -> str:
        """Return the function of kernels that calls an opened one."""
        function: Any = getattr(type(self.rules[rule].rule), method)
        names = arguments(function)
        states = self.rules[rule].rule.states
        lines: list[str] = []
        if "other" in names:
            lines += self._put("other", [f"other.{field}" for field in Other._fields])
            count = len(self.plan.states.others)
            lines += self._put("other.state", [f"other.state[{k}]" for k in range(count)])
        if "sums" in names:
            lines += self._put("sums", [f"sums[{k}]" for k in range(MAX_SUMS)])
        for owner, cls in (("random", Random), ("herd", Herd)):
            if owner in names:
                lines += self._put(owner, [f"{owner}.{field}" for field in cls._fields])
        if "state" in names:
            lines += self._put("state", [f"state.{field}" for field in states])
        count = MAX_SUMS if method == "pair" else 3 + len(states)
        out = self.positions["out"]["0"]
        lines.append(f"call_opened({self.function(rule, method)})")
        lines.append(f"return {', '.join(f'get_opened({out + k})' for k in range(count))}")
        body = "\n".join(f"    {line}" for line in lines)
        return f"@{how}\ndef {name}({', '.join(names)}):\n{body}"

    def _put(self, owner: str, expressions: Sequence[str]) -> list[str]:
        positions = self.positions[owner].values()
        return [
            f"put_opened({position}, real({text}))"
            for position, text in zip(positions, expressions, strict=False)
        ]

    # --- for pages

    def manifest(self, address: int) -> Opened:
        """Return what a page needs to replace the functions.

        address  of `opened` in the module's memory
        """
        return {
            "address": address,
            "max_sums": MAX_SUMS,
            "positions": {k: v for k, v in self.positions.items() if not k.startswith("self.")},
            "rules": {name: self._rule(name) for name in self.names},
        }

    def _rule(self, name: str) -> OpenedRule:
        rule = self.rules[name].rule
        part = self.rules[name].numbers
        reads = reads_of(part_of(type(rule), part.fields, part.constants), self.plan.readings)
        cls = kind_class(type(rule))
        methods = [method for method in METHODS if hasattr(type(rule), method)]
        return {
            "class": cls.__name__,
            "functions": {method: self.function(name, method) for method in methods},
            "has": [method for method in METHODS if hasattr(cls, method)],
            "numbers": self.numbers(name),
            "words": dict(part.constants),
            "fields": list(cls.model_fields),
            "state_names": list(rule.states),
            "herd": _takes_herd(cls),
            "states": {"me": list(reads.own), "other": list(reads.others)},
        }


def _nested(numbers: Numbers, own: str) -> list[str]:
    """Return the expressions of all single numbers of a part."""
    out: list[str] = []

    def add(slot: Any, text: str) -> None:
        if not isinstance(slot, tuple):
            out.append(text)
        else:
            for k, item in enumerate(slot):
                add(item, f"{text}[{k}]")

    for name, slot in numbers.fields.items():
        add(slot, f"{own}.{name}")
    return out

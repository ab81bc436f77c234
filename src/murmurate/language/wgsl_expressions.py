"""Print the expressions of typed trees as WGSL: see wgsl_printer.py."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from murmurate.language.expressions import whole_number
from murmurate.language.maths import TABLE
from murmurate.language.source import fault
from murmurate.language.tree import (
    ANY,
    BOOL,
    INT,
    NUMBERS,
    REAL,
    Call,
    Expression,
    Function,
    List,
    Plain,
    Record,
    StateRecord,
    Table,
    Tuple,
    Type,
    joined,
)
from murmurate.language.wgsl_types import (
    VECTORS,
    WgslTypes,
    float_text,
    identifier,
    is_array,
    items_of,
    members,
    state_member,
)
from murmurate.model.rule_functions import is_of_user

OBSTACLES = "obstacle_count()"
"""The number of obstacles. The text has obstacle_row and number_at, which return rows of tables;
and arc_at, which returns where `arcs` has an item of a view."""
DIRECT = {"sqrt": "sqrt", "fabs": "abs", "floor": "floor", "ceil": "ceil", "trunc": "trunc"}
"""Functions of mathematics that WGSL computes as accurately as f32 allows."""
REFUSED_MATHS = ("erf", "erfc", "frexp", "gamma", "gcd", "ldexp", "lgamma", "nextafter")
"""Functions of mathematics without a text in WGSL."""
SIGNS = {"and": "&&", "or": "||"}
OPERATORS = {"+": "sum", "-": "difference", "*": "product", "/": "quotient"}
"""Operators that compilers simplify as if no number was infinite or nan. Functions of these names
give nan then, unlike the operators."""
Temporaries = list[str]
"""Lines that compute parts of an expression before the line that holds it."""


def name_in_wgsl(name: str) -> str:
    """Return the name in a text of a function of `math`."""
    return DIRECT.get(name) or TABLE[name].own or f"{name}_real"


def unbracketed(text: str) -> str:
    """Return an expression without brackets around all of it."""
    if not (text.startswith("(") and text.endswith(")")):
        return text
    depth = 0
    for k, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if depth == 0:
            return text[1:-1] if k == len(text) - 1 else text
    return text


class WgslExpressions:
    """Print the expressions of one function.

    function  its tree
    name_of_call  name_of_call(call) returns the name of a called function
    intrinsics  functions that the text computes by an expression: function -> name of a function of
        the text, or '' for the argument itself
    mathematics  names in `math` that the printed text calls and that WGSL does not have
    """

    def __init__(
        self,
        function: Function,
        name_of_call: Callable[[Call], str],
        types: WgslTypes,
        intrinsics: Mapping[Callable[..., object], str] | None = None,
    ) -> None:
        self.function, self.name_of_call, self.types = function, name_of_call, types
        self.intrinsics = intrinsics or {}
        self.mathematics: set[str] = set()
        self._temporary = 0
        self._line = 0  # of the present statement

    def refuse(self, text: str) -> Exception:
        """Return the error for an expression that WGSL lacks, at the present line."""
        return fault(
            self.function.function, self._line or None,
            f"{text}, which engine 'gpu' does not have: use engine 'cpu'",
        )  # fmt: skip

    def variable(self, name: str) -> str:
        """Return the name of an argument or a variable in the text."""
        return identifier(name)

    def new_name(self) -> str:
        """Return a new name of a temporary, which no user's name equals."""
        self._temporary += 1
        return f"temporary{self._temporary}"

    def keep(self, text: str, before: Temporaries, indexed: bool = False) -> str:
        """Return the name of a temporary with a value; `indexed` by numbers that vary."""
        name = self.new_name()
        before.append(f"{'var' if indexed else 'let'} {name} = {unbracketed(text)};")
        return name

    def convert(self, text: str, type_: Type, target: Type) -> str:
        """Return a value as another type that can hold it."""
        if self.types.text(type_) == self.types.text(target):
            return text
        match type_, target:
            case Plain(), Plain() if target == BOOL:
                return f"({text} != {self.types.text(type_)}(0))"
            case Plain(), Plain():
                return f"{self.types.text(target)}({text})"
            case ((Tuple() | Record() | List()), (Tuple() | List())):
                kinds = items_of(target)
                texts = [
                    self.convert(part, kind, other)
                    for (part, kind), other in zip(self.parts(text, type_), kinds, strict=True)
                ]
                return f"{self.types.text(target)}({', '.join(texts)})"
        raise AssertionError(f"{type_} as {target}")

    def parts(self, text: str, type_: Type) -> list[tuple[str, Type]]:
        """Return the items of a tuple or a record: text and type of each."""
        if is_array(type_):
            return [(f"{text}[{k}]", kind) for k, kind in enumerate(items_of(type_))]
        return [(f"{text}.{name}", kind) for name, kind in members(type_)]

    def value(self, node: Expression, before: Temporaries, target: Type | None = None) -> str:
        """Return the text of an expression, as a type or its own."""
        text = self.expression(node, before)
        return text if target is None else self.convert(text, node.type, target)

    def truth(self, node: Expression, before: Temporaries) -> str:
        return self.value(node, before, BOOL)

    def expression(self, node: Expression, before: Temporaries) -> str:
        parts = node.parts
        match node.how:
            case "number" | "constant":
                return self.number(node)
            case "name":
                text = self.variable(node.word)
                return self.convert(text, self.function.type_of(node.word), node.type)
            case "field" if isinstance(parts[0].type, StateRecord):
                (owner,) = parts[0].parts
                return f"{self.expression(owner, before)}.{state_member(node.word)}"
            case "field" if isinstance(parts[0].type, Table):
                return f"array<i32, 1>({OBSTACLES})"
            case "field":
                return f"{self.expression(parts[0], before)}.{identifier(node.word)}"
            case "item":
                return self.item(node, before)
            case "unary":
                return self.unary(node, before)
            case "binary":
                return self.binary(node, before)
            case "logic":
                return self.logic(node, before)
            case "compare":
                return self.compare(node, before)
            case "choose":
                return self.choose(node, before)
            case "tuple":
                items = items_of(node.type)
                texts = [self.value(p, before, kind) for p, kind in zip(parts, items, strict=True)]
                return f"{self.types.text(node.type)}({', '.join(texts)})"
            case "list":
                return self.list_of(node, before)
            case "call":
                return self.call(node, before)
            case "maths":
                return self.maths(node, before)
            case "builtin":
                return self.builtin(node, before)
        raise self.refuse(f"has the expression {node.how!r}")

    def number(self, node: Expression) -> str:
        if node.type == BOOL:
            return "true" if node.word else "false"
        if node.type == INT:
            if not -(2**31) < node.word < 2**31:
                raise self.refuse(f"has the whole number {node.word:,}, beyond 32 bits")
            return f"i32({node.word})" if node.word < 0 else f"{node.word}i"
        text = float_text(node.word)
        return f"({text})" if text.startswith("-") else text

    def list_of(self, node: Expression, before: Temporaries) -> str:
        """Return a list of the numbers of a tuple, or of one number."""
        (part,), kind = node.parts, self.types.text(node.type)
        if not isinstance(part.type, Plain):
            return self.convert(self.expression(part, before), part.type, node.type)
        if _written_number(part) == 0.0:
            return f"{kind}()"
        number = self.keep(self.value(part, before, REAL), before)
        return f"{kind}({', '.join([number] * len(items_of(node.type)))})"

    def located(self, node: Expression, before: Temporaries) -> tuple[str, str, str]:
        """Return the text of a table or a list, of an index in it, and the test that it has a
        number there; '' where that is certain."""
        sequence, index = node.parts
        text, count = self.expression(sequence, before), sequence.type.count  # type: ignore[union-attr]
        number = whole_number(index)
        if number is not None:
            return text, f"{number % count}i", ""
        at = self.value(index, before, INT)
        if not is_of_user(self.function.function):
            return text, at, ""
        at = self.keep(at, before)
        at = self.keep(f"select({at}, {at} + {count}i, {at} < 0i)", before)
        return text, f"clamp({at}, 0i, {count - 1}i)", f"{at} >= 0i && {at} < {count}i"

    def item(self, node: Expression, before: Temporaries) -> str:
        sequence, index = node.parts
        if isinstance(sequence.type, List) or (
            isinstance(sequence.type, Table) and sequence.type.count
        ):
            text, at, test = self.located(node, before)
            is_list = isinstance(sequence.type, List)
            text = f"{text}[{at}]" if is_list else f"number_at({text}, {at})"
            return f"select(undefined(), {text}, {test})" if test else text
        if isinstance(sequence.type, Table):
            table = self.expression(sequence, before)
            if index.how == "tuple":
                row, column = (self.value(part, before, INT) for part in index.parts)
                return f"arcs[arc_at({table}, {row}, {column})]"
            at = self.value(index, before, INT)
            return f"{'number_at' if sequence.type.row == REAL else 'obstacle_row'}({table}, {at})"
        items = items_of(sequence.type)
        text = self.expression(sequence, before)
        if index.how == "slice":
            ends = iter(index.parts)
            cut = slice(*(whole_number(next(ends)) if present else None for present in index.word))
            text = self.keep(text, before)
            texts = [part for part, _ in self.parts(text, sequence.type)[cut]]
            return f"{self.types.text(node.type)}({', '.join(texts)})"
        number = whole_number(index)
        if number is not None:
            return self.parts(text, sequence.type)[number][0]
        if not is_array(sequence.type):  # a record of numbers of one type
            kind = self.types.text(Tuple(tuple(items)))
            texts = [part for part, _ in self.parts(self.keep(text, before), sequence.type)]
            text = f"{kind}({', '.join(texts)})"
        if self.types.compact and (items[0] == REAL or getattr(items[0], "items", ()) in VECTORS):
            array, at = self.keep(text, before), self.keep(self.value(index, before, INT), before)
            chosen = f"{array}[{len(items) - 1}]"
            for k in range(len(items) - 2, -1, -1):
                chosen = f"select({chosen}, {array}[{k}], {at} == {k}i)"
            return chosen
        array = self.keep(text, before, indexed=True)
        at = self.keep(self.value(index, before, INT), before)
        return f"{array}[select({at}, {at} + {len(items)}i, {at} < 0i)]"

    def unary(self, node: Expression, before: Temporaries) -> str:
        (part,) = node.parts
        if node.word == "not":
            return f"(!{self.truth(part, before)})"
        text = self.value(part, before, node.type)
        return text if node.word == "+" else f"({node.word}{text})"

    def binary(self, node: Expression, before: Temporaries) -> str:
        first, second = node.parts
        if isinstance(node.type, Tuple):
            sides = [(self.keep(self.expression(s, before), before), s.type) for s in node.parts]
            texts = [part for text, kind in sides for part, _ in self.parts(text, kind)]
            return f"{self.types.text(node.type)}({', '.join(texts)})"
        if node.word == "**":
            return self.power(node, before)
        kind = node.type
        if node.word in ("/", "//", "%") and node.type == BOOL:
            kind = INT
        if node.word in ("<<", ">>"):
            left, right = self.value(first, before, INT), self.value(second, before, INT)
            return f"({left} {node.word} u32({right}))"
        a, b = self.value(first, before, kind), self.value(second, before, kind)
        if node.word in ("//", "%"):
            name = "floor_div" if node.word == "//" else "modulo"
            suffix = "real" if kind in (REAL, ANY) else "int"
            return f"{name}_{suffix}({a}, {b})"
        if node.word == "^" and kind == BOOL:
            return f"({a} != {b})"
        if node.word in OPERATORS and kind == REAL and self._may_hide(node.word, first, second):
            return f"{OPERATORS[node.word]}_real({a}, {b})"
        return f"({a} {node.word} {b})"

    def _may_hide(self, operator: str, first: Expression, second: Expression) -> bool:
        """Return whether a simplified operation may hide a number that is not finite."""
        if not is_of_user(self.function.function) or _written_number(second):
            return False
        unbounded = [_is_unbounded(first), _is_unbounded(second)]
        if operator == "*":
            return any(unbounded) and not _written_number(first)
        return operator == "/" or all(unbounded)

    def power(self, node: Expression, before: Temporaries) -> str:
        """Return a power by products and roots where the exponent is written out."""
        base, exponent = node.parts
        number = _written_number(exponent)
        if number is None or abs(number) > 16 or not (2.0 * number).is_integer():
            self.mathematics.add("pow")
            a, b = self.value(base, before, REAL), self.value(exponent, before, REAL)
            return self.convert(f"pow_real({a}, {b})", REAL, node.type)
        kind = node.type if number >= 0 and number.is_integer() else REAL
        x = self.keep(self.value(base, before, kind), before)
        unit = "1i" if kind == INT else "1.0f"
        factors = [x] * int(abs(number)) + [f"sqrt({x})"] * (number % 1.0 != 0.0)
        product = f"({' * '.join(factors)})" if factors else unit
        return product if number >= 0 else f"(1.0f / {product})"

    def logic(self, node: Expression, before: Temporaries) -> str:
        if all(part.type == BOOL for part in node.parts):
            sides = [self.expression(part, before) for part in node.parts]
            return f"({f' {SIGNS[node.word]} '.join(sides)})"
        *others, last = node.parts
        text = self.value(last, before, node.type)
        for part in reversed(others):
            mine = self.keep(self.expression(part, before), before)
            test = self.convert(mine, part.type, BOOL)
            own = self.convert(mine, part.type, node.type)
            either = (own, text) if node.word == "and" else (text, own)
            text = f"select({either[0]}, {either[1]}, {test})"
        return text

    def compare(self, node: Expression, before: Temporaries) -> str:
        texts = [self.expression(part, before) for part in node.parts]
        if len(texts) > 2 or not all(isinstance(part.type, Plain) for part in node.parts):
            texts = [self.keep(text, before) for text in texts]
        sides = list(zip(texts, (part.type for part in node.parts), strict=True))
        tests = [self.comparison(sides[k], sign, sides[k + 1]) for k, sign in enumerate(node.word)]
        return tests[0] if len(tests) == 1 else f"({' && '.join(tests)})"

    def comparison(self, left: tuple[str, Type], sign: str, right: tuple[str, Type]) -> str:
        (a, first), (b, second) = left, right
        if sign in ("in", "not in"):
            tests = [self.comparison(left, "==", part) for part in self.parts(b, second)]
            any_equal = f"({' || '.join(tests) or 'false'})"
            return any_equal if sign == "in" else f"(!{any_equal})"
        if first not in (*NUMBERS, ANY) or second not in (*NUMBERS, ANY):
            return self.compare_tuples(left, sign, right)
        kind = joined(first, second)
        if kind == BOOL and sign not in ("==", "!="):
            kind = INT
        return f"({self.convert(a, first, kind)} {sign} {self.convert(b, second, kind)})"

    def compare_tuples(self, left: tuple[str, Type], sign: str, right: tuple[str, Type]) -> str:
        first, second = self.parts(*left), self.parts(*right)
        if sign not in ("==", "!="):
            raise self.refuse(f"compares tuples by '{sign}'")
        if len(first) != len(second):
            return "false" if sign == "==" else "true"
        tests = [self.comparison(a, "==", b) for a, b in zip(first, second, strict=True)]
        equal = f"({' && '.join(tests) or 'true'})"
        return equal if sign == "==" else f"(!{equal})"

    def choose(self, node: Expression, before: Temporaries) -> str:
        test, first, second = node.parts
        condition = self.truth(test, before)
        a, b = self.value(first, before, node.type), self.value(second, before, node.type)
        if isinstance(node.type, Plain):
            return f"select({b}, {a}, {condition})"
        name = self.new_name()
        before.append(f"var {name} = {b};")
        before.append(f"if ({condition}) {{ {name} = {a}; }}")
        return name

    # --- calls

    def call(self, node: Expression, before: Temporaries) -> str:
        call: Call = node.word
        if call.function in self.intrinsics:
            texts = [self.value(part, before, REAL) for part in node.parts]
            name = self.intrinsics[call.function]
            return f"{name}({', '.join(texts)})" if name else texts[0]
        if call.callee is None:
            texts = [self.value(part, before, REAL) for part in node.parts]
        else:
            kinds = call.callee.arguments.values()
            texts = [self.value(p, before, kind) for p, kind in zip(node.parts, kinds, strict=True)]
        return f"{self.name_of_call(call)}({', '.join(texts)})"

    def maths(self, node: Expression, before: Temporaries) -> str:
        name, texts = node.word, [self.value(part, before, REAL) for part in node.parts]
        if name in REFUSED_MATHS:
            raise self.refuse(f"calls math.{name}")
        if name not in DIRECT:
            self.mathematics.add(name)
        text = f"{name_in_wgsl(name)}({', '.join(texts)})"
        result: Type = BOOL if TABLE[name].result == BOOL else REAL
        return self.convert(text, result, node.type)

    def builtin(self, node: Expression, before: Temporaries) -> str:
        name, parts = node.word, node.parts
        if name == "len":
            return f"{len(items_of(parts[0].type))}i"
        if name in ("int", "float", "bool", "tuple"):
            return self.value(parts[0], before, node.type)
        if name == "round":
            if len(parts) > 1:
                raise self.refuse("calls round with a number of digits")
            return f"i32(round({self.value(parts[0], before, REAL)}))"
        if name == "pow":
            self.mathematics.add("pow")
            texts = [self.value(part, before, REAL) for part in parts]
            return self.convert(f"pow_real({', '.join(texts)})", REAL, node.type)
        kind = INT if node.type == BOOL else node.type
        texts = [self.value(part, before, kind) for part in parts]
        text = f"abs({texts[0]})" if name == "abs" else texts[0]
        for other in texts[1:]:
            text = f"{name}({text}, {other})"
        return self.convert(text, kind, node.type)


def _is_unbounded(node: Expression) -> bool:
    """Return whether an expression may not be finite, besides numbers beyond those of f32."""
    match node:
        case Expression("number" | "constant" | "field"):
            return False
        case Expression("unary", _, parts, _) | Expression("binary", _, parts, "+" | "-" | "*"):
            return any(_is_unbounded(part) for part in parts)
    return True


def _written_number(node: Expression) -> float | None:
    """Return a number that is written out, or None."""
    match node:
        case Expression("number" | "constant", kind, _, word) if kind in NUMBERS:
            return float(word)
        case Expression("unary", _, (part,), "-"):
            number = _written_number(part)
            return None if number is None else -number
    return None

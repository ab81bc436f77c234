"""Rules that cannot be compiled or simulated: their texts, and the messages to expect."""

from __future__ import annotations

HEAD = """import math

import numpy as np

import murmurate as mm

TABLE = {"a": 1.0}


def countup(n, step):
    return n + step


def countdown(n):
    if n <= 0:
        return 0.0
    return 1.0 + countdown(n - 1)


"""
BROKEN = {
    # the class's text, the line in it (counted from 1) that must be named, and words of the message
    "raises": (
        """class OwnRaises(mm.Rule):
    def alone(self, me):
        x = me.nothing
        return x, 0.0, 0.0
""",
        3,
        ["OwnRaises.alone", "nothing"],
    ),
    "returns-two": (
        """class OwnTwo(mm.Rule):
    def alone(self, me):
        if me.x > 1e9:
            return 0.0, 0.0, 0.0
        return 1.0, 2.0
""",
        5,
        ["OwnTwo.alone", "2 numbers", "three"],
    ),
    "returns-nothing": (
        """class OwnNothing(mm.Rule):
    def alone(self, me):
        me.x + 1.0
""",
        2,
        ["OwnNothing.alone", "None"],
    ),
    "uneven": (
        """class OwnUneven(mm.NeighbourRule):
    def pair(self, me, other):
        if other.dx > 0.0:
            return other.dx, other.dy
        return (other.dx,)

    def finish(self, sums, me):
        return 0.0, 0.0, 0.0
""",
        2,
        ["OwnUneven.pair", "1 and 2"],
    ),
    "not-written-out": (
        """class OwnVariable(mm.NeighbourRule):
    def pair(self, me, other):
        answer = (1.0, other.dx)
        return answer

    def finish(self, sums, me):
        return 0.0, 0.0, 0.0
""",
        4,
        ["OwnVariable.pair", "written out"],
    ),
    "unknown-name": (
        """class OwnUnknown(mm.Rule):
    def alone(self, me):
        a = 1.0
        return a * STRENGTH, 0.0, 0.0
""",
        4,
        ["OwnUnknown.alone", "STRENGTH"],
    ),
    "a-table": (
        """class OwnTable(mm.Rule):
    def alone(self, me):
        return TABLE["a"], 0.0, 0.0
""",
        3,
        ["OwnTable.alone", "TABLE"],
    ),
    "calls-itself": (
        """class OwnRecursive(mm.Rule):
    def alone(self, me):
        return countdown(3), 0.0, 0.0
""",
        None,
        ["own_broken_rule.py, line 14", "countdown calls itself"],
    ),
    "prints": (
        """class OwnPrints(mm.Rule):
    def alone(self, me):
        print(me.x)
        return 0.0, 0.0, 0.0
""",
        3,
        ["OwnPrints.alone", "print"],
    ),
    "arrays": (
        """class OwnArrays(mm.Rule):
    def alone(self, me):
        return np.array([me.x, me.y, me.z])
""",
        3,
        ["OwnArrays.alone", "np"],
    ),
    "arguments": (
        """class OwnArguments(mm.Rule):
    def alone(self, you):
        return 0.0, 0.0, 0.0
""",
        2,
        ["OwnArguments.alone", "alone(self, me)"],
    ),
    "assigns-self": (
        """class OwnAssigns(mm.Rule):
    def alone(self, me):
        self.tiredness = me.speed
        return 0.0, 0.0, 0.0
""",
        3,
        ["self.tiredness", "states = ('tiredness',)", "return x, y, z, tiredness"],
    ),
    "adds-to-self": (
        """class OwnAdds(mm.Rule):
    def alone(self, me):
        self.weight += 1.0
        return 0.0, 0.0, 0.0
""",
        3,
        ["self.weight", "stays as it is", "states = ('memory',)"],
    ),
    "assigns-me": (
        """class OwnMoves(mm.Rule):
    def alone(self, me):
        me.x = 0.0
        return 0.0, 0.0, 0.0
""",
        3,
        ["assigns to me.x", "only be read"],
    ),
    "assigns-kept": (
        """class OwnKeeps(mm.Rule):
    states = ("tiredness",)

    def alone(self, me, state):
        state.tiredness = 1.0
        return 0.0, 0.0, 0.0, 1.0
""",
        5,
        ["assigns to state.tiredness", "return it behind the vector"],
    ),
    "an-argument-replaced": (
        """class OwnReplaces(mm.Rule):
    def alone(self, me):
        me = 1.0
        return me, 0.0, 0.0
""",
        3,
        ["assigns to its argument 'me'"],
    ),
    "string": (
        """class OwnString(mm.Rule):
    def alone(self, me):
        side = "left"
        return 1.0 if side == "left" else me.x, 0.0, 0.0
""",
        3,
        ["the string 'left'", "a word of the rule"],
    ),
    "list": (
        """class OwnList(mm.Rule):
    def alone(self, me):
        found = [me.x, me.y]
        return found[0], found[1], 0.0
""",
        3,
        ["makes a list", "(a, b, c)"],
    ),
    "comprehension": (
        """class OwnComprehension(mm.Rule):
    def alone(self, me):
        return max([me.x for k in range(3)]), 0.0, 0.0
""",
        3,
        ["makes a list", "'for' over a range"],
    ),
    "function-inside": (
        """class OwnInside(mm.Rule):
    def alone(self, me):
        def twice(x):
            return 2.0 * x
        return twice(me.x), 0.0, 0.0
""",
        3,
        ["makes a function", "outside of the class"],
    ),
    "own-method": (
        """class OwnMethod(mm.Rule):
    def strength(self, me):
        return 1.0

    def alone(self, me):
        return self.strength(me), 0.0, 0.0
""",
        6,
        ["calls self.strength", "without 'self.'"],
    ),
    "parameter-misspelt": (
        """class OwnMisspelt(mm.Rule):
    strength: mm.Scalar = mm.quantity(1.0)

    def alone(self, me):
        return self.strenght, 0.0, 0.0
""",
        5,
        ["self.strenght", "did you mean 'strength'"],
    ),
    "me-misspelt": (
        """class OwnVelocity(mm.Rule):
    def alone(self, me):
        return me.velocity, 0.0, 0.0
""",
        3,
        ["me.velocity", "no number of me", "max_speed"],
    ),
    "math-not-compiled": (
        """class OwnDistance(mm.Rule):
    def alone(self, me):
        return math.dist((me.x,), (me.y,)), 0.0, 0.0
""",
        3,
        ["uses math.dist", "hypot"],
    ),
    "ends-without-return": (
        """class OwnOpen(mm.Rule):
    def alone(self, me):
        if me.x > 100.0:
            return 1.0, 0.0, 0.0
""",
        2,
        ["may end without a return"],
    ),
    "returns-bare": (
        """class OwnBare(mm.Rule):
    def alone(self, me):
        if me.x > 100.0:
            return
        return 1.0, 0.0, 0.0
""",
        4,
        ["returns None", "0.0, 0.0, 0.0"],
    ),
    "raises-on-purpose": (
        """class OwnRaise(mm.Rule):
    def alone(self, me):
        if me.x > 100.0:
            raise ValueError("too far")
        return 1.0, 0.0, 0.0
""",
        4,
        ["raises an error", "cannot fail"],
    ),
    "imports": (
        """class OwnImport(mm.Rule):
    def alone(self, me):
        import math
        return math.sin(me.x), 0.0, 0.0
""",
        3,
        ["imports", "top of the file"],
    ),
    "global": (
        """class OwnGlobal(mm.Rule):
    def alone(self, me):
        global TABLE
        TABLE = 1.0
        return 0.0, 0.0, 0.0
""",
        3,
        ["global variable", "return what changes"],
    ),
    "kept-not-returned": (
        """class OwnForgets(mm.Rule):
    states = ("tiredness",)

    def alone(self, me, state):
        return state.tiredness, 0.0, 0.0
""",
        5,
        ["returns 3 numbers", "'return x, y, z, tiredness'"],
    ),
    "kept-misspelt": (
        """class OwnTirednes(mm.Rule):
    states = ("tiredness",)

    def alone(self, me, state):
        return state.tirednes, 0.0, 0.0, 0.0
""",
        5,
        ["state.tirednes", "did you mean 'tiredness'"],
    ),
    "keeps-nothing": (
        """class OwnNameless(mm.Rule):
    def alone(self, me, state):
        return 0.0, 0.0, 0.0
""",
        2,
        ["takes state", "has no states", "states = ('tiredness',)"],
    ),
    "never-kept": (
        """class OwnNever(mm.Rule):
    states = ("tiredness",)

    def alone(self, me):
        return 0.0, 0.0, 0.0
""",
        None,
        ["OwnNever has the states tiredness", "let alone take state as its last argument"],
    ),
    "number-method": (  # plain Python can, and no check knows beforehand that kernels cannot
        """class OwnInteger(mm.Rule):
    def alone(self, me):
        x = (me.x +
             1.0)
        if x.is_integer():
            x = 2.0
        return x, 0.0, 0.0
""",
        5,
        ["OwnInteger.alone", "though it runs as plain Python"],
    ),
    "calls-a-number": (
        """class OwnCalls(mm.Rule):
    def alone(self, me):
        return me.x(1.0), 0.0, 0.0
""",
        3,
        ["OwnCalls.alone", "not callable"],
    ),
    "too-few-for-a-helper": (
        """class OwnHelper(mm.Rule):
    def alone(self, me):
        return countup(me.x), 0.0, 0.0
""",
        3,
        ["OwnHelper.alone", "missing 1 required positional argument"],
    ),
    "no-finish": (
        """class OwnUnfinished(mm.NeighbourRule):
    def pair(self, me, other):
        return (other.dx,)
""",
        None,
        ["OwnUnfinished", "finish"],
    ),
}

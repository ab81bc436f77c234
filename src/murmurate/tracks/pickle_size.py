"""How large what a pickle holds is when it is written out in full, found without loading it.

Lists that hold one another several times are short in a pickle and without bound as an array, as a
text, or when a dictionary hashes them.
"""

from __future__ import annotations

import pickletools
from typing import Any

LARGEST_LABEL = 256  # of what a pickle says again later, counted from the number of things in it
MOST_TIMES, SMALL = (
    16,
    1_000_000,
)  # times the pickle's length, or as large as that, it may be in full
ADD = {"APPEND", "APPENDS", "SETITEM", "SETITEMS", "ADDITEMS", "BUILD"}  # to what is there already


class _Thing:
    """Something on the pickle's stack. size: of things and letters in it, again at each mention."""

    def __init__(self, size: int) -> None:
        self.size = size


def check_size(data: bytes) -> None:
    """Raises ValueError for a pickle of more than it may be in full, or that is damaged."""
    most = SMALL + MOST_TIMES * len(data)
    stack: list[_Thing] = []
    marks: list[int] = []  # lengths of the stack, to come back to
    labels: dict[int, _Thing] = {}
    argument: Any
    try:
        for count, (opcode, argument, _) in enumerate(pickletools.genops(data)):
            name = opcode.name
            if "PUT" in name or name == "MEMOIZE":
                label = len(labels) if argument is None else int(argument)
                # the unpickler makes room for as many labels as the largest one says
                if label > count + LARGEST_LABEL:
                    raise ValueError(f"it asks to keep {label:,} things")
                labels[label] = stack[-1]
            elif name == "MARK":
                marks.append(len(stack))
            elif name == "DUP":
                stack.append(stack[-1])
            elif "GET" in name:
                stack.append(labels[int(argument)])
            else:
                _apply(opcode, argument, stack, marks)
                if stack and stack[-1].size > most:
                    raise ValueError("its lists hold one another too often")
    except (IndexError, KeyError):
        raise ValueError("it is a damaged pickle") from None


def _apply(
    opcode: pickletools.OpcodeInfo, argument: Any, stack: list[_Thing], marks: list[int]
) -> None:
    """Takes from the stack what the opcode takes, and adds what it makes of that."""
    before = opcode.stack_before
    if pickletools.markobject in before:
        first = marks.pop() - before.index(pickletools.markobject)
    else:
        first = len(stack) - len(before)
    if first < 0:
        raise IndexError
    taken = stack[first:]
    del stack[first:]
    if not opcode.stack_after:
        return
    size = sum(thing.size for thing in taken)
    if opcode.name in ADD:
        taken[0].size = size
        stack.append(taken[0])
    else:
        letters = len(argument) if isinstance(argument, str | bytes | bytearray) else 0
        stack.append(_Thing(1 + letters + size))

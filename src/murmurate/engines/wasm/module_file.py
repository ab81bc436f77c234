"""A WebAssembly object -> a module that browsers load as it is.

LLVM's object is a module already, but for what a linker does: it imports its memory and its stack
pointer, and says in its section "linking" which function has which name. Here memory and stack
pointer become its own, and functions and memory are exported. It then imports nothing. Objects
with more to link than that are refused.

The format: https://www.w3.org/TR/wasm-core-2/, binary format; "linking":
https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

PAGE = 65536
CUSTOM, IMPORT, MEMORY, GLOBAL, EXPORT, ELEMENT, DATA_COUNT, CODE, DATA = (
    0, 2, 5, 6, 7, 9, 12, 10, 11,
)  # fmt: skip
ORDER = [1, 2, 3, 4, MEMORY, GLOBAL, EXPORT, 8, ELEMENT, DATA_COUNT, CODE, DATA]
SYMBOL_TABLE = 8
NO_NAME, UNDEFINED = 0x40, 0x10


class Bytes:
    """Bytes that are read one after the other."""

    def __init__(self, data: bytes) -> None:
        self.data, self.place = data, 0

    def __bool__(self) -> bool:
        return self.place < len(self.data)

    def byte(self) -> int:
        self.place += 1
        return self.data[self.place - 1]

    def take(self, count: int) -> bytes:
        self.place += count
        return self.data[self.place - count : self.place]

    def number(self) -> int:
        """An unsigned LEB128."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def name(self) -> str:
        return self.take(self.number()).decode()


def number(value: int) -> bytes:
    """A number as an unsigned LEB128."""
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def signed(value: int) -> bytes:
    """A number >= 0 as a signed LEB128."""
    out = bytearray()
    while value >= 0x40:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def named(name: str) -> bytes:
    return number(len(name.encode())) + name.encode()


@dataclass(frozen=True)
class ObjectFile:
    """What an object says.

    sections   id -> content, of those that a module has too
    functions  name -> number
    data_end   the first byte of memory behind its constants
    """

    sections: dict[int, bytes]
    functions: dict[str, int]
    data_end: int


def object_file(data: bytes) -> ObjectFile:
    """Reads an object. Raises ValueError for one that needs a linker."""
    reader, sections, functions = Bytes(data), {}, {}
    if reader.take(8) != b"\0asm\1\0\0\0":
        raise ValueError("this is no WebAssembly object")
    while reader:
        kind = reader.byte()
        content = reader.take(reader.number())
        if kind != CUSTOM:
            sections[kind] = content
        elif Bytes(content).name() == "linking":
            functions = dict(_functions(content))
    for what in _imports(sections.pop(IMPORT, b"\0")):
        if what not in ("__linear_memory", "__stack_pointer"):
            raise ValueError(f"the object imports {what}: that needs a linker")
    return ObjectFile(sections, functions, _data_end(sections.get(DATA, b"\0")))


def module_file(found: ObjectFile, pages: int, stack_end: int, names: list[str]) -> bytes:
    """The module: with a memory of so many pages of 64 KiB, a stack that grows downwards from
    `stack_end`, and these functions exported under their names, the memory as 'memory'."""
    exports = [named("memory") + b"\2\0"]
    exports += [named(name) + b"\0" + number(found.functions[name]) for name in names]
    sections = {
        **found.sections,
        MEMORY: b"\1\0" + number(pages),
        GLOBAL: b"\1\x7f\1\x41" + signed(stack_end) + b"\x0b",
        EXPORT: number(len(exports)) + b"".join(exports),
    }
    parts = [bytes([k]) + number(len(sections[k])) + sections[k] for k in ORDER if k in sections]
    return b"\0asm\1\0\0\0" + b"".join(parts)


def _imports(content: bytes) -> Iterator[str]:
    reader = Bytes(content)
    for _ in range(reader.number()):
        reader.name()
        yield reader.name()
        kind = reader.byte()
        if kind == 0:
            reader.number()
        elif kind == 3:
            reader.take(2)
        else:
            reader.take(1 if kind == 1 else 0)
            limits = reader.byte()
            reader.number()
            if limits & 1:
                reader.number()


def _functions(content: bytes) -> Iterator[tuple[str, int]]:
    """(name, number) of the functions in the section 'linking'."""
    reader = Bytes(content)
    reader.name()
    reader.number()  # the version
    while reader:
        kind = reader.byte()
        part = Bytes(reader.take(reader.number()))
        if kind != SYMBOL_TABLE:
            continue
        for _ in range(part.number()):
            what, flags = part.byte(), part.number()
            if what == 1:  # data
                part.name()
                if not flags & UNDEFINED:
                    part.number(), part.number(), part.number()
            elif what == 3:  # a section
                part.number()
            else:
                index = part.number()
                has_name = not flags & UNDEFINED or flags & NO_NAME
                name = part.name() if has_name else ""
                if what == 0 and name:
                    yield name, index


def _data_end(content: bytes) -> int:
    """Behind the last byte that active segments fill."""
    reader, end = Bytes(content), 0
    for _ in range(reader.number()):
        if reader.number() != 0:
            raise ValueError("the object has passive data: that needs a linker")
        if reader.byte() != 0x41:
            raise ValueError("the object's data are nowhere yet: that needs a linker")
        begin = reader.number()  # a positive number reads alike, signed or not
        reader.byte()
        end = max(end, begin + len(reader.take(reader.number())))
    return end

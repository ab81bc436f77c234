"""Link a WebAssembly object to a module that browsers load as it is.

An object of LLVM is nearly a module: it imports its memory and its stack pointer, and its section
"linking" names its functions. Here the module gets its own memory and stack pointer, and exports
functions and memory. It imports nothing. Objects that need more linking are refused.

The format: https://www.w3.org/TR/wasm-core-2/, binary format; "linking":
https://github.com/WebAssembly/tool-conventions/blob/main/Linking.md
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

PAGE = 65536  # bytes
CUSTOM, IMPORT, TABLE, MEMORY, GLOBAL, EXPORT, ELEMENT, DATA_COUNT, CODE, DATA = (
    0, 2, 4, 5, 6, 7, 9, 12, 10, 11,
)  # fmt: skip
ORDER = [1, 2, 3, TABLE, MEMORY, GLOBAL, EXPORT, 8, ELEMENT, DATA_COUNT, CODE, DATA]
SYMBOL_TABLE = 8
NO_NAME, UNDEFINED = 0x40, 0x10


class ModuleReader:
    """Reads bytes in sequence; it is true until the end."""

    def __init__(self, data: bytes) -> None:
        self.data, self.position = data, 0

    def __bool__(self) -> bool:
        return self.position < len(self.data)

    def byte(self) -> int:
        """Read one byte."""
        self.position += 1
        return self.data[self.position - 1]

    def take(self, count: int) -> bytes:
        """Read some bytes."""
        self.position += count
        return self.data[self.position - count : self.position]

    def number(self) -> int:
        """Read an unsigned LEB128."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            if byte < 0x80:
                return value
            shift += 7

    def name(self) -> str:
        """Read a name."""
        return self.take(self.number()).decode()


def encode_number(value: int) -> bytes:
    """Encode an integer >= 0 as an unsigned LEB128."""
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def encode_signed(value: int) -> bytes:
    """Encode an integer >= 0 as a signed LEB128."""
    out = bytearray()
    while value >= 0x40:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes([*out, value])


def encode_name(name: str) -> bytes:
    """Encode a name."""
    return encode_number(len(name.encode())) + name.encode()


@dataclass(frozen=True)
class ObjectFile:
    """The content of an object.

    sections   id -> content, for the sections that a module has too
    functions  name -> index
    data       name -> address
    data_end   first address after its constants
    """

    sections: dict[int, bytes]
    functions: dict[str, int]
    data: dict[str, int]
    data_end: int


def read_object(data: bytes) -> ObjectFile:
    """Read an object. Raises ValueError if it needs a linker."""
    reader, sections, linking = ModuleReader(data), {}, b""
    if reader.take(8) != b"\0asm\1\0\0\0":
        raise ValueError(f"got data that begin with {data[:8]!r}; expected a WebAssembly object")
    while reader:
        kind = reader.byte()
        content = reader.take(reader.number())
        if kind != CUSTOM:
            sections[kind] = content
        elif ModuleReader(content).name() == "linking":
            linking = content
    for name in _imports(sections.pop(IMPORT, b"\0")):
        if name not in ("__linear_memory", "__stack_pointer", "__indirect_function_table"):
            raise ValueError(f"the object needs a linker: it imports {name}")
    segments = _segments(sections.get(DATA, b"\0"))
    functions, data_symbols = _symbols(linking) if linking else ({}, {})
    addresses = {name: segments[k][0] + offset for name, (k, offset) in data_symbols.items()}
    end = max((begin + size for begin, size in segments), default=0)
    return ObjectFile(sections, functions, addresses, end)


def link_module(
    compiled: ObjectFile,
    pages: int,
    stack_end: int,
    names: list[str],
    n_table: int = 0,
    data: Mapping[int, bytes] = MappingProxyType({}),
) -> bytes:
    """Return a module that exports some functions, and its memory as 'memory'.

    pages      size of the memory, in pages of 64 KiB
    stack_end  address from which the stack grows downwards
    names      of the exported functions
    n_table    size of the table of functions, which is exported as 'functions'; 0: no table
    data       address -> further bytes of its memory
    """
    exports = [encode_name("memory") + b"\2\0"]
    if n_table:
        exports.append(encode_name("functions") + b"\1\0")
    exports += [
        encode_name(name) + b"\0" + encode_number(compiled.functions[name]) for name in names
    ]
    sections = {
        **compiled.sections,
        MEMORY: b"\1\0" + encode_number(pages),
        GLOBAL: b"\1\x7f\1\x41" + encode_signed(stack_end) + b"\x0b",
        EXPORT: encode_number(len(exports)) + b"".join(exports),
    }
    if data:
        reader = ModuleReader(sections.get(DATA, b"\0"))
        count = encode_number(reader.number() + len(data))
        own = [
            b"\0\x41" + encode_signed(at) + b"\x0b" + encode_number(len(words)) + words
            for at, words in data.items()
        ]
        sections[DATA] = count + reader.data[reader.position :] + b"".join(own)
        sections |= {DATA_COUNT: count} if DATA_COUNT in sections else {}
    if n_table:
        sections[TABLE] = b"\1\x70\0" + encode_number(n_table)
    parts = [
        bytes([k]) + encode_number(len(sections[k])) + sections[k] for k in ORDER if k in sections
    ]
    return b"\0asm\1\0\0\0" + b"".join(parts)


def _imports(content: bytes) -> Iterator[str]:
    """Yield the names in an import section."""
    reader = ModuleReader(content)
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


def _symbols(content: bytes) -> tuple[dict[str, int], dict[str, tuple[int, int]]]:
    """Return the index of each function, and the segment and offset of each variable."""
    reader, functions, data = ModuleReader(content), {}, {}
    reader.name()
    reader.number()  # the version
    while reader:
        kind = reader.byte()
        part = ModuleReader(reader.take(reader.number()))
        if kind != SYMBOL_TABLE:
            continue
        for _ in range(part.number()):
            symbol, flags = part.byte(), part.number()
            if symbol == 1:  # data
                name = part.name()
                if not flags & UNDEFINED:
                    data[name] = part.number(), part.number()
                    part.number()  # its size
            elif symbol == 3:  # a section
                part.number()
            else:
                index = part.number()
                has_name = not flags & UNDEFINED or flags & NO_NAME
                name = part.name() if has_name else ""
                if symbol == 0 and name:
                    functions[name] = index
    return functions, data


def _segments(content: bytes) -> list[tuple[int, int]]:
    """Return the address and the size of each active data segment."""
    reader, segments = ModuleReader(content), []
    for _ in range(reader.number()):
        if reader.number() != 0:
            raise ValueError("the object needs a linker: it has passive data")
        if reader.byte() != 0x41:
            raise ValueError("the object needs a linker: its data have no address")
        begin = reader.number()  # small positive numbers are equal, signed or not
        reader.byte()
        segments.append((begin, len(reader.take(reader.number()))))
    return segments

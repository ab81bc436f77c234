"""The look of generated code: blocks indented into place, empty ones left out, no line too long."""

from __future__ import annotations

import re
from textwrap import wrap

EMPTY = "# (nothing)"  # stands where a block had nothing to say, until its line is taken out
WIDTH = 99


def block(text: str, width: int = 4) -> str:
    """A template's filter: a text of several lines at this indentation."""
    lines = [line for line in text.split("\n") if line.strip()]
    return f"\n{' ' * width}".join(lines) if lines else EMPTY


def tidy(code: str) -> str:
    """The code without the lines of empty blocks, with two empty lines between functions, and long
    lines broken."""
    lines = [line.rstrip() for line in code.split("\n") if line.strip() != EMPTY]
    broken = "\n".join(part for line in lines for part in _broken(line))
    return re.sub(r"\n+(?=@|\n\n\n)", "\n\n\n", broken).strip("\n") + "\n"


def _broken(line: str, depth: int = 0) -> list[str]:
    """A line as several, where it is too long and holds a bracket to break in."""
    if len(line) <= WIDTH:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()))
    if line.lstrip().startswith("# "):
        return wrap(line.strip(), WIDTH, initial_indent=indent, subsequent_indent=f"{indent}# ")
    code, _, comment = line.rpartition("  # ")
    if code.strip():
        return [f"{indent}# {comment}", *_broken(code)]
    cut = _last_comma(line, depth)
    if cut < 0:
        return [line]
    further = "" if depth else "    "
    depth += line.count("(", 0, cut) - line.count(")", 0, cut)
    return [line[:cut].rstrip(), *_broken(f"{indent}{further}{line[cut:].lstrip()}", depth)]


def _last_comma(line: str, depth: int) -> int:
    """Where to break a line: behind the last comma within a bracket, or else an operator."""
    comma, operator, index = -1, -1, 0
    for k, c in enumerate(line[:WIDTH]):
        depth += (c == "(") - (c == ")")
        index += (c == "[") - (c == "]")
        within = depth > 0 == index and line[:k].strip()
        if within and line.startswith(", ", k):
            comma = k + 2
        if within and line.startswith((" & ", " | ", " + ", " - ", " * "), k):
            operator = k + 3 if c == " " and line[k + 1] in "&|" else k + 1
    return comma if comma >= 0 else operator

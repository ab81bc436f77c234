"""Find words that this project does not use, in code, docs and the viewer.

    python tests/docs/plain_words.py src/murmurate/tracks docs/real-tracks.md

Identifiers are read with `ast`, those of TypeScript by their declarations; text is docstrings,
comments, strings and whole pages. Each line printed says which word is used instead. `ALLOWED`
lists the uses that are meant: a file, a word and how often it may stand there.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]

# A whole identifier: participles, adverbs, pronouns and particles name nothing.
WHOLE = {
    **dict.fromkeys(("found", "made", "told", "taken", "given", "said", "shown"), "a noun"),
    **dict.fromkeys(("flown", "asked", "wanted", "viewed", "gone", "known", "held"), "a noun"),
    **dict.fromkeys(("its", "one", "there", "here", "anew", "whole", "so_many"), "a noun"),
    **dict.fromkeys(("most", "MOST", "many", "MANY", "least", "LEAST"), "max_..., min_..."),
    **dict.fromkeys(("beside", "ahead"), "halo, skin"),
    "now": "state",
    "places": "positions",
    "place": "position",
    "tell": "send, report",
    "purpose": "rng_stream",
    "burn_in": "warm_up",
}
# A part of an identifier, between underscores or capitals.
PART = {
    **dict.fromkeys(("flown", "fly", "flies", "flying"), "simulate, step, run"),
    **dict.fromkeys(("doubt", "doubts"), "warning"),
    **dict.fromkeys(("crew", "crews", "sharer", "sharers", "manned"), "workers, executor"),
    **dict.fromkeys(("outsider", "outsiders"), "ungridded"),
    **dict.fromkeys(("stray", "strays", "goner", "goners"), "lost boid"),
    **dict.fromkeys(("told", "lookers", "manieth"), "sensed, reported"),
    "turns": "sequential update",
    "moments": "times, frames",
    "MOST": "max",
}
GAP = r"\s+(?:#\s+)?"  # between two words: a comment may go on in the next line
JOINED = rf"(?:[-_]|{GAP})"  # a hyphen or a space
TEXT = {
    r"flown": "simulated",
    r"so[-_ ]man(?:y|ieth)": "n, every n-th",
    r"(?:is|are|be|was|were) told": "receives, is given",
    r"told (?:of|by|what|how|to)": "informed, given",
    r"crews?": "workers",
    r"outsiders?": "ungridded",
    r"doubts?": "warning",
    r"stray": "lost boid",
    r"goners?": "lost boids",
    r"ran away": "lost boid",
    r"next door": "halo",
    r"whom?soever|whom": "rewrite the sentence",
    r"takes? (?:its|their) turns?|one after the other": "sequential update",
    r"swept whole": "all-pairs",
    r"herein|thereof|therein|whereof": "rewrite the sentence",
    r"burn[-_ ]in": "warm-up",
    r"at all(?=[.,;:])": "leave out",
    r"is no (?:model|number|name|file|folder|recording|rule|option|measure)": "is not a ...",
    r"as it is said|what it took|as they have become": "rewrite the sentence",
}
SPACES = re.compile(r"\[-_ \]|( )")


def pattern(*choices: str) -> re.Pattern[str]:
    """The pattern of words in lower case, which may stand in two lines."""
    spaced = (SPACES.sub(lambda place: GAP if place[1] else JOINED, words) for words in choices)
    return re.compile(rf"\b(?:{'|'.join(spaced)})\b")


PATTERNS = {pattern(words): instead for words, instead in TEXT.items()}
ANY = pattern(*TEXT)

ALLOWED: dict[tuple[str, str], int] = {
    # former names
    ("CHANGELOG.md", "burn_in"): 1,
    # public names: parameters of rules
    ("src/murmurate/rules/individual.py", "place"): 2,
    ("src/murmurate/rules/turning.py", "ahead"): 2,
    ("src/murmurate/rules/turning.py", "beside"): 1,
    ("src/murmurate/exports/hdf5_file.py", "tell"): 1,  # of io.RawIOBase
    # variables of kernel functions, whose texts stay as they are
    ("src/murmurate/codegen/candidates/cell_functions.py", "places"): 1,
    ("src/murmurate/codegen/candidates/cell_functions.py", "made"): 3,
    ("src/murmurate/codegen/candidates/cell_functions.py", "found"): 1,
    ("src/murmurate/codegen/candidates/cell_functions.py", "turns"): 1,
    ("src/murmurate/codegen/candidates/cell_functions.py", "whole"): 1,
    ("src/murmurate/codegen/candidates/nearest_search.py", "found"): 8,
    ("src/murmurate/codegen/candidates/nearest_search.py", "wanted"): 3,
    ("src/murmurate/codegen/candidates/nearest_search.py", "there"): 1,
    ("src/murmurate/codegen/candidates/nearest_search.py", "here"): 1,
    ("src/murmurate/codegen/candidates/nearest_search.py", "ahead"): 1,
    ("src/murmurate/codegen/candidates/nearest_search.py", "whole"): 4,
    ("src/murmurate/codegen/kernel_functions.py", "purpose"): 1,
    ("src/murmurate/codegen/kernel_functions.py", "turns"): 1,
    ("src/murmurate/codegen/obstacle_contact.py", "whole"): 2,
    ("src/murmurate/codegen/obstacle_contact.py", "one"): 1,
    ("src/murmurate/codegen/obstacle_contact.py", "most"): 1,
    ("src/murmurate/codegen/obstacle_shapes.py", "most"): 1,
    ("src/murmurate/codegen/perception_functions.py", "places"): 2,
    ("src/murmurate/codegen/perception_functions.py", "stray"): 2,
    ("src/murmurate/codegen/perception_functions.py", "there"): 1,
    ("src/murmurate/language/mathematics.py", "whole"): 1,
    ("src/murmurate/language/mathematics.py", "turns"): 2,
    # public names: `beside` of live pages and its option; an old option
    ("src/murmurate/runs/live_page.py", "beside"): 1,
    ("src/murmurate/cli/page.py", "beside"): 1,
    # fields of messages
    ("src/murmurate/live_view/messages.py", "place"): 1,
    ("src/murmurate/live_view/messages.py", "places"): 1,
}


# A declaration in TypeScript: after a keyword, in a list of parameters, or a member of a class.
DECLARATION = re.compile(
    r"\b(?:const|let|function|class|interface|type|enum|get|set|private|readonly|static|async)\s+"
    r"(?:readonly\s+)?([A-Za-z_$][\w$]*)"
    r"|[({,]\s*(?:\.\.\.)?([A-Za-z_$][\w$]*)\??\s*(?=[:,)=}])"
    r"|^\s+([A-Za-z_$][\w$]*)\??\s*(?=[(:])",
    re.MULTILINE,
)
NOT_CODE = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'", re.DOTALL)


class Use(NamedTuple):
    file: str
    line: int
    word: str
    instead: str


def parts(name: str) -> list[str]:
    """The words of an identifier: `most_waiting`, `MostWaiting` and `MOST_WAITING` have two."""
    return re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)


@cache
def in_identifier(name: str) -> str | None:
    """What to write in place of an identifier's word; None where it may stay."""
    bare = name.strip("_")
    return WHOLE[bare] if bare in WHOLE else in_part(bare)


def defined(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Each name that a module defines: functions, classes, arguments, variables, attributes."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.lineno, node.name
            case ast.arg():
                yield node.lineno, node.arg
            case ast.Name(ctx=ast.Store()):
                yield node.lineno, node.id
            case ast.Attribute(ctx=ast.Store()):
                yield node.lineno, node.attr
            case ast.alias(asname=str(name)):
                yield node.lineno, name


def declared(source: str) -> Iterator[tuple[int, str]]:
    """Each name that a TypeScript source declares, with its line. Comments and strings are not
    searched."""
    code = NOT_CODE.sub(lambda match: "\n" * match[0].count("\n"), source)
    for match in DECLARATION.finditer(code):
        name = match[1] or match[2] or match[3]
        yield code[: match.start(match.lastindex or 0)].count("\n") + 1, name


@cache
def in_part(name: str) -> str | None:
    """What to write in place of a part of an identifier. Whole identifiers of TypeScript may be
    short words, such as the parameter `now` and the property `least`."""
    for part in parts(name):
        if (instead := PART.get(part) or PART.get(part.lower())) is not None:
            return instead
    return None


def strings(source: str) -> Iterator[tuple[int, str]]:
    """Each string of a Python source, and each comment, of several lines or one, with its line."""
    comment, end = "", 0
    lines = source.splitlines()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        line = token.start[0]
        if token.type == tokenize.COMMENT:
            comment, end = (f"{comment}\n{token.string}" if line == end + 1 else token.string), line
            following = lines[line : line + 1]
            if not (following and following[0].lstrip().startswith("#")):
                yield line - comment.count("\n"), comment
                comment = ""
        elif token.type == tokenize.STRING or (
            token.type == getattr(tokenize, "FSTRING_MIDDLE", None)
        ):
            yield line, token.string


def in_text(text: str) -> Iterator[tuple[int, str, str]]:
    """Line (from 0), word and replacement of each use in a text."""
    lower = text.lower()
    for words, instead in PATTERNS.items() if ANY.search(lower) else ():
        for use in words.finditer(lower):
            yield lower[: use.start()].count("\n"), " ".join(use[0].split()), instead


def uses(file: Path, root: Path = ROOT) -> Iterator[Use]:
    """Each word of a file that this project does not use."""
    name = file.resolve().relative_to(root.resolve()).as_posix()
    source = file.read_text(encoding="utf-8")
    if file.suffix != ".py":
        for line, word, instead in in_text(source):
            yield Use(name, line + 1, word, instead)
        for line, identifier in declared(source) if file.suffix == ".ts" else ():
            if (instead := in_part(identifier)) is not None:
                yield Use(name, line, identifier, instead)
        return
    if (instead := in_identifier(file.stem)) is not None:
        yield Use(name, 1, file.stem, instead)
    for line, identifier in defined(ast.parse(source)):
        if (instead := in_identifier(identifier)) is not None:
            yield Use(name, line, identifier, instead)
    # Most files have none of the words; finding out where strings and comments are takes long.
    for start, text in strings(source) if any(in_text(source)) else ():
        for line, word, instead in in_text(text):
            yield Use(name, start + line, word, instead)


def files(paths: list[Path]) -> Iterator[Path]:
    """Every file of code or prose under some paths."""
    for path in paths:
        if path.is_file():
            yield path
        else:
            for suffix in ("py", "j2", "md", "ts", "toml"):
                yield from sorted(path.rglob(f"*.{suffix}"))


def forbidden(paths: list[Path]) -> list[Use]:
    """The uses in all files under some paths, without those that are meant."""
    every = [use for file in files(paths) for use in uses(file)]
    spare = dict(ALLOWED)
    left = []
    for use in every:
        key = (use.file, use.word)
        if spare.get(key, 0) > 0:
            spare[key] -= 1
        else:
            left.append(use)
    return left


if __name__ == "__main__":
    for use in forbidden([Path(path) for path in sys.argv[1:]]):
        print(f"{use.file}:{use.line}: {use.word} -> {use.instead}")

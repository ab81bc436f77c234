"""Bring the catalogues of messages in src/murmurate/show/languages up to date.

    python messages.py            needs polib
    python messages.py --new de   begins the catalogue of another language

Messages are added without a translation, and those that are used no more are removed. A test fails
for each message that a catalogue lacks, or has in vain.
"""

from __future__ import annotations

import argparse
import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from murmurate.classroom.task import load_task, published_tasks
from murmurate.model.files import load, parse
from murmurate.model.model import Model
from murmurate.runs.live_page import CAPTION, COMPILED, GIVEN
from murmurate.show import languages
from murmurate.show.html_file import NOSCRIPT
from murmurate.show.languages import CONTEXT
from murmurate.show.scene import scene

ROOT = Path(__file__).resolve().parent.parent
CATALOGUES = ROOT / "src" / "murmurate" / "show" / "languages"
LESSONS = ROOT / "docs" / "lessons"
QUOTED = r'\s*("(?:[^"\\]|\\.)*")'
CALL = re.compile(rf"\b(?:t|mark)\({QUOTED}|\btn\({QUOTED},{QUOTED}")
FIRST = "starlings"  # the model that teachers see first
HEADER = {
    "MIME-Version": "1.0",
    "Content-Type": "text/plain; charset=UTF-8",
    "Content-Transfer-Encoding": "8bit",
    "Plural-Forms": "nplurals=2; plural=n != 1;",
}


class Message(NamedTuple):
    """A message of catalogues; `many` is its English plural."""

    text: str
    context: str = ""
    many: str = ""


def messages() -> dict[Message, list[str]]:
    """Return all messages, each with the files that use it."""
    found: dict[Message, list[str]] = {}
    for message, file in (*_of_viewer(), *_of_python(), *_of_models()):
        if message.context and message._replace(context="") in found:
            continue  # pages find it there
        if file not in found.setdefault(message, []):
            found[message].append(file)
    return found


def _of_viewer() -> Iterator[tuple[Message, str]]:
    for path in sorted((ROOT / "viewer" / "src").rglob("*.ts")):
        for text, one, many in CALL.findall(path.read_text(encoding="utf-8")):
            parts = [ast.literal_eval(part) for part in (text or one, many) if part]
            yield Message(parts[0], many="".join(parts[1:])), path.relative_to(ROOT).as_posix()


def _of_python() -> Iterator[tuple[Message, str]]:
    yield Message(NOSCRIPT), "src/murmurate/show/html_file.py"
    for message in (Message(CAPTION), Message(COMPILED, CONTEXT), Message(GIVEN, CONTEXT)):
        yield message, "src/murmurate/runs/live_page.py"


def _of_models() -> Iterator[tuple[Message, str]]:
    for path in sorted(LESSONS.glob("*.ipynb")):
        for text in _of_classes(path):
            yield Message(languages.message_of(text), CONTEXT), path.relative_to(ROOT).as_posix()
    for file, model in lesson_models():
        for text in languages.texts_of(scene(model, model, 1, 0.0)):
            if re.search(r"[^\W\d_]{2}", text):
                yield Message(text, CONTEXT), file


def _of_classes(path: Path) -> Iterator[str]:
    """Yield the docstrings and formulas of the rules that a lesson's pages show."""
    for text in _code_of(path).split("\nclass ")[1:]:
        if match := re.match(r'(\w+)\(.*?\):\n    """(.*?)"""', text, re.DOTALL):
            yield match[2]
            yield from re.findall(r'formula = "(.*)"', text)


def _code_of(path: Path) -> str:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")


def lesson_models() -> Iterator[tuple[str, Model]]:
    """Yield the models that pages of lessons and tasks show, each with its file."""
    for path in sorted(LESSONS.glob("*.ipynb")):
        source = _code_of(path)
        for name in re.findall(r'(?:load|live_page)\("([a-z0-9-]+)"', source):
            yield f"src/murmurate/zoo/{name}.toml", load(name)
        for text in re.findall(r'= """\n(title = .*?)"""', source, re.DOTALL):
            yield path.relative_to(ROOT).as_posix(), parse(text)
    for name in sorted({FIRST} | {load_task(name).model for name in published_tasks()}):
        yield f"src/murmurate/zoo/{name}.toml", load(name)


def update(language: str) -> None:
    """Bring a catalogue up to date, or begin it."""
    path = CATALOGUES / f"{language}.po"
    if path.exists():
        catalogue = polib.pofile(str(path), wrapwidth=100)
    else:
        catalogue = polib.POFile(wrapwidth=100)
        catalogue.metadata = HEADER | {"Language": language}
    own = {(entry.msgctxt or "", entry.msgid): entry for entry in catalogue}
    catalogue.clear()
    for message, files in messages().items():
        entry = own.get((message.context, message.text))
        if entry is None or entry.msgid_plural != message.many:
            forms = dict.fromkeys(range(2), "") if message.many else {}
            entry = polib.POEntry(
                msgid=message.text, msgctxt=message.context or None, msgid_plural=message.many,
                msgstr_plural=forms,
            )  # fmt: skip
        entry.occurrences = [(file, "") for file in sorted(files)]
        catalogue.append(entry)
    catalogue.save(str(path))
    print(f"{path.name}: {len(catalogue.untranslated_entries())} messages to translate")


if __name__ == "__main__":
    import polib

    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--new", metavar="LANGUAGE", help="begin the catalogue of a language")
    options = parser.parse_args()
    for each in [options.new] if options.new else languages.languages():
        update(each)

"""Catalogues of messages: complete, without dead entries, and packed as the viewer reads them."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

import murmurate as mm
from message_sources import extraction
from murmurate.errors import OutputError
from murmurate.show import languages
from murmurate.show.html_file import viewer_file
from murmurate.show.languages import catalogue, plural_forms, words
from murmurate.show.scene import scene

ROOT = Path(__file__).resolve().parents[2]
SENTENCE = r"\b[a-zA-Z]{2,}[,:]? [a-z]{2,}[,:]? [a-z]{2,}"
QUOTED = re.compile(
    r"""(\b(?:t|mark)\(\s*|\btn\(\s*(?:"(?:[^"\\\n]|\\.)*",\s*)?)?"""
    r"""("(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`)"""
)
COMMENT = re.compile(r"""/\*.*?\*/|(?<![:"'`])//[^\n]*""", re.DOTALL)
# files of the viewer with sentences that are not translated -> why
ENGLISH = {
    "flight/controls.ts": "programs read them", "page/embedding.ts": "programs read them",
    "flight/session.ts": "programs read them", "page/flightpage.ts": "reasons of Python",
    "formulas/parser.ts": "errors of Python", "formulas/tokens.ts": "errors of Python",
    "gl/program.ts": "of drivers", "webgpu/kernels.ts": "of drivers",
    "replay/boids.ts": "of damaged data", "wire/frame.ts": "of damaged data",
    "page/tools.ts": "lines of Python", "player.ts": "names of classes",
}  # fmt: skip
LANGUAGES = ["es", "fr", "pt"]


@cache
def used() -> dict[str, str]:
    """The English plural of each message that the viewer and the lessons use, by its key."""
    return {
        (f"{each.context}\u0004" if each.context else "") + each.text: each.many
        for each in extraction().messages()
    }


def test_there_are_these_languages() -> None:
    assert languages.languages() == LANGUAGES


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_each_message_and_no_other(language: str) -> None:
    translations = {key: texts for key, texts in catalogue(language).items() if key}
    missing = [key for key in used() if not all(translations.get(key, [""]))]
    assert not missing, f"untranslated, or marked fuzzy: python viewer/messages.py, then {missing}"
    dead = [key for key in translations if key not in used()]
    assert not dead, f"used nowhere: python viewer/messages.py removes {dead}"
    assert f"Language: {language}\n" in catalogue(language)[""][0]


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_have_the_values_and_forms_of_the_message(language: str) -> None:
    forms = max(int(digit) for digit in plural_forms(language)) + 1
    for key, plural in used().items():
        texts = catalogue(language)[key]
        assert len(texts) == (forms if plural else 1), key
        values = set(re.findall(r"\{\w+\}", key + plural))
        for text in texts:
            names = set(re.findall(r"\{\w+\}", text))
            assert names == values or (plural and names == values - {"{n}"}), (key, text)
            assert text == text.strip() or key != key.strip(), text
            assert "\t" not in text and "\n" not in text


def test_an_entry_that_is_wrong_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader leaves out what is fuzzy, joins lines, and knows contexts and plural forms."""
    folder = tmp_path / "languages"
    folder.mkdir()
    (folder / "xx.po").write_text(
        'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=3; plural=n==1 ? 0 : n%10==2 ? 1 : 2;\\n"\n\n'
        '# a note\n#: file\n#, fuzzy\nmsgid "a"\nmsgstr "b"\n\n'
        'msgctxt "model"\nmsgid ""\n"one "\n"two \\"three\\""\nmsgstr "1 2"\n\n'
        'msgid "{n} boid"\nmsgid_plural "{n} boids"\nmsgstr[0] "x"\nmsgstr[1] "y"\nmsgstr[2] ""\n',
        encoding="utf-8",
    )
    monkeypatch.setattr(languages.resources, "files", lambda _: tmp_path)
    catalogue.cache_clear()
    try:
        entries = {key: texts for key, texts in catalogue("xx").items() if key}
        assert entries == {
            'model\u0004one two "three"': ["1 2"], "{n} boid": ["x", "y", ""],
        }  # fmt: skip
        assert plural_forms("xx")[:13] == "2012222222221"
        assert languages.languages() == ["xx"]
    finally:
        catalogue.cache_clear()


def test_keys_differ() -> None:
    assert len({languages.key_of(key) for key in used()}) == len(used())
    assert languages.key_of("Waiting for the flock …").hex() == "087e3b"
    assert languages.key_of("model\u0004boids 🐦").hex() == "b7f5c8"


def test_a_page_has_the_messages_that_it_needs() -> None:
    model = mm.load("ucl")
    packed = json.loads(words([scene(model, model, 1, 0.0)]))
    assert list(packed["plurals"]) == LANGUAGES and packed["language"] == ""
    count = len(packed["keys"]) * 3 // 4 // 3
    texts = packed["texts"].split("\n")
    assert len(texts) == 3 * count and count < json.loads(words())["texts"].count("\n") // 3
    french = json.loads(words([scene(model, model, 1, 0.0)], "fr"))
    assert french["texts"].split("\n") == texts[1::3] and french["language"] == "fr"
    assert json.loads(words([], "en"))["texts"] == ""


def test_each_message_is_in_a_script_as_it_is() -> None:
    """By that a page knows which it needs."""
    names = ("viewer", "replay", "flight", "formulas", "tasks")
    scripts = [viewer_file(f"{name}.js") for name in names]
    for message, files in extraction().messages().items():
        if files[0].startswith("viewer"):
            assert any(message.text in script for script in scripts), message.text


def test_a_language_without_a_catalogue_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    for make in (mm.live_page, mm.replay_page):
        with pytest.raises(OutputError, match="language: got 'xy'; expected en, es, fr, pt"):
            make("ucl", path, view=mm.View(language="xy"))
        assert not path.exists()
    with pytest.raises(mm.ModelError, match="language"):
        mm.View(language="Español")


def test_what_is_translated_is_in_quotes() -> None:
    """Only then is it in the catalogues."""
    for path in (ROOT / "viewer" / "src").rglob("*.ts"):
        text = path.read_text(encoding="utf-8")
        if path.name != "words.ts" and re.search(r'from "\.[./]*/words"', text):
            calls = re.findall(r"(?<![\w.])tn?\(\s*.{0,40}", text)
            wrong = [call for call in calls if not re.match(r'tn?\(\s*"', call)]
            assert not wrong, f"{path.name}: {wrong}"


def sentences(text: str) -> list[str]:
    """What a file of the viewer has in quotes that reads as a sentence and is not translated."""
    quotes = [literal for call, literal in QUOTED.findall(COMMENT.sub("", text)) if not call]
    bare = [re.sub(r"\$\{[^{}]*(\{[^{}]*\}[^{}]*)*\}", " ", literal) for literal in quotes]
    code = re.compile(r"[;{}]\s*\n|^.\n|t\(")  # shaders, and templates within templates
    return [each for each in bare if re.search(SENTENCE, each) and not code.search(each)]


def test_no_sentence_of_the_viewer_is_left_in_english() -> None:
    folder = ROOT / "viewer" / "src"
    texts = {
        path.relative_to(folder).as_posix(): sentences(path.read_text(encoding="utf-8"))
        for path in sorted(folder.rglob("*.ts"))
    }
    english = {name: lines for name, lines in texts.items() if lines}
    assert {name: lines for name, lines in english.items() if name not in ENGLISH} == {}
    assert english.keys() == ENGLISH.keys(), "take out of ENGLISH what has no such sentence"
    assert sentences('throw new Error("this is not translated"); t("but this one is so")') == [
        '"this is not translated"'
    ]

"""The card of a model in a notebook."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

import murmurate as mm


class Elements(HTMLParser):
    """The start tags and the text of a card."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        self.text += data + " "


def card(model: mm.Model) -> Elements:
    html = model._repr_html_()
    assert html is not None
    return Elements(html)


def test_a_card_has_the_source_the_rules_with_numbers_and_what_to_try() -> None:
    model = mm.load("parker").set({"rules.cohesion.weight": 0.125})
    text = " ".join(card(model).text.split())
    assert model.title in text and model.source.reference in text
    assert "doi:" in text or model.source.url in text
    assert "cohesion 0.125 * (mean of x_j - x_i)" in text
    assert all(" ".join(line.split()) in text for line in model.tries)


def test_a_card_has_the_formula_of_the_motion() -> None:
    text = " ".join(card(mm.load("vicsek-1995")).text.split())
    assert "v ← 0.03 * (direction of steering, turned by uniform noise" in text


@pytest.mark.parametrize("name", list(mm.zoo()))
def test_every_published_flock_has_a_card(name: str) -> None:
    model = mm.load(name)
    text = card(model).text
    for flock in model.flocks:
        assert flock in text
    for rule in model.rules:
        assert rule in text


def test_displaying_a_model_simulates_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mm.Simulation, "__init__", lambda *_, **__: pytest.fail("simulated"))
    assert card(mm.load("starlings")).text


def test_a_doi_and_a_web_address_are_links() -> None:
    source = mm.load("starlings").source
    model = mm.load("ucl").model_copy(update={"source": source})
    assert f'href="https://doi.org/{source.doi}"' in (model._repr_html_() or "")
    web = source.model_copy(update={"doi": "", "url": "https://example.org/a?b=1&c=2"})
    html = model.model_copy(update={"source": web})._repr_html_() or ""
    assert 'href="https://example.org/a?b=1&amp;c=2"' in html


def test_text_of_a_model_cannot_add_elements() -> None:
    plain = mm.load("ucl")
    words = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    source = plain.source.model_copy(update={"doi": '"><script>', "url": "javascript:alert(1)"})
    model = plain.model_copy(
        update={"title": words, "about": words, "tries": (words,), "source": source}
    )
    elements = card(model)
    assert not {"script", "img"} & set(elements.tags)
    assert elements.text.count(words) == 3
    assert 'href="javascript' not in (model._repr_html_() or "")

"""Typeset plain-text formulas of models and measures as HTML: indices, powers, Greek letters,
signs."""

from __future__ import annotations

import html
import re

WORDS = {
    "pi": "π", "psi": "ψ", "tau": "τ", "inf": "∞", "alpha": "α", "beta": "β", "sqrt": "√", "x": "×",
}  # fmt: skip
SIGNS = {
    "&lt;-": "←", "&lt;=": "≤", "&gt;=": "≥", "...": "…", " * ": " · ", " . ": " · ", " - ": " − ",
    "(-": "(−",
}  # fmt: skip
POWER = r"(?:\^(?P<{}>-?\w+|\([^()]*\)))"
TOKEN = re.compile(
    rf"(?P<base>[A-Za-z]+)(?:_(?P<index>\w+))?{POWER.format('power')}?"
    rf"|(?P<close>[)|\d]){POWER.format('raised')}"
)


def typeset(text: str) -> str:
    """Return a formula as HTML: words upright, letters and symbols with indices italic."""
    markup, end = "", 0
    for token in TOKEN.finditer(text):
        markup += _signs(text[end : token.start()]) + _token(token)
        end = token.end()
    return f'<span class="formula">{markup}{_signs(text[end:])}</span>'


def _signs(text: str) -> str:
    text = html.escape(text, quote=False)
    for sign, better in SIGNS.items():
        text = text.replace(sign, better)
    return text


def _token(token: re.Match[str]) -> str:
    if token["close"]:
        return token["close"] + _raised(token["raised"])
    base, index, power = token["base"], token["index"], token["power"]
    if base == "sum" and index:
        markup = "∑"
    elif base in WORDS and not (base == "x" and (index or power)):
        markup = WORDS[base]
    elif (len(base) == 1 and base != "a") or (len(base) <= 2 and (index or power)):
        markup = f"<i>{base}</i>"
    else:
        markup = base
    return markup + (f"<sub>{index}</sub>" if index else "") + (_raised(power) if power else "")


def _raised(power: str) -> str:
    return f"<sup>{power.strip('()').replace('-', '−')}</sup>"

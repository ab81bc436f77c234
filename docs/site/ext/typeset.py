"""Formulas in plain text, as models and measures have them, as HTML: x_i with its index, powers,
Greek letters, signs."""

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
    """HTML of a formula. Words stay upright; letters and what has an index or a power do not."""
    said, end = "", 0
    for token in TOKEN.finditer(text):
        said += _signs(text[end : token.start()]) + _token(token)
        end = token.end()
    return f'<span class="formula">{said}{_signs(text[end:])}</span>'


def _signs(text: str) -> str:
    text = html.escape(text, quote=False)
    for sign, better in SIGNS.items():
        text = text.replace(sign, better)
    return text


def _token(found: re.Match[str]) -> str:
    if found["close"]:
        return found["close"] + _raised(found["raised"])
    base, index, power = found["base"], found["index"], found["power"]
    if base == "sum" and index:
        said = "∑"
    elif base in WORDS and not (base == "x" and (index or power)):
        said = WORDS[base]
    elif (len(base) == 1 and base != "a") or (len(base) <= 2 and (index or power)):
        said = f"<i>{base}</i>"
    else:
        said = base
    return said + (f"<sub>{index}</sub>" if index else "") + (_raised(power) if power else "")


def _raised(power: str) -> str:
    return f"<sup>{power.strip('()').replace('-', '−')}</sup>"

"""The docstrings of measures, made from their registration.

A docstring in the source has what is special: a summary, paragraphs, and lines `label: text`. A
label is a parameter, 'value' (what values mean), 'raises' or 'source' (remarks on the source).
Paragraphs after the labels become notes. Definition, unit, range, missing values and sources come
from `@measure(...)`, descriptions of parameters from `PARAMETERS`.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping

from murmurate.measures.definition import SOURCES, Measure

PARAMETERS = {
    "flock": "N boids in D dimensions, at one time. Boids that are not seen are left out.",
    "flock of frames": "Name of the flock. The default is the largest one of the first frame.",
    "flock of hunt": "Name of the prey's flock.",
    "predators": "Name of the predators' flock.",
    "frames": "Frames of a run, of a recording or of tracks.",
    "frames of hunt": "Frames with both flocks.",
    "frames of event": "Starting with the frame before the event.",
    "frames at equal steps": "At equal intervals of time.",
    "bins": "Number of bins of equal width.",
    "edges": "Bin edges, in place of `bins` and of the largest distance.",
    "k": "Number of nearest neighbours.",
    "min_size": "Smallest size of a cluster that counts.",
    "link": "Largest distance between linked boids, in length units, above 0, as for `clusters`: "
    "three times the mean nearest-neighbour distance by default. More than 30 million links are "
    "refused.",
    "method": "'spearman' correlates ranks, with the mean rank for equal numbers; 'pearson' the "
    "numbers.",
    "origins": "Number of times s that are stored, equally spaced. Memory holds this many flocks.",
    "radius": "Distance in length units, above 0.",
    "size": "Diameter of a boid in length units, above 0.",
    "seed": "Seed of the random choice.",
    "trait": "Name of a trait, or of per-boid state, or its last part: 'weight' for "
    "'rules.cohesion.weight'.",
}  # fmt: skip
"""Descriptions of parameters, for measures that do not describe them."""

TYPES = {
    "Iterable[Frame | FlockFrame]": "iterable of Frame or FlockFrame",
    "Iterable[Frame]": "iterable of Frame",
    "np.ndarray | None": "array_like of shape (B + 1,)",
    "Method": "{'spearman', 'pearson'}",
    "Of": "{'velocity', 'heading', 'speed'}",
    "Any": "str, path-like or array_like of shape (V, 2)",
}
ABSENT = {"Curve": "Without points", "PerAnimal": "The mean is nan", "str": "'none'"}
LABEL = re.compile(r"([a-z_]+): (.*)", re.DOTALL)


def measure_doc(measure: Measure, text: str, signature: inspect.Signature) -> str:
    """Return the numpydoc docstring of a measure from the special text and the registration."""
    before, labels, notes = _parse(inspect.cleandoc(text))
    summary, *paragraphs = before
    result = str(signature.return_annotation)
    value = f"{_range(measure, result)} {_missing(measure, result)} {labels.get('value', '')}"
    sections = {
        "Parameters": "\n".join(_parameters(measure, labels, signature)),
        "Returns": f"{result}\n{_indented(value)}",
        "Raises": _raises(measure, labels.get("raises", ""), signature),
        "Notes": "\n\n".join([*notes, _fill(_source(measure, labels.get("source", "")))]),
    }
    blocks = [f"{title}\n{'-' * len(title)}\n{body}" for title, body in sections.items() if body]
    definition = _fill(f"Definition: {measure.definition}.")
    return "\n\n".join([summary, definition, *paragraphs, *blocks]) + "\n"


def _parse(text: str) -> tuple[list[str], dict[str, str], list[str]]:
    """Return the paragraphs before the labels, the labels, and the paragraphs after them."""
    before, labels, notes = list[str](), dict[str, str](), list[str]()
    for paragraph in text.split("\n\n"):
        lines = re.split(r"\n(?=[a-z_]+: )", paragraph)
        if LABEL.match(lines[0]):
            labels |= {m[1]: " ".join(m[2].split()) for m in map(LABEL.match, lines) if m}
        else:
            (notes if labels else before).append(paragraph)
    return before, labels, notes


def _parameters(
    measure: Measure, labels: Mapping[str, str], signature: inspect.Signature
) -> Iterator[str]:
    kind = {"number": "", "curve": "", "word": "", "hunt": " of hunt"}.get(
        measure.kind, " of frames"
    )
    for name, parameter in signature.parameters.items():
        if measure.event and name == "frames":
            text = PARAMETERS["frames of event"]
        elif measure.equal_steps and name == "frames":
            text = PARAMETERS["frames at equal steps"]
        else:
            text = PARAMETERS.get(name + kind, PARAMETERS.get(name, ""))
        yield f"{name} : {_type(parameter)}\n{_indented(labels.get(name, text))}"


def _type(parameter: inspect.Parameter) -> str:
    """Return the type of a parameter, and its default, in the words of numpydoc."""
    text = str(parameter.annotation)
    if choices := re.fullmatch(r"Literal\[(.*)\]", text.replace('"', "'")):
        text = f"{{{choices[1]}}}"
    text = TYPES.get(text, text.removesuffix(" | None"))
    default = parameter.default
    if default is inspect.Parameter.empty:
        return text
    if default is None:
        return f"{text}, optional"
    return f"{text}, default {f'{default:,}' if type(default) is int else repr(default)}"


def _range(measure: Measure, result: str) -> str:
    """Return the range of a measure with its unit, and its x axis."""
    unit = {"1": " (no unit)", "word": ""}.get(measure.unit, f" ({measure.unit})")
    text = f"{measure.bounds[0].upper()}{measure.bounds[1:]}{unit}"
    if measure.across:
        name, _, unit = measure.across.rpartition(", ")
        text += f", over {name} ({unit})" if name else f", over {unit}"
    return f"{text}{' for each animal' if result == 'PerAnimal' else ''}."


def _missing(measure: Measure, result: str) -> str:
    """Return the conditions of a missing value."""
    few = measure.min_boids
    boids = f"for {few} boids or fewer" if isinstance(few, str) else f"for fewer than {few} boids"
    if few == 1:
        boids = "for an empty flock" if measure.for_one_frame else "for frames without boids"
    reasons = [boids] if few else []
    if measure.missing:
        reasons.append(f"if {measure.missing}")
    return f"{ABSENT.get(result, 'nan')} {', and '.join(reasons)}." if reasons else ""


def _raises(measure: Measure, special: str, signature: inspect.Signature) -> str:
    names = [name for name in list(signature.parameters)[1:] if name not in ("flock", "predators")]
    options = [f"`{name}`" for name in names if name != "trait"]
    flocks = "one of the flocks" if measure.kind == "hunt" else "the flock"
    reasons = [] if measure.for_one_frame else [f"for a frame without {flocks}"]
    if measure.equal_steps:
        reasons.append("for frames at unequal intervals")
    if "trait" in names:
        reasons.append("if boids have no such trait")
    if options:
        reasons.append(f"for an invalid {_join(options, 'or')}")
    text = f"{_join(reasons, 'and')}." if reasons else ""
    text = f"{text[:1].upper()}{text[1:]} {special}".strip()
    return f"MeasureError\n{_indented(text)}" if text else ""


def _source(measure: Measure, special: str) -> str:
    cited = "; ".join(
        f"{name.rstrip('ab')}, {'doi:' if SOURCES[name].startswith('10.') else ''}{SOURCES[name]}"
        for name in measure.publications
    )
    return f"Source: {cited or 'own definition'}. {special}".strip()


def _join(words: list[str], last: str) -> str:
    head = ", ".join(words[:-1])
    return f"{head}{',' if len(words) > 2 else ''} {last} {words[-1]}" if head else words[-1]


def _fill(text: str, indent: str = "") -> str:
    """Return text in lines of at most 96 characters; textwrap takes ten times as long."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) > 95 - len(indent):
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else word
    return "\n".join(indent + line for line in lines)


def _indented(text: str) -> str:
    return _fill(text, "    ")

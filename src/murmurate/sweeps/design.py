"""Design of a sweep: its parameter sets (a grid, a list or samples) and its measures."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from murmurate.errors import SweepError
from murmurate.measures import MEASURES, Measure
from murmurate.model.messages import format_unknown
from murmurate.model.model import Model
from murmurate.model.text_reader import MAX_WORD, TextError, read_toml

Method = Literal["grid", "list", "latin-hypercube", "sobol"]
METHODS: tuple[Method, ...] = ("grid", "list", "latin-hypercube", "sobol")
MAX_VALUES = 100_000  # of one path; a larger number is usually a mistake
MAX_PARAMETER_SETS = 1_000_000  # of a sweep; they are held in memory


def parse_vary(text: str, method: Method | None = None) -> tuple[str, tuple[Any, ...]]:
    """Return the path and the values of an option `--vary`.

    text  'PATH=FIRST:LAST:STEP' (LAST included), 'PATH=VALUE,VALUE,...', or 'PATH=FIRST:LAST',
        which is an interval for samples
    method  method of the sweep. With 'grid' or 'list' an interval is an error.
    raises SweepError  for invalid text
    """
    path, equals, word = (part.strip() for part in text.partition("="))
    if not equals or not path or not word:
        raise SweepError(
            f"--vary {text}: expected PATH=FIRST:LAST:STEP or PATH=VALUE,VALUE,..., such as "
            "--vary rules.alignment.weight=0:1:0.1"
        )
    number = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
    if len(word) <= MAX_WORD and re.fullmatch(rf"{number}(:{number}){{1,2}}", word, re.ASCII):
        parts = [float(part) if "." in part or "e" in part.lower() else int(part)
                 for part in word.split(":")]  # fmt: skip
        if len(parts) == 2:
            if method in ("grid", "list"):
                raise SweepError(
                    f"--vary {text}: got the interval {word}; expected values for method {method}. "
                    f"Write --vary {path}={word}:STEP, or --vary {path}={word.replace(':', ',')} "
                    "for these two values. Intervals are for --method latin-hypercube or sobol"
                )
            return path, tuple(parts)
        return path, _values_in_steps(text, *parts)
    try:
        listed = read_toml(f"values = [{word}]")["values"]
    except TextError as error:
        listed = [part.strip() for part in word.split(",")]
        if any(len(part) > MAX_WORD for part in listed):
            raise SweepError(f"--vary {path}: its values cannot be read: {error}") from None
    return path, tuple(listed)


def _values_in_steps(text: str, first: float, last: float, step: float) -> tuple[Any, ...]:
    """Return the values from `first` to `last`, both included."""
    steps = (last - first) / step if step else math.nan
    if not steps >= 0:
        raise SweepError(f"--vary {text}: steps of {step:g} do not lead from {first:g} to {last:g}")
    if steps >= MAX_VALUES:
        raise SweepError(f"--vary {text}: got {steps:.7g} steps; expected at most {MAX_VALUES:,}")
    count = math.floor(steps + 1e-9) + 1
    if count == 1:
        raise SweepError(_describe_single_value(text, first, last, step))
    if all(isinstance(part, int) for part in (first, last, step)):
        return tuple(int(first + k * step) for k in range(count))
    # 0.1 * 3 means 0.3
    return tuple(float(f"{first + k * step:.12g}") for k in range(count))


def _describe_single_value(text: str, first: float, last: float, step: float) -> str:
    """Return the message for a step beyond the last value, often meant as a number of values."""
    path = text.partition("=")[0].strip()
    message = (
        f"--vary {text}: FIRST:LAST:STEP with a step of {step:g} has one value between {first:g} "
        f"and {last:g}, which is {first:g}. For one value write --vary {path}={first:g}"
    )
    if first == last or step != int(step) or step < 2:
        return message
    between = (last - first) / (step - 1)
    return f"{message}; for {step:g} values --vary {path}={first:g}:{last:g}:{between:.12g}"


def parameter_sets(
    vary: Mapping[str, Sequence[Any]], method: Method = "grid", samples: int = 0, seed: int = 0
) -> list[dict[str, Any]]:
    """Return the parameter sets of a design in a fixed order.

    vary  dotted path -> its values; for samples (first, last) of an interval
    method  'grid' combines every value with every other; the last path changes fastest. 'list'
        combines the first values of all paths, then the second values, and so on. 'latin-hypercube'
        divides each interval into `samples` parts, each with one sample. 'sobol' takes points of a
        scrambled Sobol sequence, which are most even if their number is a power of 2.
    samples  number of samples. Samples are integers if both ends of the interval are.
    seed  seed of the samples
    raises SweepError  for an invalid design
    """
    if method not in METHODS:
        raise SweepError(f"method: got {method!r}; expected one of {', '.join(METHODS)}")
    if not vary:
        return [{}]
    for path, values in vary.items():
        if len(values) == 0:
            raise SweepError(f"{path}: got no values; expected at least one")
    count = {"grid": math.prod(map(len, vary.values())), "list": 0}.get(method, samples)
    if count > MAX_PARAMETER_SETS:
        raise SweepError(
            f"vary: got {count:,} parameter sets; expected at most {MAX_PARAMETER_SETS:,}"
        )
    if method == "grid":
        return [dict(zip(vary, row, strict=True)) for row in itertools.product(*vary.values())]
    if method == "list":
        lengths = {path: len(values) for path, values in vary.items()}
        if len(set(lengths.values())) > 1:
            counts = ", ".join(f"{n} of {path}" for path, n in lengths.items())
            raise SweepError(f"vary: got {counts}; method list expected equally many values of all")
        return [dict(zip(vary, row, strict=True)) for row in zip(*vary.values(), strict=True)]
    return _draw_samples(vary, method, samples, seed)


def _draw_samples(
    vary: Mapping[str, Sequence[Any]], method: Method, samples: int, seed: int
) -> list[dict[str, Any]]:
    from scipy.stats import qmc

    if samples < 1:
        raise SweepError(
            f"samples: got {samples}; expected at least 1 for method {method}, such as --samples 64"
        )
    for path, values in vary.items():
        numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)
        if len(values) != 2 or not numbers or not values[0] < values[1]:
            raise SweepError(
                f"{path}: method {method} expected an interval FIRST:LAST with FIRST < LAST, such "
                f"as --vary {path}=0:5"
            )
    if method == "sobol":
        exponent = max(0, math.ceil(math.log2(samples)))
        unit_samples = qmc.Sobol(len(vary), seed=seed).random_base2(exponent)[:samples]
    else:
        unit_samples = qmc.LatinHypercube(len(vary), seed=seed).random(samples)
    return [
        {
            path: _interpolate(vary[path][0], vary[path][1], fraction)
            for path, fraction in zip(vary, row, strict=True)
        }
        for row in unit_samples
    ]


def _interpolate(low: Any, high: Any, fraction: float) -> Any:
    if isinstance(low, int) and isinstance(high, int):
        return min(high, low + math.floor(fraction * (high - low + 1)))
    return float(low + fraction * (high - low))


def measure_names(
    measures: str | Sequence[str], *models: Model, error: type[SweepError] = SweepError
) -> tuple[str, ...]:
    """Return the names of one or more measures, which all models can have.

    Raises `error` for no measures, and SweepError for invalid ones; see `parse_measure`.
    """
    names = (measures,) if isinstance(measures, str) else tuple(measures)
    if not names:
        raise error(
            "measures: got none; expected at least one, such as --measures polarization,milling"
        )
    for model in models:
        for name in names:
            parse_measure(name, model)
    return names


def parse_measure(text: str, model: Model) -> tuple[Measure, str | None]:
    """Return the measure and the flock of 'MEASURE' or 'MEASURE@FLOCK'.

    The flock is None for the largest one. Raises SweepError for a measure that is not a number per
    frame, or that has required options.
    """
    name, at, flock = text.partition("@")
    numbers = {k: m for k, m in MEASURES.items() if m.kind == "number" and not m.required}
    if name not in numbers:
        if name in MEASURES:
            raise SweepError(
                f"measures: got {name} of kind '{MEASURES[name].kind}'; expected a measure that "
                "is one number per frame and needs no option"
            )
        raise SweepError(format_unknown("measure", name, sorted(numbers)))
    if at and flock not in model.flocks:
        raise SweepError(format_unknown("flock", flock, model.flocks))
    return numbers[name], flock or None

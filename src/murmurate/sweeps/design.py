"""The settings of a sweep: a grid, a list side by side, or samples of a box."""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from murmurate.errors import SweepError
from murmurate.model.text_reader import LONGEST_WORD, TextError, read_toml

Method = Literal["grid", "list", "latin-hypercube", "sobol"]
METHODS: tuple[Method, ...] = ("grid", "list", "latin-hypercube", "sobol")
MOST_VALUES = 100_000  # of one path; more is a slip of the pen
MOST_POINTS = 1_000_000  # of a sweep: they are held in memory


def values_of(text: str, method: Method | None = None) -> tuple[str, tuple[Any, ...]]:
    """'PATH=0:5:0.25' (5 included), 'PATH=1,2,3' or 'PATH=0:5' (an interval, for samples) -> the
    path and its values. Raises SweepError, also for an interval where `method` takes values."""
    path, equals, word = (part.strip() for part in text.partition("="))
    if not equals or not path or not word:
        raise SweepError(
            f"--vary {text}: it must be PATH=FIRST:LAST:STEP or PATH=VALUE,VALUE,... such as "
            "--vary rules.alignment.weight=0:1:0.1"
        )
    number = r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?"
    if len(word) <= LONGEST_WORD and re.fullmatch(rf"{number}(:{number}){{1,2}}", word, re.ASCII):
        parts = [float(part) if "." in part or "e" in part.lower() else int(part)
                 for part in word.split(":")]  # fmt: skip
        if len(parts) == 2:
            if method in ("grid", "list"):
                raise SweepError(
                    f"--vary {text}: {path}={word} is an interval, for --method latin-hypercube "
                    f"or sobol; for a {method} write --vary {path}={word}:STEP, or "
                    f"--vary {path}={word.replace(':', ',')} for these two values"
                )
            return path, tuple(parts)
        return path, _steps(text, *parts)
    try:
        listed = read_toml(f"values = [{word}]")["values"]
    except TextError as error:
        listed = [part.strip() for part in word.split(",")]
        if any(len(part) > LONGEST_WORD for part in listed):
            raise SweepError(f"--vary {path}: its values cannot be read: {error}") from None
    return path, tuple(listed)


def _steps(text: str, first: float, last: float, step: float) -> tuple[Any, ...]:
    steps = (last - first) / step if step else math.nan
    if not steps >= 0:
        raise SweepError(f"--vary {text}: steps of {step:g} do not lead from {first:g} to {last:g}")
    if steps >= MOST_VALUES:
        raise SweepError(f"--vary {text}: {steps:.7g} steps; at most {MOST_VALUES:,} are allowed")
    count = math.floor(steps + 1e-9) + 1
    if count == 1:
        raise SweepError(_one_value(text, first, last, step))
    if all(isinstance(part, int) for part in (first, last, step)):
        return tuple(int(first + k * step) for k in range(count))
    # 0.1 * 3 is meant to be 0.3
    return tuple(float(f"{first + k * step:.12g}") for k in range(count))


def _one_value(text: str, first: float, last: float, step: float) -> str:
    """What is said of a step that leads beyond the last value at once, which is often meant as the
    number of values."""
    path = text.partition("=")[0].strip()
    said = (
        f"--vary {text}: FIRST:LAST:STEP with a step of {step:g} has one value between {first:g} "
        f"and {last:g}, which is {first:g}. For one value write --vary {path}={first:g}"
    )
    if first == last or step != int(step) or step < 2:
        return said
    between = (last - first) / (step - 1)
    return f"{said}; for {step:g} values --vary {path}={first:g}:{last:g}:{between:.12g}"


def points(
    vary: Mapping[str, Sequence[Any]], method: Method = "grid", samples: int = 0, seed: int = 0
) -> list[dict[str, Any]]:
    """The settings, path -> value each, in a fixed order. Raises SweepError.

    grid             every value with every other; the last path runs fastest
    list             first values together, then second values, ...
    latin-hypercube  `samples` points of the box that (first, last) of each path span: each path's
                     interval is cut into as many parts, and each part holds one point
    sobol            `samples` points of a scrambled Sobol sequence, most even where that is a power
                     of 2
    Samples of a path whose two ends are whole numbers are whole numbers.
    """
    if method not in METHODS:
        raise SweepError(f"method is {method!r}: it must be one of {', '.join(METHODS)}")
    if not vary:
        return [{}]
    for path, values in vary.items():
        if len(values) == 0:
            raise SweepError(f"{path} has no values to vary over")
    asked = {"grid": math.prod(map(len, vary.values())), "list": 0}.get(method, samples)
    if asked > MOST_POINTS:
        raise SweepError(f"{asked:,} settings; at most {MOST_POINTS:,} are allowed")
    if method == "grid":
        return [dict(zip(vary, row, strict=True)) for row in itertools.product(*vary.values())]
    if method == "list":
        lengths = {path: len(values) for path, values in vary.items()}
        if len(set(lengths.values())) > 1:
            found = ", ".join(f"{path} has {n}" for path, n in lengths.items())
            raise SweepError(f"lists side by side must have the same number of values: {found}")
        return [dict(zip(vary, row, strict=True)) for row in zip(*vary.values(), strict=True)]
    return _sampled(vary, method, samples, seed)


def _sampled(
    vary: Mapping[str, Sequence[Any]], method: Method, samples: int, seed: int
) -> list[dict[str, Any]]:
    from scipy.stats import qmc

    if samples < 1:
        raise SweepError(f"samples is {samples}: {method} needs at least 1, such as --samples 64")
    for path, values in vary.items():
        numbers = all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)
        if len(values) != 2 or not numbers or not values[0] < values[1]:
            raise SweepError(
                f"{path}: {method} draws from an interval, such as --vary {path}=0:5, first < last"
            )
    if method == "sobol":
        exponent = max(0, math.ceil(math.log2(samples)))
        drawn = qmc.Sobol(len(vary), seed=seed).random_base2(exponent)[:samples]
    else:
        drawn = qmc.LatinHypercube(len(vary), seed=seed).random(samples)
    return [
        {
            path: _between(vary[path][0], vary[path][1], part)
            for path, part in zip(vary, row, strict=True)
        }
        for row in drawn
    ]


def _between(low: Any, high: Any, part: float) -> Any:
    if isinstance(low, int) and isinstance(high, int):
        return min(high, low + math.floor(part * (high - low + 1)))
    return float(low + part * (high - low))

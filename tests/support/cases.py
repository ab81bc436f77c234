"""Cases of a test that run as one test: pytest and its workers take 10 ms for each test, which is
more than many cases take."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

Test = Callable[..., None]


def cases(names: str, values: Iterable[Any]) -> Callable[[Test], Test]:
    """Return a decorator as pytest.mark.parametrize does; one test runs all cases.

    It ends at the first case that fails, and names it. Decorators can be combined.
    """
    keys = [name.strip() for name in names.split(",")]
    listed = list(values)
    assert listed, "a test without cases tests nothing"

    def decorate(test: Test) -> Test:
        signature = inspect.signature(test)

        @functools.wraps(test)
        def all_cases(*args: Any, **kwargs: Any) -> None:
            for value in listed:
                case = dict(zip(keys, value if len(keys) > 1 else (value,), strict=True))
                try:
                    test(*args, **kwargs, **case)
                except Exception as error:
                    error.add_note(f"case {case}")
                    raise

        others = [p for name, p in signature.parameters.items() if name not in keys]
        all_cases.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        return all_cases

    return decorate

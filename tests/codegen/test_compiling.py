"""Compiling faster leaves nothing behind and changes nothing."""

import gc
import logging

import numba
import pytest
from numba.core.types.functions import BaseFunction

from murmurate.codegen.kernel_compiler import faster_compilation


def polynomial(x, y):
    total = 0.0
    for k in range(10):
        total += x * y + x * x - y * y + k * x
        total = total * x - y
    return total


def asked_while(context):
    """(how often numba looks for an implementation while it compiles, what it compiled)."""
    questions = []
    original = BaseFunction.get_call_type

    def counted(self, context, args, kws):
        questions.append(args)
        return original(self, context, args, kws)

    BaseFunction.get_call_type = counted
    try:
        compiled = numba.njit(polynomial)
        with context:
            compiled(1.5, 2.5)
    finally:
        BaseFunction.get_call_type = original
    return len(questions), compiled


def test_types_are_asked_for_once_and_the_result_is_the_same():
    from contextlib import nullcontext

    often, plain = asked_while(nullcontext())
    once, quick = asked_while(faster_compilation())
    assert 3 * once < often * 2
    assert plain.nopython_signatures == quick.nopython_signatures
    assert plain(0.3, 0.7) == quick(0.3, 0.7) == pytest.approx(polynomial(0.3, 0.7), rel=1e-12)


def test_all_is_as_before_afterwards_also_after_an_error():
    ask = BaseFunction.get_call_type
    with pytest.raises(numba.core.errors.TypingError), faster_compilation():
        assert not gc.isenabled()
        numba.njit(lambda x: x + "text")(1)
    assert gc.isenabled() and BaseFunction.get_call_type is ask
    with faster_compilation(), faster_compilation():
        pass
    assert gc.isenabled() and BaseFunction.get_call_type is ask


def test_a_collector_that_rests_already_is_left_to_rest():
    gc.disable()
    try:
        with faster_compilation():
            assert not gc.isenabled()
        assert not gc.isenabled()
    finally:
        gc.enable()


def changed_numba(monkeypatch, way):
    """numba as another version might be."""
    if way == "attribute missing":
        monkeypatch.delattr(BaseFunction, "get_call_type")
    elif way == "another signature":
        monkeypatch.setattr(BaseFunction, "get_call_type", lambda self, context, signature: None)
    elif way == "no signature":
        monkeypatch.setattr(BaseFunction, "get_call_type", object())
    elif way == "class missing":
        from numba.core.types import functions

        monkeypatch.delattr(functions, "BaseFunction")
    else:
        from numba.core import types

        monkeypatch.delattr(types, "BaseTuple")


WAYS = ["attribute missing", "another signature", "no signature", "class missing", "types missing"]


@pytest.mark.parametrize("way", WAYS)
def test_a_changed_numba_is_left_alone(way, monkeypatch, caplog):
    """It is said at level debug, and the collector is paused all the same."""
    changed_numba(monkeypatch, way)
    before = BaseFunction.__dict__.get("get_call_type")
    with caplog.at_level(logging.DEBUG, "murmurate"), faster_compilation():
        assert BaseFunction.__dict__.get("get_call_type") is before
        assert not gc.isenabled()
    assert BaseFunction.__dict__.get("get_call_type") is before and gc.isenabled()
    assert [r.levelname for r in caplog.records if "numba has changed" in r.message] == ["DEBUG"]


def test_this_numba_is_as_expected(caplog):
    """Else compiling takes half as long again, and nobody would notice."""
    before = BaseFunction.get_call_type
    with caplog.at_level(logging.DEBUG, "murmurate"), faster_compilation():
        assert BaseFunction.get_call_type is not before
    assert not caplog.records

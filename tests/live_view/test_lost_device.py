"""A live view whose graphics card fails shows a notice, and restarts. The test needs an adapter."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from conftest_live import LocalPage

from murmurate.engines.gpu import device
from processes import LIMIT

pytest.importorskip("wgpu")
if not device.adapters():
    pytest.skip("no adapter for WebGPU", allow_module_level=True)


def test_a_lost_device_is_a_notice_and_the_flock_restarts(
    open_page: Callable[..., LocalPage],
) -> None:
    page = open_page(engine="gpu")
    page.wait_until_running()
    session = page.client.session
    session.runner.submit(session.runner.simulation._engine._device.close).result(LIMIT)
    notice = page.wait_for("notice")
    assert notice["level"] == "error" and "got a lost device" in notice["text"]
    assert not page.request("toml").get("error")  # the session answers
    page.do("restart")
    assert page.wait_for("notice")["level"] == "clear"
    page.frame(lambda frame: frame.step > 2)

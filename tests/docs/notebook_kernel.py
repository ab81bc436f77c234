"""A Jupyter kernel of its own, and the blocks of a page run in it as the cells of a notebook."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from page_blocks import Block
from page_runner import Runner

from processes import CHILD_LIMIT

WIDGET = "application/vnd.jupyter.widget-view+json"


class Kernel:
    """Runs cells, one after another."""

    def __init__(self, client: Any) -> None:
        self._client = client

    def run(self, code: str) -> list[dict[str, Any]]:
        """Run a cell; return its outputs. Raises what the cell raises, by name and text."""
        outputs: list[dict[str, Any]] = []

        def hear(message: dict[str, Any]) -> None:
            if message["msg_type"] in ("stream", "display_data", "execute_result"):
                outputs.append(message["content"])

        reply = self._client.execute_interactive(code, timeout=CHILD_LIMIT, output_hook=hear)[
            "content"
        ]
        if reply["status"] == "error":
            kind = type(reply["ename"], (Exception,), {})
            raise kind(reply["evalue"])
        return outputs


@contextmanager
def kernel(folder: Path) -> Iterator[Kernel]:
    """A kernel of this Python whose current folder is `folder`; no Jupyter of the user's is used.
    It is ended with the context."""
    manager = pytest.importorskip("jupyter_client.manager", reason="jupyter_client is missing")
    pytest.importorskip("ipykernel", reason="ipykernel is not installed")
    places = {"JUPYTER_CONFIG_DIR": "config", "JUPYTER_DATA_DIR": "data", "IPYTHONDIR": "ipython"}
    places |= {"JUPYTER_RUNTIME_DIR": "runtime"}
    beside = folder.parent / "jupyter"
    env = os.environ | {name: str(beside / place) for name, place in places.items()}
    one = manager.KernelManager(kernel_name="python3")
    one.connection_file = str(beside / "kernel.json")
    beside.mkdir()
    one.kernel_spec.argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    one.start_kernel(env=env, cwd=str(folder))
    try:
        client = one.blocking_client()
        client.start_channels()
        try:
            client.wait_for_ready(timeout=CHILD_LIMIT)
            yield Kernel(client)
        finally:
            client.stop_channels()
    finally:
        one.shutdown_kernel(now=True)
        one.cleanup_resources()


class KernelRunner(Runner):
    """Runs the blocks of a page: Python in a kernel, which is new to each page, commands here."""

    left_out = ("skip", "example")

    def __init__(self, folder: Path, kernel: Kernel) -> None:
        super().__init__(folder)
        self._kernel = kernel
        self.shown: list[dict[str, Any]] = []  # what the cells put out
        kernel.run("%reset -f")

    def _run_python(self, block: Block) -> None:
        outputs = self._kernel.run(block.text)
        self.said = "".join(one["text"] for one in outputs if one.get("name") == "stdout")
        self.shown += [one["data"] for one in outputs if "data" in one]

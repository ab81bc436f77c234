"""A flight in wasmtime by what a page gets of it alone: code, manifest and image."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import wasmtime

from murmurate.wasm.flight_module import FlightModule


class LoadedFlight:
    """What a page's loader does, in a few lines."""

    def __init__(self, module: FlightModule) -> None:
        self.manifest: dict[str, Any] = json.loads(json.dumps(module.manifest))
        engine = wasmtime.Engine()
        self._store = wasmtime.Store(engine)
        instance = wasmtime.Instance(self._store, wasmtime.Module(engine, module.code), [])
        self._exports: Any = instance.exports(self._store)
        self._exports["memory"].write(self._store, module.image, self.manifest["table"])

    def _bytes(self, address: int, size: int) -> bytes:
        return bytes(self._exports["memory"].read(self._store, address, address + size))

    def word(self, name: str) -> int:
        word = self.manifest["table"] + 8 * self.manifest["arguments"][name]["word"]
        return int.from_bytes(self._bytes(word, 8), "little", signed=True)

    def array(self, name: str) -> np.ndarray:
        """An array, where its word says that it lies now."""
        its = self.manifest["arguments"][name]
        size = int(np.prod(its["shape"])) * np.dtype(its["dtype"]).itemsize
        return np.frombuffer(self._bytes(self.word(name), size), its["dtype"]).reshape(its["shape"])

    def fly(self, steps: int) -> int:
        word = self.manifest["table"] + 8 * self.manifest["arguments"]["asked"]["word"]
        self._exports["memory"].write(self._store, steps.to_bytes(8, "little"), word)
        return int(self._exports["fly"](self._store, self.manifest["table"]))

    def positions(self) -> np.ndarray:
        """(boids, dims): in id order."""
        count = sum(flock["count"] for flock in self.manifest["flocks"])
        dims = self.manifest["dims"]
        found = np.empty((count, dims), self.array("now").dtype)
        found[self.array("ids")[:count]] = self.array("now")[:dims, :count].T
        return found

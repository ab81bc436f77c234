"""Batch: values that pages set one after another, as by dragging a slider, applied together."""

from __future__ import annotations

import threading
from concurrent.futures import Future
from typing import Any

from murmurate.errors import ModelError
from murmurate.live_view.controller import Controller
from murmurate.live_view.messages import Set
from murmurate.live_view.playback_controller import PlaybackController

Reply = Future[dict[str, Any]]


class Batch:
    """Messages that set values, until the simulation gets to them; each has its own reply."""

    def __init__(
        self, controller: Controller | PlaybackController, message: Set, reply: Reply
    ) -> None:
        self._controller = controller
        self._messages = [(message, reply)]
        self._lock = threading.Lock()
        self._closed = False

    def add(self, message: Set, reply: Reply) -> bool:
        """One more; False if it is too late."""
        with self._lock:
            if not self._closed:
                self._messages.append((message, reply))
            return not self._closed

    def apply(self) -> None:
        """Sets the values, in the simulation's thread: together, and one by one if that fails, so
        that a bad one spoils no other."""
        with self._lock:
            self._closed = True
        together: dict[str, Any] = {}
        for message, _ in self._messages:
            for path, value in message.values.items():
                together.pop(path, None)
                together[path] = value
        try:
            self._controller.set(together)
        except Exception as error:
            if len(self._messages) == 1 or not isinstance(error, ModelError):
                for _, reply in self._messages:
                    reply.set_exception(error)
                return
        else:
            for _, reply in self._messages:
                reply.set_result({"compiling": self._controller.busy})
            return
        for message, reply in self._messages:
            try:
                self._controller.set(message.values)
            except Exception as error:
                reply.set_exception(error)
            else:
                reply.set_result({"compiling": self._controller.busy})

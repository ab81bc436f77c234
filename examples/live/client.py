"""A client of the live view: frames as numpy arrays; numbers, commands and predators to the flock.

    murmurate watch starlings --no-open          prints an address with a token
    python examples/live/client.py ADDRESS       prints what comes

Copy this file into your program. It needs numpy and websockets.
"""

import json
import struct
import sys
from dataclasses import dataclass

import numpy as np
from websockets.sync.client import connect

WIRE = 1  # the version before the point that this client reads
CHANGING, RGB = 2, 8  # flags of frames
COMMAND, SOME = 0x43524D46, 1


class FlockError(Exception):
    """The live view refused a message, or ended the connection."""


@dataclass
class Frame:
    step: int
    time: float
    flocks: dict[str, slice]  # the rows of each flock
    positions: np.ndarray  # (N, D), length units
    velocities: np.ndarray  # (N, D), length units per time unit
    rgb: np.ndarray | None  # (N, 3) uint8
    indices: np.ndarray | None  # (N,) of each boid in its flock, if boids join and leave


class Flock:
    """A connection. `scene` is the header: flocks, space, model, values, and the wire's version."""

    def __init__(self, address: str, rgb: bool = False) -> None:
        url = address.replace("http", "ws", 1).replace("/?", "/ws?") + f"&wire={WIRE}&rgb={rgb:d}"
        self._socket = connect(url, max_size=None, compression=None).__enter__()
        self.scene, self._newest, self._id = {}, None, 0
        while not self.scene:
            self._read()

    def frame(self) -> Frame:
        """Return the next frame. Those that come while you compute are skipped, not queued."""
        while self._newest is None:
            self._read()
        data, self._newest = self._newest, None
        self._socket.send('{"type":"credit"}')  # for one more frame
        return self._decode(data)

    def set(self, values: dict) -> None:
        """Change numbers of the model: {"rules.cohesion.weight": 0.05}."""
        self.request("set", values=values)

    def place_predator(self, position) -> None:
        """Add a predator; the first one brings the rules by which it hunts and others flee."""
        self.request("place", position=list(position))

    def command(self, flock: str, vectors, boids=None) -> int:
        """Command all boids of a flock, or those with some indices, and return the step after which
        the commands hold. The model needs a rule of kind `command`. None ends all commands."""
        dims, self._id, flags = self.scene["dims"], self._id + 1, 0 if boids is None else SOME
        rows = np.zeros((0, dims)) if vectors is None else np.asarray(vectors, "<f4")
        head = COMMAND, WIRE, dims, self._id, len(rows), flags, len(flock)
        name = flock.encode().ljust(-(-len(flock) // 4) * 4, b"\0")
        some = b"" if boids is None else struct.pack(f"<{len(boids)}I", *boids)
        self._socket.send(struct.pack("<IHHIIHH", *head) + name + some + rows.tobytes())
        return self._reply()["step"]

    def request(self, type: str, **fields) -> dict:
        """Send a message and return the reply. Raises FlockError if it is refused."""
        self._id += 1
        self._socket.send(json.dumps({"type": type, "id": self._id, **fields}))
        return self._reply()

    def close(self) -> None:
        self._socket.close()

    def _reply(self) -> dict:
        while (reply := self._read())["type"] != "reply" or reply["to"] not in (self._id, None):
            pass
        if not reply["ok"]:
            raise FlockError(reply["error"])
        return reply

    def _read(self) -> dict:
        """Read a message; keep the newest frame and scene."""
        data = self._socket.recv()
        if isinstance(data, bytes):
            self._newest = data
            return {"type": "frame"}
        message = json.loads(data)
        if message["type"] == "bye":
            raise FlockError(message["reason"])
        if message["type"] == "scene":
            self.scene, wire = message, message["wire"]
            self._head, self._boid = (np.dtype([*map(tuple, wire[k])]) for k in ("frame", "boid"))
        return message

    def _decode(self, data: bytes) -> Frame:
        head = np.frombuffer(data, self._head, 1)[0]
        count, dims, flags = int(head["count"]), int(head["dims"]), int(head["flags"])
        boids = np.frombuffer(data, self._boid, count, self._head.itemsize)
        positions = head["lower"] + (boids["position"] + 0.5) / 65536 * head["side"]
        heading = boids["heading"] / np.float32(127)
        heading /= np.maximum(np.linalg.norm(heading, axis=1, keepdims=True), 1e-9)
        velocities = heading * (boids["speed"] / np.float32(65535) * head["fastest"])[:, None]
        counts, indices = [flock["count"] for flock in self.scene["flocks"]], None
        if flags & CHANGING:  # numbers of boids, present and ever, of each flock
            end = self._head.itemsize + self._boid.itemsize * count
            counts = np.frombuffer(data, "<u4", 2 * int(head["flocks"]), end)[::2].tolist()
            indices = np.frombuffer(data, "<u4", count, end + 8 * len(counts))
        rgb = np.frombuffer(data, "u1")[len(data) - 3 * count :] if flags & RGB else None
        flocks, first = {}, 0
        for flock, number in zip(self.scene["flocks"], counts, strict=True):
            flocks[flock["name"]], first = slice(first, first + number), first + number
        return Frame(
            int(head["step"]), float(head["time"]), flocks, positions[:, :dims],
            velocities[:, :dims], None if rgb is None else rgb.reshape(-1, 3), indices,
        )  # fmt: skip


if __name__ == "__main__":
    watched = Flock(sys.argv[1])
    print(f"{watched.scene['title']}, wire {watched.scene['wire']['version']}")
    while True:
        frame = watched.frame()
        print(f"step {frame.step}: {len(frame.positions)} boids around", frame.positions.mean(0))

"""Two machines on this one, with a slow network between them that loses packets (Linux, as root).

Each machine is a network namespace with a Ray node of one core. A thread of this process carries
packets from one to the other: late, and not all of them. The machines share the cores of this one.

    python benchmarks/slow_link.py BOIDS STEPS     what a machine runs: prints seconds and a digest
"""

from __future__ import annotations

import hashlib
import heapq
import json
import os
import random
import select
import shutil
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

ADDRESSES = ("10.77.0.1", "10.77.0.2")
PORT = 6379
TUN = Path("/dev/net/tun")
TOOLS = ("ip", "nsenter", "unshare", "ray")
SET_INTERFACE, WITHOUT_HEADER, MAX_PACKET = 0x400454CA, 0x1001, 65_536  # of linux/if_tun.h
LIMIT = 120.0
"""Seconds after which a node of Ray is taken to hang."""


def missing() -> str | None:
    """Return why there can be no namespaces here, or None."""
    if not sys.platform.startswith("linux") or os.geteuid():
        return "network namespaces need Linux, and root"
    if tools := [tool for tool in TOOLS if _find(tool) is None]:
        return f"not installed: {', '.join(tools)}"
    try:
        os.close(os.open(TUN, os.O_RDWR))
    except OSError as error:
        return f"{TUN}: {error.strerror}"
    created = subprocess.run(["unshare", "--net", "true"], capture_output=True, text=True)
    return None if created.returncode == 0 else created.stderr.strip()


def _find(tool: str) -> str | None:
    """Return the path of a program, which may be that of this Python's environment."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    return shutil.which(tool, path=path)


class Link(threading.Thread):
    """Carries packets between two devices until `close`.

    delay  seconds of each packet
    loss   probability that a packet is lost
    carried, lost  numbers of packets so far
    busy           processor seconds of this thread so far
    """

    def __init__(self, devices: tuple[int, int], delay: float, loss: float, seed: int) -> None:
        super().__init__(daemon=True)
        self._other = dict(zip(devices, reversed(devices), strict=True))
        self.delay, self.loss = delay, loss
        self.carried = self.lost = 0
        self.busy = 0.0
        self._random = random.Random(seed)
        self._waiting: list[tuple[float, int, int, bytes]] = []
        self._closed = False

    def run(self) -> None:
        poll = select.poll()
        for device in self._other:
            poll.register(device, select.POLLIN)
        while not self._closed:
            self.busy = time.thread_time()
            wait = self._waiting[0][0] - time.monotonic() if self._waiting else 0.1
            for device, _ in poll.poll(max(0.0, 1000.0 * wait)):
                self._take(device)
            while self._waiting and self._waiting[0][0] <= time.monotonic():
                _, _, device, packet = heapq.heappop(self._waiting)
                os.write(device, packet)

    def _take(self, device: int) -> None:
        packet = os.read(device, MAX_PACKET)
        self.carried += 1
        if self._random.random() < self.loss:
            self.lost += 1
            return
        due = time.monotonic() + self.delay
        heapq.heappush(self._waiting, (due, self.carried, self._other[device], packet))

    def close(self) -> None:
        self._closed = True
        self.join()


class TwoMachines:
    """Two namespaces, their link, and the commands that run in them."""

    def __init__(self, namespaces: list[int], link: Link) -> None:
        self._namespaces, self.link = namespaces, link

    def command(self, machine: int, *command: str) -> list[str]:
        """Return a command that runs another one on a machine."""
        program = _find(command[0]) or command[0]
        return ["nsenter", "-t", str(self._namespaces[machine]), "-n", program, *command[1:]]

    def steps(self, boids: int, steps: int) -> dict[str, Any]:
        """Run steps of the standard flock on a worker of each machine; the driver is on the first.

        Returns the 'seconds' of each step, and a 'digest' of the last state.
        """
        command = self.command(0, sys.executable, __file__, str(boids), str(steps))
        ran = subprocess.run(command, env=_environment(), capture_output=True, text=True)
        if ran.returncode:
            raise RuntimeError(ran.stderr)
        result: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
        return result


def _environment() -> dict[str, str]:
    """Return the environment of all processes; nothing else can reach this cluster."""
    path = os.pathsep.join(p for p in sys.path if p)
    return {**os.environ, "RAY_USAGE_STATS_ENABLED": "0", "PYTHONPATH": path,
            "RAY_ADDRESS": f"{ADDRESSES[0]}:{PORT}", "RAY_AUTH_MODE": "disabled"}  # fmt: skip


@contextmanager
def two_machines(folder: Path) -> Iterator[TwoMachines]:
    """Two machines with a Ray cluster, whose `link` is fast and reliable until it is changed.

    folder  for the files of Ray; of a short name, since it contains sockets
    """
    with ExitStack() as stack:
        idle = ("unshare", "--net", "sh", "-c", "echo; exec sleep infinity")
        namespaces = [_started(stack, *idle) for _ in ADDRESSES]
        devices = [_device(stack, pid, k) for k, pid in enumerate(namespaces)]
        link = Link((devices[0], devices[1]), 0.0, 0.0, seed=1)
        link.start()
        stack.callback(link.close)
        machines = TwoMachines(namespaces, link)
        node = ("--num-cpus=1", "--block", "--disable-usage-stats")
        head = ("--head", f"--port={PORT}", "--include-dashboard=false", f"--temp-dir={folder}")
        address = f"--address={ADDRESSES[0]}:{PORT}"
        for k, options in enumerate((head, (address,))):
            ip = f"--node-ip-address={ADDRESSES[k]}"
            _started(stack, *machines.command(k, "ray", "start", *options, ip, *node))
        yield machines


def _device(stack: ExitStack, namespace: int, index: int) -> int:
    """Return the file of a network device, and move the device to a namespace."""
    device = os.open(TUN, os.O_RDWR)
    stack.callback(os.close, device)
    import fcntl

    name = f"mm{os.getpid() % 10**8}{'ab'[index]}"
    fcntl.ioctl(device, SET_INTERFACE, struct.pack("16sH22x", name.encode(), WITHOUT_HEADER))
    inside = ["nsenter", "-t", str(namespace), "-n", "ip"]
    for command in (
        ["ip", "link", "set", name, "netns", str(namespace)],
        [*inside, "address", "add", f"{ADDRESSES[index]}/24", "dev", name],
        [*inside, "link", "set", name, "up"],
        [*inside, "link", "set", "lo", "up"],
    ):
        subprocess.run(command, check=True)
    return device


def _started(stack: ExitStack, *command: str) -> int:
    """Start a process, wait until it prints that it is ready, and return its id."""
    process = subprocess.Popen(
        command, env=_environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert process.stdout is not None

    def end() -> None:
        process.terminate()
        try:
            process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            process.kill()
        process.stdout.close()

    stack.callback(end)
    printed = []
    for line in process.stdout:
        printed.append(line)
        if "Ray runtime started" in line or (not line.strip() and command[0] == "unshare"):
            return process.pid
    raise RuntimeError("".join(printed))


def run_steps(boids: int, steps: int) -> dict[str, Any]:
    """Return seconds and digest of steps on two workers."""
    import murmurate as mm
    from murmurate.bench.flocks import uniform

    model = uniform(boids, 20)
    simulation = mm.Simulation(model, seed=1, engine=mm.Slabs(2), threads=1).step(2)
    seconds = []
    for _ in range(steps):
        begin = time.perf_counter()
        simulation.step(1)
        seconds.append(time.perf_counter() - begin)
    return {"seconds": seconds, "digest": digest(simulation)}


def digest(simulation: Any) -> str:
    """Return a digest of positions and velocities."""
    flock = simulation.frame.main
    return hashlib.sha256(flock.positions.tobytes() + flock.velocities.tobytes()).hexdigest()


if __name__ == "__main__":
    print(json.dumps(run_steps(int(sys.argv[1]), int(sys.argv[2]))))

"""Simulate the messages of engine 'slabs': who sends what to whom in a step, and who waits.

The protocol is that of the engine: its Coordinator runs here unchanged. Its executor is simulated:
workers have no boids, only numbers of boids and the time that a method takes. Time advances by
events: a thread ends its work, or a message arrives.

    driver: main thread -> sender ----- network -----> receiver -> main thread :worker
            main thread <- receiver <-- network ------ sender   <-'

Threads of a machine share its cores equally. A call waits at the driver until its arguments are
ready, as in Ray; small results travel with the reply to the driver and on with the next call, large
ones from worker to worker, by the object store of their machine, which serves one at a time.
"""

from __future__ import annotations

import math
import pickle
import random
import time
from collections import Counter, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from discrete_events import Cores, Events, Process, Thread

from murmurate.bench.flocks import SPEED, uniform
from murmurate.engines.cpu.model_kernels import layout_and_source
from murmurate.engines.initial_state import initial_state
from murmurate.engines.options import RunOptions
from murmurate.engines.slabs.boids import BOID_ARRAYS, select_boids
from murmurate.engines.slabs.coordinator import Coordinator
from murmurate.engines.slabs.decomposition import balance
from murmurate.model.model import Model

METHODS = (
    "count_per_layer", "remove_leaving", "receive_boids", "copy_layers", "compute_stage",
    "finish_stage", "place_halo",
)  # fmt: skip
"""Methods of a worker whose work was measured. The last is a part of `compute_stage`."""
PLAIN = (int, str, tuple, list, type(None))
PARALLEL = ("receive_boids", "compute_stage")
"""Methods whose work threads divide; one thread does that of the others."""
INLINE = 100 * 1024
"""Bytes up to which Ray sends a result with the reply: `max_direct_call_object_size`."""
PACKET, WINDOW = 1448, 20
"""Bytes of a packet of TCP, and packets that it sends before it waits for a reply: 10 on a new
connection, more on one that has sent much."""
RETRY = 0.2
"""Seconds that TCP waits for the reply to a lost packet if no packet follows it."""


@dataclass(frozen=True)
class Work:
    """Processor seconds of a method: `call`, and `boid` for each of its boids.

    sizes, boid  boids of a worker, and seconds per boid at these sizes
    """

    call: float = 0.0
    sizes: Sequence[float] = (1.0,)
    boid: Sequence[float] = (0.0,)

    def per_boid(self, boids: float) -> float:
        """Return the seconds per boid of a worker with some boids."""
        return float(np.interp(math.log(max(boids, 1.0)), np.log(self.sizes), self.boid))


@dataclass(frozen=True)
class Costs:
    """Measured constants, in seconds.

    work             method -> its work on one core
    halo_boid        work of `place_halo` for each boid of the halo, besides its own
    crowd            how much longer work takes while all cores of a machine work
    submit, get      main thread of the driver: for a call, and for a result that it fetches
    send, receive    another thread of driver and of worker: for each message
    serve            main thread of a worker: for a call, besides its work
    part             for each further result of a call
    argument         for an object among the arguments, at both ends
    resolve          of the driver's other thread: for a call that waits for results of others
    pack             for a result with boids: each time it is written or read
    latency          of a message between processes of one machine, while all threads are idle
    byte             of an argument or result that travels with a message
    stored           for a large result that is stored and read by another worker
    stored_byte      for each of its bytes
    """

    work: dict[str, Work] = field(default_factory=dict)
    halo_boid: float = 0.0
    crowd: float = 1.0
    submit: float = 0.0
    get: float = 0.0
    send: float = 0.0
    receive: float = 0.0
    serve: float = 0.0
    part: float = 0.0
    argument: float = 0.0
    resolve: float = 0.0
    pack: float = 0.0
    latency: float = 0.0
    byte: float = 0.0
    stored: float = 0.0
    stored_byte: float = 0.0


@dataclass(frozen=True)
class Cluster:
    """The machines of a simulated run.

    cores     of each machine
    machines  of the workers, worker w on machine w % machines; the driver is on the first
    threads   of each worker
    shared    whether the machines are namespaces of one, whose cores all of them share
    delay     seconds of a message from machine to machine, besides `latency`
    gbit      Gbit/s that a machine sends
    loss      probability that a packet between machines is lost
    """

    cores: int = 2
    machines: int = 1
    threads: int = 1
    shared: bool = False
    delay: float = 0.0
    gbit: float = math.inf
    loss: float = 0.0


# --- workers without boids


@dataclass(eq=False)
class Future:
    """A result: its value is known at once, the driver gets it later.

    size   bytes
    boids  number of boids in it, None if it is something else
    owner  the worker that stores it, if it is large
    """

    value: Any = None
    size: float = 0.0
    boids: float | None = None
    owner: Process | None = None
    ready: bool = False


@dataclass
class Reply:
    """What a method returns: futures of its results, the seconds that it took, and those of Ray for
    its arguments and results."""

    results: list[Future]
    seconds: float
    overhead: float = 0.0


class UniformWorker:
    """A worker of a uniform flock, which counts boids in place of holding them.

    near  number of workers of its machine
    """

    def __init__(
        self, flock: UniformFlock, costs: Costs, threads: int, index: int, workers: int, near: int
    ) -> None:
        self.flock, self.costs, self.threads, self.near = flock, costs, threads, near
        self.index, self.first, self.last = index, 0, 0
        self.boids = flock.boids / workers
        self._scattered = True  # until the first step, each holds boids of all layers

    def _reply(self, method: str, boids: float, *results: Future, extra: float = 0.0) -> Reply:
        work = self.costs.work.get(method, Work())
        each = work.per_boid(boids * self.near)  # they share the machine's caches
        parallel = boids * each if method in PARALLEL else 0.0
        serial = work.call + boids * each - parallel + extra
        crowd = self.costs.crowd if self.threads > 1 else 1.0
        return Reply(list(results), serial + parallel * crowd / self.threads)

    def count_per_layer(self, grid: Any) -> Reply:
        layers = self.flock.set_grid(grid)
        present = np.zeros(layers)
        if self._scattered and self.flock.edges:
            self.first, self.last = self.flock.edges[self.index : self.index + 2]
            self.boids, self._scattered = self.flock.per_layer * (self.last - self.first), False
        if self._scattered:
            present[:] = self.boids / layers
        elif self.first < self.last:
            present[self.first : self.last] = self.flock.per_layer
            if self.boids < self.flock.boids:
                for edge, beyond in ((self.first, self.first - 1), (self.last - 1, self.last)):
                    present[edge] -= self.flock.crossing
                    present[beyond % layers] += self.flock.crossing
        self.present = present
        found = np.flatnonzero(present)
        span = (int(found[0]), int(found[-1]) + 1) if len(found) else (0, 0)
        value = (np.rint(present).astype(np.int64), *span)
        return self._reply("count_per_layer", self.boids, Future(value, 8.0 * layers))

    def remove_leaving(self, slabs: Any, worker: int, owners: Sequence[int]) -> Reply:
        self.first, self.last = slabs.edges[worker], slabs.edges[worker + 1]
        before, self._scattered = self.boids, False
        leaving = [float(self.present[slabs.edges[w] : slabs.edges[w + 1]].sum()) for w in owners]
        parts = [Future(None, n * self.flock.boid_bytes, n) for n in leaving]
        self.boids -= sum(leaving)
        return self._reply("remove_leaving", before, *parts)

    def receive_boids(self, *arrivals: Future) -> Reply:
        self.boids += sum(part.boids or 0.0 for part in arrivals)
        return self._reply("receive_boids", self.boids, Future(0.0, 8.0))

    def copy_layers(self, first: int, last: int, image: int, send_identities: bool) -> Reply:
        flock, layers = self.flock, last - first
        boids = layers * flock.per_layer
        size = boids * flock.halo_bytes + layers * flock.cells_per_layer * 4
        return self._reply("copy_layers", boids, Future(None, size, boids))

    def compute_stage(
        self, step: int, stage: int, widths: Any, ungridded: Any, totals: Any, *halo: Future
    ) -> Reply:
        place = self._reply("place_halo", self.boids).seconds
        extra = place + self.costs.halo_boid * sum(part.boids or 0.0 for part in halo)
        return self._reply("compute_stage", self.boids, Future(0, 8.0), extra=extra)

    def finish_stage(self) -> Reply:
        return self._reply("finish_stage", self.boids, Future(None, 8.0))

    def compile(self) -> Reply:
        return Reply([Future(None, 8.0)], 0.0)


class UniformFlock:
    """Numbers of the standard flock: bytes and boids of layers.

    workers                 whose slabs hold their boids from the start; 0: boids are anywhere
    boid_bytes, halo_bytes  of a boid that moves to another worker, and of one in a halo
    crossing                boids that cross the face of a layer in one direction, in a step
    """

    def __init__(self, model: Model, dtype: str, workers: int = 0) -> None:
        self._workers, self.edges = workers, tuple[int, ...]()
        self.model, self.boids = model, float(sum(model.max_counts.values()))
        few = uniform(1000, 20)
        layout, _ = layout_and_source(few, few.max_counts, dtype)
        boid = select_boids(layout, initial_state(few, 1), dtype, gridded=True, shares=1000)
        self.boid_bytes = sum(getattr(boid, name).nbytes for name in BOID_ARRAYS)
        self.halo_bytes = boid.state.nbytes + boid.ids.nbytes + boid.flock_index.nbytes
        self.per_layer = self.crossing = 0.0
        self.cells_per_layer = 0

    def set_grid(self, grid: Any) -> int:
        """Set the grid of a step; return its number of layers. The axis across layers is z."""
        nx, ny, layers = (int(n) for n in grid.shape[:3])
        self.cells_per_layer, self.per_layer = nx * ny, self.boids / layers
        if self._workers and not self.edges:
            self.edges = balance(np.full(layers, round(self.per_layer)), self._workers).edges
        spread = SPEED / 2.0  # standard deviation of velocities on an axis
        share = spread * self.model.dt / math.sqrt(2.0 * math.pi) / float(grid.size[2])
        self.crossing = self.per_layer * share
        return layers


# --- the executor


class SimulatedExecutor:
    """An executor of `murmurate.engines.slabs`, which the Coordinator cannot tell from Ray's.

    clock  returns the processor time of this thread: what the Coordinator itself takes is added to
           the driver's
    calls  (worker or None, method) -> number of calls so far
    """

    def __init__(
        self, flock: UniformFlock, costs: Costs, cluster: Cluster, seed: int = 1,
        clock: Callable[[], float] = time.thread_time,
    ) -> None:  # fmt: skip
        self.flock, self.costs, self.cluster, self._clock = flock, costs, cluster, clock
        self.events, self._random = Events(), random.Random(seed)
        pools = [Cores(self.events, cluster.cores, costs.crowd) for _ in range(cluster.machines)]
        self._cores = [pools[0]] * cluster.machines if cluster.shared else pools
        self._stores = [Thread(self.events, cores) for cores in self._cores]
        self._cards = [Thread(self.events, None) for _ in range(cluster.machines)]
        self._sent = [0] * cluster.machines  # messages that are on their way
        self.driver = self._process(0)
        self._processes: dict[Any, Process] = {}
        self._queues: dict[Any, deque[tuple[list[Future], Callable[[], None]]]] = {}
        self._blocked: dict[int, list[Any]] = {}  # future -> workers whose next call needs it
        self.calls: Counter[str] = Counter()
        self.bytes: Counter[str] = Counter()
        self._left = clock()

    def _process(self, machine: int) -> Process:
        return Process(self.events, self._cores[machine], machine)

    def share_cores(self, options: RunOptions, workers: int | None) -> tuple[RunOptions, int]:
        self.workers = workers or self.cluster.machines
        return options, self.workers

    def start(self, cls: type[Any], *args: Any, reserve_cores: bool = True) -> Any:
        index = len(self._processes)
        near = -(-self.workers // (1 if self.cluster.shared else self.cluster.machines))
        worker = UniformWorker(
            self.flock, self.costs, self.cluster.threads, index, self.workers, near
        )
        self._processes[worker] = self._process(index % self.cluster.machines)
        self._queues[worker] = deque()
        return worker

    def machine_of(self, worker: Any) -> str:
        return str(self._processes[worker].machine)

    def stop(self, workers: Sequence[Any]) -> None:
        pass

    def call(self, worker: Any, method: str, *args: Any) -> Any:
        return self.call_for_list(worker, method, 1, *args)[0]

    def call_for_list(self, worker: Any, method: str, length: int, *args: Any) -> list[Any]:
        own = self._clock() - self._left
        futures = [arg for arg in args if isinstance(arg, Future)]
        plain = [arg for arg in args if not isinstance(arg, Future)]
        reply: Reply = getattr(worker, method)(*args)
        assert len(reply.results) == length
        self.calls[method] += 1
        self.bytes[method] += sum(result.size for result in reply.results)
        objects = self.costs.argument * sum(not isinstance(arg, PLAIN) for arg in plain)
        boids = sum(future.boids is not None for future in (*futures, *reply.results))
        reply.overhead = objects + self.costs.pack * boids
        seconds = own + self.costs.submit + objects + self.costs.part * max(0, length - 1)
        sent = len(pickle.dumps((method, plain)))
        queue = self._queues[worker]

        def submit() -> None:
            queue.append((futures, lambda: self._send(worker, futures, sent, reply)))
            self._resolve(worker)

        self.driver.main.push(seconds, submit)
        self._left = self._clock()
        return reply.results

    def _resolve(self, worker: Any) -> None:
        """Send the calls of a worker whose arguments are ready, in their order."""
        queue = self._queues[worker]
        while queue:
            missing = next((f for f in queue[0][0] if not f.ready), None)
            if missing is not None:
                self._blocked.setdefault(id(missing), []).append(worker)
                return
            queue.popleft()[1]()

    def _send(self, worker: Any, futures: list[Future], sent: int, reply: Reply) -> None:
        """Send a call: the small ones of its arguments with it."""
        process, costs = self._processes[worker], self.costs
        resolve = costs.resolve if futures else 0.0
        inline = sent + sum(f.size for f in futures if f.owner is None)
        large = [f for f in futures if f.owner is not None]

        def arrived() -> None:
            self._pull(process, large, lambda: self._work(process, reply))

        self.driver.messages.push(
            costs.send + resolve + inline * costs.byte,
            lambda: self._transmit(self.driver, process, inline, arrived),
        )

    def _pull(self, process: Process, large: list[Future], then: Callable[[], None]) -> None:
        """Fetch large arguments from the workers that store them; then go on."""
        missing = len(large)
        if not missing:
            then()

        def arrived() -> None:
            nonlocal missing
            missing -= 1
            if not missing:
                then()

        for future in large:
            assert future.owner is not None
            self._transmit(future.owner, process, future.size, arrived, store=True)

    def _transmit(
        self, source: Process, target: Process, size: float, then: Callable[[], None],
        *, store: bool = False,
    ) -> None:  # fmt: skip
        """Move bytes from process to process: over the network if their machines differ."""
        costs, cluster = self.costs, self.cluster
        work = 0.0 if store else costs.receive + size * costs.byte
        after = costs.latency

        def receive() -> None:
            target.messages.push(work, then)

        if source.machine == target.machine:
            self.events.after(after, receive)
            return
        after += cluster.delay * (3.0 if store else 1.0)  # a request is sent first
        after += self._tcp(source.machine, math.ceil(size / PACKET))

        def arrive() -> None:
            self._sent[source.machine] -= 1
            receive()

        self._sent[source.machine] += 1
        self._cards[source.machine].push(
            size * 8e-9 / cluster.gbit, lambda: self.events.after(after, arrive)
        )

    def _tcp(self, machine: int, packets: int) -> float:
        """Return the seconds that TCP adds to a message: round trips until its window is as large
        as the message, and until lost packets are sent again.

        A loss is noticed by the reply to a later packet, or else after RETRY.
        """
        delay, loss = self.cluster.delay, self.cluster.loss
        seconds = 2.0 * delay * (math.ceil(math.log2(packets / WINDOW + 1.0)) - 1)
        for packet in range(packets if loss else 0):
            alone = packet == packets - 1 and not self._sent[machine]
            while self._random.random() < loss:
                seconds += 2.0 * delay + (RETRY if alone else 0.0)
        return max(seconds, 0.0)

    def _work(self, process: Process, reply: Reply) -> None:
        """Run a call on its worker, and send its results to the driver."""
        costs, small, stored = self.costs, 0.0, 0.0
        seconds = costs.serve + reply.overhead + reply.seconds
        for result in reply.results:
            if result.size <= INLINE:
                small += result.size
            else:
                result.owner = process
                stored += costs.stored + result.size * costs.stored_byte
        seconds += costs.part * max(0, len(reply.results) - 1)

        def received() -> None:
            for result in reply.results:
                result.ready = True
                for worker in self._blocked.pop(id(result), ()):
                    self._resolve(worker)

        def reply_sent() -> None:
            process.messages.push(
                costs.send + small * costs.byte,
                lambda: self._transmit(process, self.driver, small, received),
            )

        def worked() -> None:
            if stored:
                self._stores[process.machine].push(stored, reply_sent)
            else:
                reply_sent()

        process.main.push(seconds, worked)

    def fetch(self, futures: Sequence[Any]) -> list[Any]:
        self.driver.main.push(self._clock() - self._left)
        self.events.run_until(
            lambda: self.driver.main.idle and all(future.ready for future in futures)
        )
        self.driver.main.push(self.costs.get * len(futures))
        self.events.run_until(lambda: self.driver.main.idle)
        self._left = self._clock()
        return [future.value for future in futures]

    def busy(self) -> dict[str, float]:
        """Return the seconds of work of each kind so far: see `Prediction`."""
        return {
            "driver": max(self.driver.main.busy, self.driver.messages.busy),
            "worker": max(process.main.busy for process in self._processes.values()),
            "network": max(card.busy for card in self._cards),
        }


# --- runs


@dataclass(frozen=True)
class Prediction:
    """A simulated run.

    first  seconds of the first step, in which all boids move to their workers; 0 if left out
    step   seconds of a later step, the mean of some
    busy   seconds of work in it: of the 'driver' (its busier thread), of the busiest 'worker', and
           of the busiest 'network' card
    calls  calls of the driver in a later step, by method
    bytes  bytes of their results
    """

    first: float
    step: float
    busy: dict[str, float]
    calls: dict[str, int]
    bytes: dict[str, float]


def predict(
    boids: int, workers: int, costs: Costs, cluster: Cluster, *, steps: int = 1, seed: int = 1,
    clock: Callable[[], float] = time.thread_time, with_first: bool = False,
) -> Prediction:  # fmt: skip
    """Simulate steps of the standard flock of 20 neighbours."""
    model, options = uniform(boids, 20), RunOptions("slabs", seed=seed, threads=1)
    layout, text = layout_and_source(model, model.max_counts, options.dtype)
    flock = UniformFlock(model, options.dtype, 0 if with_first else workers)
    executor = SimulatedExecutor(flock, costs, cluster, seed, clock)
    coordinator = Coordinator(layout, text, options, workers, executor)
    begin = executor.events.now
    if with_first:
        coordinator.step(0)
    first = executor.events.now - begin
    before = executor.busy()
    executor.calls.clear()
    executor.bytes.clear()
    begin = executor.events.now
    for step in range(1, 1 + steps):
        coordinator.step(step)
    return Prediction(
        first, (executor.events.now - begin) / steps,
        {name: (s - before[name]) / steps for name, s in executor.busy().items()},
        {name: count // steps for name, count in executor.calls.items()},
        {name: size / steps for name, size in executor.bytes.items()},
    )  # fmt: skip

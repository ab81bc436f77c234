"""Handlers: what is done for each message of a page, between two steps of the simulation. Values
that are set are collected first; see batch.py."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

import numpy as np

from murmurate.errors import ModelError
from murmurate.live_view import messages as m
from murmurate.live_view.broadcast import Subscriber
from murmurate.live_view.drawing import draw
from murmurate.live_view.edits import FAR, Edit, edited, parts, point_of
from murmurate.live_view.limits import check_paths
from murmurate.live_view.predator import place_predator
from murmurate.live_view.removal import remove_boid
from murmurate.live_view.session import Session
from murmurate.live_view.shoo import Push
from murmurate.model.messages import unknown

Reply = dict[str, Any]


def handle(session: Session, client: Subscriber, message: m.Message) -> Future[Reply]:
    """Has done what a page asks for; when it is done, what the reply says beside ok. It fails with
    a MurmurateError where that cannot be done."""
    if isinstance(message, m.Set) and message.off is None:
        return session.set_values(message)
    handler = _HANDLERS[type(message)]
    return session.do(lambda: handler(session, client, message) or {})


def _play(session: Session, client: Subscriber, message: m.Play) -> None:
    _check_runs(session)
    session.controller.play()


def _check_runs(session: Session) -> None:
    if session.failure is not None and not session.busy:
        raise ModelError(f"it stopped, and must be restarted: {session.failure}")


def _pause(session: Session, client: Subscriber, message: m.Pause) -> None:
    session.flight.pause()


def _step(session: Session, client: Subscriber, message: m.Step) -> None:
    _check_runs(session)
    session.controller.step(message.steps)


def _restart(session: Session, client: Subscriber, message: m.Restart) -> Reply:
    session.restart(message.seed)
    return {"seed": session.controller.seed}


def _rate(session: Session, client: Subscriber, message: m.Rate) -> None:
    session.flight.set_rate(message.steps_per_second)


def _set(session: Session, client: Subscriber, message: m.Set) -> Reply:
    session.controller.set(message.values, message.off)
    return {"compiling": session.controller.busy}


def _switch(session: Session, client: Subscriber, message: m.Switch) -> None:
    session.controller.switch(message.rule, message.on)


def _reset(session: Session, client: Subscriber, message: m.Reset) -> Reply:
    session.controller.reset()
    session.clients.tell(session.scene())  # parts that were drawn are gone
    return {"compiling": session.controller.busy}


def _open(session: Session, client: Subscriber, message: m.Open) -> None:
    session.controller.check_editable(message.model)
    session.open(message.model)


def _choose(session: Session, client: Subscriber, message: m.Choose) -> None:
    if message.flock is None or message.boid is None:
        client.chosen = None
        return
    _check_boid(session, message.flock, message.boid)
    client.chosen = (message.flock, message.boid)
    session.observer.hurry()


def _extra(session: Session, client: Subscriber, message: m.Extra) -> None:
    client.neighbours = message.neighbours
    session.observer.hurry()


def _check_boid(session: Session, flock: str, boid: int) -> None:
    flocks = session.flight.simulation.model.flocks
    if flock not in flocks:
        raise ModelError(unknown("flock", flock, flocks))
    if boid >= flocks[flock].count:
        raise ModelError(f"boid {boid}: flock {flock!r} has boids 0 to {flocks[flock].count - 1}")


def _inside(session: Session, position: tuple[float, ...]) -> np.ndarray:
    """(D,) the point of the space that is nearest to a message's position."""
    space = session.flight.simulation.model.space
    if len(position) < space.dims:
        raise ModelError(f"position: {len(position)} numbers in a space of {space.dims} dimensions")
    point = np.array(position[: space.dims], float)
    lower, upper = np.array(space.lower), np.array(space.upper)
    for axis, boundary in enumerate(space.boundaries):
        if boundary == "open":
            far = FAR * max(space.size)
            middle = (lower[axis] + upper[axis]) / 2
            point[axis] = min(max(point[axis], middle - far), middle + far)
        elif boundary == "periodic":
            point[axis] = lower[axis] + (point[axis] - lower[axis]) % space.size[axis]
        else:
            point[axis] = min(max(point[axis], lower[axis]), upper[axis])
    return point


def _move(session: Session, client: Subscriber, message: m.Move) -> None:
    session.controller.check_editable(f"boid {message.boid}")
    _check_boid(session, message.flock, message.boid)
    simulation = session.flight.simulation
    positions = np.array(simulation.frame[message.flock].positions)
    positions[message.boid] = _inside(session, message.position)
    simulation.set_state(message.flock, positions)
    session.flight.touch()


def _shoo(session: Session, client: Subscriber, message: m.Shoo) -> None:
    if message.position is None:
        client.shoo = None
        return
    session.controller.check_editable("calling" if message.call else "shooing")
    space = session.flight.simulation.model.space
    radius = message.radius if message.radius is not None else 0.1 * max(space.size)
    position = _inside(session, message.position)
    client.shoo = Push(
        tuple(map(float, position)), min(radius, 2.0 * max(space.size)), -1 if message.call else 1
    )


def _draw(session: Session, client: Subscriber, message: m.Draw) -> Reply:
    session.controller.check_editable("drawing")
    simulation = session.flight.simulation
    return _edited(session, draw(session.controller.requested, simulation.frame, message.shape))


def _place(session: Session, client: Subscriber, message: m.Place) -> Reply:
    session.controller.check_editable("placing a predator")
    model, frame = session.controller.requested, session.flight.simulation.frame
    point_of(model, "position", message.position)
    place = tuple(map(float, _inside(session, message.position)))
    return _edited(session, place_predator(model, frame, place))


def _remove(session: Session, client: Subscriber, message: m.Remove) -> Reply:
    session.controller.check_editable(f"boid {message.boid}")
    _check_boid(session, message.flock, message.boid)
    return _edited(session, remove_boid(session.controller.requested, message.flock, message.boid))


def _edit(session: Session, client: Subscriber, message: m.Edit) -> Reply:
    for path in message.values:
        session.controller.check_editable(path)
    check_paths(message.values)
    values = {path: m.from_page(value) for path, value in message.values.items()}
    places = {
        flock: [tuple(map(float, _inside(session, point))) for point in points]
        for flock, points in message.places.items()
    }
    return _edited(session, Edit(values, places))


def _edited(session: Session, edit: Edit) -> Reply:
    """Parts of the model are drawn, taken away or put back; what changed, by path."""
    before, values = session.controller.requested, edit.values
    model = edited(before, values)
    session.controller.edit(model, edit)
    session.clients.tell(session.scene())
    if edit.notice:
        session.clients.notice(edit.notice, "drawing", level="info", sticky=False)
    old, new = parts(before, values), parts(model, values)
    return {
        "changed": {path: [old[path], new[path]] for path in values},
        "compiling": session.controller.busy,
    }


def _toml(session: Session, client: Subscriber, message: m.Toml) -> Reply:
    return {"toml": session.controller.toml()}


def _film(session: Session, client: Subscriber, message: m.Film) -> Reply:
    return {"job": session.jobs.film(message.steps, message.size)}


def _page(session: Session, client: Subscriber, message: m.Page) -> Reply:
    return {"job": session.jobs.page(message.frames)}


_HANDLERS: dict[type[m.Message], Callable[[Session, Subscriber, Any], Reply | None]] = {
    m.Play: _play,
    m.Pause: _pause,
    m.Step: _step,
    m.Restart: _restart,
    m.Rate: _rate,
    m.Set: _set,
    m.Switch: _switch,
    m.Reset: _reset,
    m.Open: _open,
    m.Choose: _choose,
    m.Extra: _extra,
    m.Move: _move,
    m.Shoo: _shoo,
    m.Draw: _draw,
    m.Place: _place,
    m.Remove: _remove,
    m.Edit: _edit,
    m.Toml: _toml,
    m.Film: _film,
    m.Page: _page,
}

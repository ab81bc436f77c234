"""What is done for each message of a page, but for values that are set (see batch.py). All of it in
the flight's thread, between two steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from murmurate.errors import ModelError
from murmurate.live import messages as m
from murmurate.live.playback_controller import Projector
from murmurate.model.files import to_toml
from murmurate.model.registry import unknown
from murmurate.runs.sources import text_of

if TYPE_CHECKING:
    from murmurate.live.client import Guest
    from murmurate.live.session import Session

Reply = dict[str, Any]
FAR = 20.0  # sides of the space that a boid may be dragged away from its middle


def answer(session: Session, guest: Guest, message: m.Message) -> Reply:
    """Does it, and returns what the reply says beside ok. Raises MurmurateError."""
    return _DO[type(message)](session, guest, message) or {}


def _play(session: Session, guest: Guest, message: m.Play) -> None:
    _check_flies(session)
    session.pilot.play()


def _check_flies(session: Session) -> None:
    if session.failure is not None and not session.busy:
        raise ModelError(f"it cannot fly on; begin anew with 'restart': {session.failure}")


def _pause(session: Session, guest: Guest, message: m.Pause) -> None:
    session.flight.pause()


def _step(session: Session, guest: Guest, message: m.Step) -> None:
    _check_flies(session)
    session.pilot.step(message.steps)


def _restart(session: Session, guest: Guest, message: m.Restart) -> Reply:
    session.pilot.restart(message.seed)
    session.observer.forget()
    session.frame = session.flight.simulation.frame
    return {"seed": session.pilot.seed}


def _rate(session: Session, guest: Guest, message: m.Rate) -> None:
    session.flight.keep_pace(message.steps_per_second)


def _check_changes(session: Session, what: str) -> None:
    """Raises ModelError where a recording is shown: nothing in it can be changed."""
    if isinstance(session.pilot, Projector):
        raise session.pilot.refusal(what)


def _switch(session: Session, guest: Guest, message: m.Switch) -> None:
    session.pilot.switch(message.rule, message.on)


def _reset(session: Session, guest: Guest, message: m.Reset) -> Reply:
    session.pilot.reset()
    return {"compiling": session.pilot.busy}


def _open(session: Session, guest: Guest, message: m.Open) -> None:
    _check_changes(session, message.model)
    model = session.model_named(message.model)
    session.pilot.open(model)
    if session.following:
        session.following.only_if(model is session.home)


def _choose(session: Session, guest: Guest, message: m.Choose) -> None:
    if message.flock is None or message.boid is None:
        guest.chosen = None
        return
    _check(session, message.flock, message.boid)
    guest.chosen = (message.flock, message.boid)
    session.observer.look()


def _extra(session: Session, guest: Guest, message: m.Extra) -> None:
    guest.neighbours = message.neighbours
    session.observer.look()


def _check(session: Session, flock: str, boid: int) -> None:
    flocks = session.flight.simulation.model.flocks
    if flock not in flocks:
        raise ModelError(unknown("flock", flock, flocks))
    if boid >= flocks[flock].count:
        raise ModelError(f"boid {boid}: flock {flock!r} has boids 0 to {flocks[flock].count - 1}")


def _place(session: Session, position: tuple[float, ...]) -> np.ndarray:
    """A place of a message, in the space: brought to its nearest allowed point."""
    space = session.flight.simulation.model.space
    if len(position) < space.dims:
        raise ModelError(f"position: {len(position)} numbers in a space of {space.dims} dimensions")
    place = np.array(position[: space.dims], float)
    lower, upper = np.array(space.lower), np.array(space.upper)
    for axis, boundary in enumerate(space.boundaries):
        if boundary == "open":
            far = FAR * max(space.size)
            middle = (lower[axis] + upper[axis]) / 2
            place[axis] = min(max(place[axis], middle - far), middle + far)
        elif boundary != "periodic":
            place[axis] = min(max(place[axis], lower[axis]), upper[axis])
    return place


def _move(session: Session, guest: Guest, message: m.Move) -> None:
    _check_changes(session, f"boid {message.boid}")
    _check(session, message.flock, message.boid)
    place = _place(session, message.position)
    simulation = session.flight.simulation
    positions = np.array(simulation.frame[message.flock].positions)
    positions[message.boid] = place
    simulation.set_state(message.flock, positions)
    session.flight.touch()


def _shoo(session: Session, guest: Guest, message: m.Shoo) -> None:
    if message.position is None:
        guest.shoo = None
        return
    _check_changes(session, "shooing")
    space = session.flight.simulation.model.space
    radius = message.radius if message.radius is not None else 0.1 * max(space.size)
    place = _place(session, message.position)
    guest.shoo = tuple(map(float, place)), min(radius, 2.0 * max(space.size))


def _toml(session: Session, guest: Guest, message: m.Toml) -> Reply:
    if isinstance(session.pilot, Projector):
        return {"toml": text_of(session.pilot.playback)}
    return {"toml": to_toml(session.pilot.wanted)}


def _film(session: Session, guest: Guest, message: m.Film) -> None:
    session.making.film(message.steps, message.size)


def _page(session: Session, guest: Guest, message: m.Page) -> None:
    session.making.page(message.frames)


_DO: dict[type[m.Message], Callable[[Session, Guest, Any], Reply | None]] = {
    m.Play: _play,
    m.Pause: _pause,
    m.Step: _step,
    m.Restart: _restart,
    m.Rate: _rate,
    m.Switch: _switch,
    m.Reset: _reset,
    m.Open: _open,
    m.Choose: _choose,
    m.Extra: _extra,
    m.Move: _move,
    m.Shoo: _shoo,
    m.Toml: _toml,
    m.Film: _film,
    m.Page: _page,
}

"""Handlers: carry out each message of a page, between two steps of the simulation. The session
collects values that are set, and sets them together."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any

import numpy as np

from murmurate.errors import ModelError
from murmurate.live_view import messages as m
from murmurate.live_view.broadcast import PointerForce, Subscriber
from murmurate.live_view.drawing import add_predator, add_shape, remove_boid, sample_edit
from murmurate.live_view.edits import (
    MAX_OFFSET,
    ModelEdit,
    check_paths,
    values_at,
    wrap_point,
)
from murmurate.live_view.server_messages import ReplyFields
from murmurate.live_view.session import Session
from murmurate.model.messages import format_unknown
from murmurate.model.population import first_ids
from murmurate.runs.drawn_rules import apply_values
from murmurate.show import scene

MAX_POINTER_RADIUS = 2.0  # longest sides of the space

Reply = ReplyFields


def handle(session: Session, page: Subscriber, message: m.Request) -> Future[Reply]:
    """Handle a page's request. The future resolves to the extra fields of the reply, or fails with
    a MurmurateError."""
    if isinstance(message, m.Set) and message.off is None:
        return session.set_values(message)
    handler = _HANDLERS[type(message)]
    return session.submit(lambda: handler(session, page, message) or {})


# --- running


def _play(session: Session, page: Subscriber, message: m.Play) -> None:
    _check_running(session)
    session.controller.play()


def _check_running(session: Session) -> None:
    if session.failure is not None and not session.busy:
        raise ModelError(f"the simulation stopped and must be restarted: {session.failure}")


def _pause(session: Session, page: Subscriber, message: m.Pause) -> None:
    session.runner.pause()


def _step(session: Session, page: Subscriber, message: m.Step) -> None:
    _check_running(session)
    session.controller.step(message.steps)


def _restart(session: Session, page: Subscriber, message: m.Restart) -> Reply:
    session.restart(message.seed)
    return {"seed": session.controller.seed}


def _rate(session: Session, page: Subscriber, message: m.Rate) -> None:
    session.runner.set_rate(message.steps_per_second)


# --- the model


def _set(session: Session, page: Subscriber, message: m.Set) -> Reply:
    session.controller.set(message.values, message.off)
    return {"compiling": session.controller.busy}


def _switch(session: Session, page: Subscriber, message: m.Switch) -> None:
    session.controller.switch(message.rule, message.on)


def _reset(session: Session, page: Subscriber, message: m.Reset) -> Reply:
    session.controller.reset()
    session.pages.send(session.scene())  # without drawn parts
    return {"compiling": session.controller.busy}


def _open(session: Session, page: Subscriber, message: m.Open) -> None:
    session.controller.check_editable(message.model)
    session.open(message.model)


def _draw(session: Session, page: Subscriber, message: m.Draw) -> Reply:
    session.controller.check_editable("drawing")
    model, frame = session.controller.requested, session.runner.simulation.frame
    return _apply_edit(session, add_shape(model, frame, message.shape))


def _prepare(session: Session, page: Subscriber, message: m.Prepare) -> None:
    session.controller.check_editable("drawing")
    model, frame = session.controller.requested, session.runner.simulation.frame
    with suppress(ModelError):  # reported when the part is drawn
        edit = sample_edit(model, frame, message.part)
        session.controller.compile_ahead(apply_values(model, edit.values))


def _place_predator(session: Session, page: Subscriber, message: m.PlacePredator) -> Reply:
    session.controller.check_editable("placing a predator")
    model, frame = session.controller.requested, session.runner.simulation.frame
    wrap_point(model, "position", message.position)
    position = tuple(map(float, _nearest_inside(session, message.position)))
    return _apply_edit(session, add_predator(model, frame, position))


def _remove(session: Session, page: Subscriber, message: m.Remove) -> Reply:
    session.controller.check_editable(f"boid {message.boid}")
    _check_boid(session, message.flock, message.boid)
    model = session.controller.requested
    if model.changes_numbers:
        raise ModelError(
            f"boid: got {message.boid} of flock {message.flock!r}, whose boids join and leave by "
            "[population]; expected a flock whose numbers are fixed. Add an exit or deaths"
        )
    return _apply_edit(session, remove_boid(model, message.flock, message.boid))


def _edit(session: Session, page: Subscriber, message: m.Edit) -> Reply:
    for path in message.values:
        session.controller.check_editable(path)
    check_paths(message.values)
    values = {path: m.decode_value(value) for path, value in message.values.items()}
    positions = {
        flock: [tuple(map(float, _nearest_inside(session, point))) for point in points]
        for flock, points in message.places.items()
    }
    return _apply_edit(session, ModelEdit(values, positions))


def _apply_edit(session: Session, edit: ModelEdit) -> Reply:
    """Edit the model. Return the old and new values by path."""
    before, values = session.controller.requested, edit.values
    model = apply_values(before, values)
    session.controller.edit(model, edit)
    session.pages.send(session.scene())
    if edit.notice:
        session.pages.notice(edit.notice, "drawing", level="info", sticky=False)
    old, new = values_at(before, values), values_at(model, values)
    return {
        "changed": {path: (old[path], new[path]) for path in values},
        "compiling": session.controller.busy,
    }


# --- boids


def _choose(session: Session, page: Subscriber, message: m.Choose) -> None:
    if message.flock is None or message.boid is None:
        page.chosen = None
        return
    _check_boid(session, message.flock, message.boid)
    page.chosen = (message.flock, message.boid)
    session.observer.refresh_now()


def _neighbour_counts(session: Session, page: Subscriber, message: m.NeighbourCounts) -> None:
    page.neighbours, page.number = message.neighbours, message.number
    session.feed.refresh()
    session.observer.refresh_now()


def _move(session: Session, page: Subscriber, message: m.Move) -> None:
    session.controller.check_editable(f"boid {message.boid}")
    row = _check_boid(session, message.flock, message.boid)
    simulation = session.runner.simulation
    positions = np.array(simulation.frame[message.flock].positions)
    positions[row] = _nearest_inside(session, message.position)
    simulation.set_state(message.flock, positions)
    session.runner.request_frame()


def _command(session: Session, page: Subscriber, message: m.Command) -> Reply:
    session.controller.check_editable("commands")
    simulation, flock = session.runner.simulation, message.flock
    controls: Any = message.vectors
    if message.boids is not None:
        frame = simulation.frame
        _check_boid(session, flock, int(message.boids.max(initial=0)))
        first = first_ids(simulation.model, {name: f.n_ever for name, f in frame.items()})[flock]
        controls = message.boids.astype(np.int64) + first, message.vectors
    simulation.step(0, controls={flock: controls})
    return {"step": simulation.step_number}


def _shoo(session: Session, page: Subscriber, message: m.Shoo) -> None:
    if message.position is None:
        page.pointer_force = None
        return
    session.controller.check_editable("calling" if message.call else "shooing")
    longest_side = max(session.runner.simulation.model.space.size)
    page.pointer_force = PointerForce(
        tuple(map(float, _nearest_inside(session, message.position))),
        min(message.radius, MAX_POINTER_RADIUS * longest_side),
        -1 if message.call else 1,
    )


def _check_boid(session: Session, flock: str, boid: int) -> int:
    """Return the row of a boid in the present frame, by its index within its flock."""
    simulation = session.runner.simulation
    model, frame = simulation.model, simulation.frame
    if flock not in model.flocks:
        raise ModelError(format_unknown("flock", flock, model.flocks))
    row = scene.row_of(model, frame, flock, boid)
    if row is not None:
        return row
    if model.changes_numbers and 0 <= boid < frame[flock].n_ever:
        raise ModelError(f"boid: got {boid}, which has left flock {flock!r}; expected one in it")
    count = frame[flock].n_ever
    raise ModelError(f"boid: got {boid}; expected 0 to {count - 1} in flock {flock!r}")


def _nearest_inside(session: Session, position: tuple[float, ...]) -> np.ndarray:
    """Return the (D,) point of the space nearest to a message's position."""
    space = session.runner.simulation.model.space
    if len(position) < space.dims:
        raise ModelError(
            f"position: got {len(position)} numbers; expected {space.dims}, one per axis of the "
            "space"
        )
    point = space.wrap(position[: space.dims])
    lower, upper = np.array(space.lower), np.array(space.upper)
    for axis, boundary in enumerate(space.boundaries):
        if boundary == "open":
            reach = MAX_OFFSET * max(space.size)
            middle = (lower[axis] + upper[axis]) / 2
            point[axis] = min(max(point[axis], middle - reach), middle + reach)
        elif boundary != "periodic":
            point[axis] = min(max(point[axis], lower[axis]), upper[axis])
    return point


# --- files


def _toml(session: Session, page: Subscriber, message: m.Toml) -> Reply:
    return {"toml": session.controller.toml()}


def _film(session: Session, page: Subscriber, message: m.Film) -> Reply:
    return {"job": session.jobs.start_film(message.steps, message.size)}


def _page(session: Session, page: Subscriber, message: m.Page) -> Reply:
    return {"job": session.jobs.start_page(message.frames)}


_HANDLERS: dict[type[m.Request], Callable[[Session, Subscriber, Any], Reply | None]] = {
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
    m.NeighbourCounts: _neighbour_counts,
    m.Move: _move,
    m.Shoo: _shoo,
    m.Command: _command,
    m.Prepare: _prepare,
    m.Draw: _draw,
    m.PlacePredator: _place_predator,
    m.Remove: _remove,
    m.Edit: _edit,
    m.Toml: _toml,
    m.Film: _film,
    m.Page: _page,
}

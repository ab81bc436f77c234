"""The table of arguments of a whole flight: that of the kernels, and behind it what a flight needs
that on a processor the engine holds."""

from __future__ import annotations

from murmurate.codegen.arguments import ARGUMENTS, WORDS, Argument

MORE = (
    # what is asked for; of rows, the last one holds for all that would follow it
    Argument("asked", "int64", (), "how many steps to fly"),
    Argument("number_rows", "real", ("rows", "slots"), "every number of the model"),
    Argument("obstacle_rows", "real", ("rows", "obstacles", "7"), "obstacles, one a row"),
    Argument("error_rows", "float64", ("rows", "lookers", "2"), "errors of places, velocities"),
    Argument("turn_rows", "int64", ("turn rows", "boids"), "order of turns, of every step"),
    # perception and integration: a column a boid, in id order
    Argument("state", "real", ("2 axes", "by id"), "places and velocities"),
    Argument("past", "real", ("depth", "2 axes", "by id"), "of step t in row t modulo depth"),
    Argument("herd_places", "float64", ("axes", "by id"), "places of a herd"),
    Argument("herd_numbers", "real", ("herds", "8"), "what rules are given of herds"),
    Argument("before", "real", ("2 axes", "integrated"), "state before the step"),
    Argument("resting", "int32", ("integrated",), "timers before the step"),
    Argument("slopes", "real", ("evaluations", "2 axes", "integrated"), "forces, velocities"),
)
FLIGHT_ARGUMENTS = (*ARGUMENTS, *MORE)


def _places() -> dict[str, int]:
    found, word = {}, 0
    for argument in FLIGHT_ARGUMENTS:
        found[argument.name] = word
        word += argument.words
    return found


FLIGHT_PLACES = _places()
FLIGHT_WORDS = WORDS + sum(argument.words for argument in MORE)

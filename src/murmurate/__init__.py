"""murmurate: the flocking simulator."""

import murmurate.rules  # noqa: F401  (makes the built-in rules and motions known to model files)

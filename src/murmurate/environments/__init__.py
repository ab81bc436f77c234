"""Environments: flocks that learners and controllers act in, by Gymnasium and PettingZoo.

A `Task` says what agents of a model observe, do and want. `VectorEnv` advances many worlds of it in
one call; `Env` and `ParallelEnv` have one. They need the extra `rl`. With it, an import of this
package registers the standard tasks, for `gymnasium.make` and `gymnasium.make_vec`.
"""

from contextlib import suppress

import lazy_loader

from murmurate.environments.registration import register_tasks

with suppress(ImportError):
    register_tasks()

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

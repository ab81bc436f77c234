"""Environments: flocks that learners and controllers act in, by Gymnasium and PettingZoo.

A `Task` says what agents of a model observe, do and want. `VectorEnv` advances many worlds of it in
one call; `Env` and `ParallelEnv` have one. They need the extra `rl`.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

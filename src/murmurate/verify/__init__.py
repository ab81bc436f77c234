"""Verify: the results that a model's file expects, simulated, measured and compared.

from murmurate.verify import verify
verify(mm.load("vicsek-1995"))          # a list of Results, one an expectation
"""

from murmurate.verify.seed_rounds import verify
from murmurate.verify.verdict import Result

__all__ = ["Result", "verify"]

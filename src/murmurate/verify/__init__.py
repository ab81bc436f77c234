"""Verify: simulate a model, and compare it with the results that its file expects.

from murmurate.verify import verify
verify("vicsek-1995")          # a list of Results, one for each expectation
"""

from murmurate.verify.expectation_runs import verify
from murmurate.verify.report import Verdicts
from murmurate.verify.verdict import Result

__all__ = ["Result", "Verdicts", "verify"]

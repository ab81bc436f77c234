"""Verify: what a model's file promises, flown and measured.

from murmurate.verify import verify
verify(mm.load("vicsek-1995"))          # a list of Results, one an expectation
"""

from murmurate.verify.verdict import Result, verify

__all__ = ["Result", "verify"]

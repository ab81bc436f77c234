"""The version of murmurate, the only place that it is written in by hand.

It imports nothing, so that every module may say which version made a file.
"""

__version__ = "1.0.0"

"""What the tests of the live view share."""

from conftest_live import fly, page, watched

__all__ = ["fly", "page", "watched"]

"""Fixtures of the live view's tests."""

from conftest_live import live_view, open_page, open_remote

__all__ = ["live_view", "open_page", "open_remote"]

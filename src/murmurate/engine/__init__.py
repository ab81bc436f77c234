"""Engines: they own arrays and time."""

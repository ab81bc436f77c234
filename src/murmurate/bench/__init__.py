"""Benchmarks: the standard flocks, and how they are timed."""

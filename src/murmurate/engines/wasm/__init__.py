"""Flights in WebAssembly: a model's kernels as one module that every browser flies alike."""

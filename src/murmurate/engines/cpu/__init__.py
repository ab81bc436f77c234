"""The engine that compiles kernels for the processor and runs them on threads."""

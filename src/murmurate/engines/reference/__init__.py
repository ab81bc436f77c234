"""The reference engine: plain Python, slow and obvious."""

"""Models: frozen values that define a flock. No arrays, no engine."""

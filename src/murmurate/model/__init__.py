"""Models: frozen values that say what a flock is. No arrays, no engine."""

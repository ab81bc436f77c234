"""How fast this machine flies: the standard flocks, and how they are timed."""

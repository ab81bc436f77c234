"""What a flock is: frozen values, no arrays."""

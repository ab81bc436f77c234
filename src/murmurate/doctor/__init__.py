"""Doctor: what is installed, and a self-test."""

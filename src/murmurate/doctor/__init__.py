"""Doctor: a list of installed parts, and a self-test."""

"""Runs: a simulation or a recording that plays, and what comes of it: films, pages, recordings."""

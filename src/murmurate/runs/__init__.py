"""Runs: simulations and played recordings, with their films, pages and recordings."""

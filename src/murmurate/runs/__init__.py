"""Runs: simulations and played recordings, and what is made of them: films, pages, recordings."""

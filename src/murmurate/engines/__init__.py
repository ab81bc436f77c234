"""Engines: the state of a simulation, and its advance in time by one engine or another."""

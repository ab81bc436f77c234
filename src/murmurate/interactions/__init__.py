"""Interactions: how animals respond to each other, learned from their tracks.

mm.learn_interactions(mm.tracks.open_tracks("fish.csv"))
"""

from murmurate.interactions.learn import learn_interactions
from murmurate.interactions.learned import LearnedInteractions, Response
from murmurate.interactions.probing import probe_response

__all__ = ["LearnedInteractions", "Response", "learn_interactions", "probe_response"]

"""Explanations of gradients: the facts of a run about a port or wire, which cards, voice and inspector put into words.

It imports the readings and the session of `live`; canvas and panels enter.
The way in is `explanation.explain`, which takes `run_facts.Facts`.
"""

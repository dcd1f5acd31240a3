"""Claims of explanations, each tried in the run before anybody reads it.

The way in is `explain/why_zero`, which attaches what holds to its reasons. Nobody else enters.
"""

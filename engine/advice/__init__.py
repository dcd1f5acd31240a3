"""Advice on graphs: rules made from real mistakes with gradients, each with a reason and often a fix.

It imports `evaluation`, `edits` and below; the app enters. It is the one room that may name block types.
The way in is `advice.advise`, and `linter.lint` for the rules alone.
"""

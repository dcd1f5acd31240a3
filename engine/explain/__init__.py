"""Explanations of gradients: chains of zeros, paths, slices, checks, step mode and the backward page.

It imports `evaluation`, `edits`, `layout` and below; the app and the public face enter.
There is no single way in: each module answers one question, as `why_zero` and `check` do.
"""

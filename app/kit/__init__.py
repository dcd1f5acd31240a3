"""The kit: views that several features show, such as tables of numbers, explanations, fields and searches.

A feature takes them from here, never from another feature.
The way in is the room of each part: `lens`, `values`, `why`, `controls` and `search`.
"""

"""Readings: the rows of a table that the window shows of a run, one for each tensor.

The evaluator's process makes them; `live` and all rooms above it read them.
The way in is `readings.Results`, which `readings.results_of` makes.
"""

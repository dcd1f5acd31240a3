"""Measures of how calm the window is: `python -m benchmarks.calm`, whose options choose what is measured."""

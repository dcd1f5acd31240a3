"""The digits that a gradient has lost, and zeros that are underflows.

The way in is `digits_part.DigitsPart`.
"""

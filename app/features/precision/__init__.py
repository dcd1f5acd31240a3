"""The precision of gradients: few reliable digits, and zeros that are underflows.

The way in is `precision_lens.PrecisionLens`.
"""

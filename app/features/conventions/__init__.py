"""What a gradient is compared with: the rules of frameworks at kinks and ties, and central differences.

The way in is `convention_part.ConventionPart`; `check_view.CheckView` is the other part.
"""

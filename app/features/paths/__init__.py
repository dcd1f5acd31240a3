"""The paths from a selection to the loss, with the contribution of each.

The way in is `path_part.PathPart`.
"""

"""The list of problems and advice, with reasons and fixes.

The way in is `problems.ProblemsPanel`.
"""

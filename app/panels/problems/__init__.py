"""The list of problems and advice, with reasons and fixes.

It imports `palette`; `startup` and the settings dialog enter.
The way in is `problems.ProblemsPanel`.
"""

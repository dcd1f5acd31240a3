"""Trainings: the graphs of `assets/trainings`, written in Python so that they can be made anew.

Each module holds functions that return a `Lesson`. The way in is `make_trainings.main`: make trainings.
"""

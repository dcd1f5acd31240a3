"""Gestures of the mouse: one small state machine for each, ending in at most one edit.

The canvas and the rest of `input` enter.
The way in is `gesture.Gesture`, the base of them all.
"""

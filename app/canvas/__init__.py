"""The canvas: one widget that paints a page from arrays, and the gestures on it."""

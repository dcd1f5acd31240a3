"""The base of a lens and what several lenses share.

All lenses enter, and the shell, which hands them the session.
The way in is `lens.Lens`.
"""

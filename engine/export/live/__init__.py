"""Living pages: the programs of graphs as data, which a script of `assets/web` runs in a browser.

It imports `evaluation` and below; `app/web` writes pages with it.
The way in is `program.live_program`.
"""

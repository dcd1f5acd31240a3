"""The headless core: graphs, their gradients and their evaluation.

It knows no Qt and, outside `advice`, no particular block type. The blocks, the app and `gradwire` itself enter.
The way in is `evaluation.evaluate.evaluate`; docs/architecture.md shows the rooms and their floors.
"""

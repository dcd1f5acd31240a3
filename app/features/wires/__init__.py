"""The table of all wires of a page, for reading without the canvas.

The way in is `wires_table.WiresTable`.
"""

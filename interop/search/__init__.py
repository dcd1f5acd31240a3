"""The search for blocks and layers by the words of people, of formulas and of all frameworks.

It imports the blocks with their table of names; the palette, the box over the canvas and the command line enter.
The way in is `block_search.find_offers`.
"""

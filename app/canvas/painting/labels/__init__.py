"""Labels of wires and names of small blocks: their texts, their places, and how they are drawn.

The rest of `painting` enters, and cards and tables that show the same texts.
The way in is `label_texts.label_of` for a text and `label_layout.LabelLayout` for the places.
"""

"""Labels of wires: their texts and their places.

The rest of `painting` enters, and cards and tables that show the same texts.
The way in is `labels.label_of` for a text and `label_layout.LabelLayout` for the places.
"""

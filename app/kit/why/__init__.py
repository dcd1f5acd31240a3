"""The answer to "why is this gradient zero, or not finite?" and its fixes.

The inspector enters, and the shell for the fixes.
The way in is `why.Why` for the words and `why_list.WhyList` for the widget.
"""

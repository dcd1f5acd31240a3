"""What goes out of a graph for others to see: living pages and their sites.

The way in is `web`.
"""

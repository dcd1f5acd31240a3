"""Living pages: graphs as one file of HTML that a browser runs.

It imports the canvas, whose places, words and colours it takes; the commands and the export of the window enter.
The way in is `html_page.html_page`.
"""

"""What a window writes beside its graph: programs, pictures and pages that run in a browser.

`document` and the commands of the window enter.
The way in is `pictures.Pictures`; `code_dialog.CodeDialog` and `web_pages.WebPages` stand beside it.
"""

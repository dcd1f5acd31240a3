"""The `.graph` file: strict JSON, reading, writing, and safe handling of files on the disk.

It imports `autodiff` and below; the app and the public face enter.
The way in is `files.load` and `files.save`, and `files.loads` for text from elsewhere.
"""

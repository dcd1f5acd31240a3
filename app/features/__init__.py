"""The features: each folder is one thing that the window can do, with its views and its texts.

Features are independent of each other; what two of them need lies in the kit, below them, or in the session. The way in
is the module of each feature that the window's shell makes, such as `inspector.inspector`.
"""

"""Reverse-mode differentiation: pages expanded, specs inferred, graphs lowered to expressions, the backward pass.

It imports `graph` and below; all rooms enter that edit, run or explain a graph.
The way in is `infer.infer_specs` and then `lower.lower`, which runs the backward pass of `backward`.
After an edit `expand_update` and `infer_update` redo only what it touches.
"""

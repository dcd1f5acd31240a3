"""What all readers of models share: refusals and limits, tensors, inputs that are drawn, names, pages, and the graph.

The way in is `graphs.model_of`, which makes the graph of what a reader found; `inputs.Inputs` makes a model's Inputs.
"""

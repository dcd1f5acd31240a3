"""One table of names: functions and methods of NumPy, PyTorch, TensorFlow, JAX and Keras, each as blocks.

The public face, the reader of pasted code, the search and the readers of models enter; the room imports the engine.
The way in is `table.names`.
"""

"""A comparison of our engine with PyTorch, JAX, TensorFlow and autograd: same functions and numbers, one thread."""

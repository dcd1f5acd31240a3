"""Our engine beside PyTorch, JAX, TensorFlow and autograd: the same functions, the same numbers, one thread."""

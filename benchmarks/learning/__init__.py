"""Benchmarks of training: rounds a second beside `tf.function`, and the window while it trains."""

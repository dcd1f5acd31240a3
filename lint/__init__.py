"""Advice on graphs: rules made from real mistakes with gradients, each with a reason and, where there is one, a fix."""

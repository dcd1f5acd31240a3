"""Views of a run that explain its gradients, beside the problems at the bottom of the window."""

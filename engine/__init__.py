"""The headless core: graphs, gradients and their evaluation. It knows no Qt and no particular block."""

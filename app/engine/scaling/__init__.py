"""Scaling laws: the loss that parameters, tokens and compute reach, and how compute is best spent."""

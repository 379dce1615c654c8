"""Measured collectives: rows become groups of ranks on a network, groups predictions."""

"""Collectives: algorithms, the network that they run on, and their times."""

"""Folded Clos networks: leaves, spines and cores, by one packing rule."""

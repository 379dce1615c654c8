"""Explanation of the difference between two designs or offers: parts that add up to all of it."""

"""Explanation of the difference between two designs, or between two offers to rent."""

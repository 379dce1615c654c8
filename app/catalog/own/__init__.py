"""Rows of a workspace: what it adds to the built-in catalog, and what it says differently.

`entries` are lines as someone stated them, `parsing` makes them values by the classes and the column table
that the seed files go through, `checking` holds them against the rest of the catalog, `planning` says what
would become of each line, and `writing` writes all of it or nothing.
"""

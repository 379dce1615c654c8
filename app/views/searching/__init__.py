"""Searches over many designs of a scenario: layouts, job sizes, scale-up domains."""

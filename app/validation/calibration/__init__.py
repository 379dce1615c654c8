"""Correcting predictions by one's own measured runs: of a log, a table, or typed in."""

"""Racks against what a hall can power, cool and carry: checks, feeds, air flow, and the first limit."""

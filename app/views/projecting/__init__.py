"""Projections: what a scaling law says of a model, and what a design can train by it."""

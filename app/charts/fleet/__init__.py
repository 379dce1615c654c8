"""Charts of fleets."""

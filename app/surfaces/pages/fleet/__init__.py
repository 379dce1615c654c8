"""Pages of fleets."""

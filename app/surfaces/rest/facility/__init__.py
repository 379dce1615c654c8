"""What can be asked of the power and cooling of a scenario."""

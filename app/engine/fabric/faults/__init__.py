"""What of a fabric is left when parts of it fail."""

"""Money, carbon and uncertainty of a scenario."""

"""Charts of growth: trends indexed to one year, a projection up to its limit, and the gap between two devices."""

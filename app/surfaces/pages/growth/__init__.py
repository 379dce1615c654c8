"""The page of growth: demand beside devices, projections up to their limits, and the gap."""

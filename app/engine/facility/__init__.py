"""Facility: IT power, the electrical chain, cooling plants and what they ask of the grid and of water."""

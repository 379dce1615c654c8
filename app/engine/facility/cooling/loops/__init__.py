"""The loops of a plant in detail: temperatures, flows, exchangers, pipes."""

"""The parts of a scenario as it is written."""

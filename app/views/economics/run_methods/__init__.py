"""The run of a scenario by every method that costs of runs are counted by."""

"""Several workloads on one pod: what a scenario states of them, and the designs they come to."""

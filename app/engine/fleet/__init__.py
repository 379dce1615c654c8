"""Fleets: a stream of jobs on one or several pods, event by event."""

"""Measured latencies and throughputs of served models against the engine."""

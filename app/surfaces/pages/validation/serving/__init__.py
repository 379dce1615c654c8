"""Measured latencies and throughputs of served models on the validation pages."""

"""Serving a model: prefill and decode, their latencies under load, memory, and what follows for sizing."""

"""A served model looked at in detail: latency, roofline, memory, sizing, cost of tokens, edge against cloud."""

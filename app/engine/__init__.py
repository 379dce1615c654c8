"""The engine: pure functions of arrays. No input or output, no clock, no framework."""

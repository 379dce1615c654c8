"""The catalog: parts, facts, prices, sources and climate, each value with where it comes from."""

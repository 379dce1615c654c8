"""Published claims, and the result of the engine for each."""

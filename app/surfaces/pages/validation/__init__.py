"""Pages that hold the engine against published measurements."""

"""Published failures and spares against the engine."""

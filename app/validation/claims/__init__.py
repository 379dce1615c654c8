"""The articles held to account: their claims, and what the engine says of each."""

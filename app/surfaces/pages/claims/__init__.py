"""The claims pages: the articles held to account."""

"""Power and cooling of a scenario: what it may state, and what is worked out on request."""

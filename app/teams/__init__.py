"""People: who asks, their accounts, teams, tokens and links."""

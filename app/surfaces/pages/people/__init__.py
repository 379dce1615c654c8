"""Pages of people: sign-in, one's own account, teams, invitations, and what administrators look after."""

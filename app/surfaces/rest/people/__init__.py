"""People over REST: the caller, their tokens, teams with members and invitations, and the log."""

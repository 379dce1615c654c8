"""People over REST: whoever asks, their tokens, teams with members and invitations, and the log."""

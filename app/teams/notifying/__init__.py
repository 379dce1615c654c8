"""News that leave this server: mentions and reviews, by webhook and by mail."""

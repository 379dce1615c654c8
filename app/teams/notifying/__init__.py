"""Notifications about mentions and reviews, by webhook and by mail."""

"""Spreadsheets that people hand in or take away: opened within limits, and text that stays text."""

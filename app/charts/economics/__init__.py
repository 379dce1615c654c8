"""Figures of money, carbon and uncertainty."""

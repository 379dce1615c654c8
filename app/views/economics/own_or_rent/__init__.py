"""Owning a pod against renting one by each kind of terms, and against both."""

from app.views.economics.own_or_rent.answer import own_or_rent_answer
from app.views.economics.own_or_rent.report import OwnOrRent

__all__ = ["OwnOrRent", "own_or_rent_answer"]

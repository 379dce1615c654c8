"""A pod of several kinds of SuperNode as one of their mean."""

from app.engine.mixed.design import all_kinds, blended

__all__ = ["all_kinds", "blended"]

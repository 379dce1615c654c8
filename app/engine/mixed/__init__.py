"""A pod of several kinds of SuperNode as one of their mean."""

from app.engine.mixed.design import all_kinds, blended, kind_prices_usd
from app.engine.mixed.means import prefill_weighted_share

__all__ = ["all_kinds", "blended", "kind_prices_usd", "prefill_weighted_share"]

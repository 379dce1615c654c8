"""The cash flow of owning a pod, year by year, and what it is worth."""

from app.views.economics.cash_flow.answer import cash_flow_answer
from app.views.economics.cash_flow.report import CashFlowAnswer

__all__ = ["CashFlowAnswer", "cash_flow_answer"]

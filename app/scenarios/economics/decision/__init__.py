"""Own, rent or both: five questions with computed answers."""

from app.scenarios.economics.decision.answer import decision_answer
from app.scenarios.economics.decision.options import DecisionOptions
from app.scenarios.economics.decision.report import Decision

__all__ = ["Decision", "DecisionOptions", "decision_answer"]

"""Own, rent or both: five questions with computed answers."""

from app.views.economics.decision.answer import decision_answer
from app.views.economics.decision.report import Decision, DecisionOptions

__all__ = ["Decision", "DecisionOptions", "decision_answer"]

"""Saved studies: their summaries, and the saved scenarios that their columns name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from app.scenarios.study.document import StudyDocument


def study_summary(document: StudyDocument, answer: dict[str, Any] | None = None) -> dict[str, Any]:
    """Summary of a study for lists and cards; without figures where no answer is kept with it."""
    training, serving = document.workload.training, document.workload.serving
    named = (training or serving or document.workload).model_dump(mode="json").get("model")
    model = named if isinstance(named, str) else (named or {}).get("name")
    winner = next((row for row in (answer or {}).get("rows", ()) if row["rank"] == 1), None)
    return {
        "question": document.question,
        "model": model,
        "trains": training is not None,
        "serves": serving is not None,
        "objective": document.objective,
        "columns": len(document.chosen),
        "decided": document.decision.chosen,
        "winner": f"{winner['supernodes']:,} {winner['system_name']}" if winner else None,
        "verdict": answer["verdict"] if answer else None,
    }


def scenarios_named(document: dict[str, Any]) -> Iterator[str]:
    """Keys of examples and ids of saved scenarios that the columns of a study and the pods of a fleet
    name."""
    parts = [(column, "scenario") for column in document.get("chosen") or ()]
    pods = document.get("pods")
    parts += [(pod, "design") for pod in pods or ()] if isinstance(pods, list | tuple) else []
    for part, field in parts:
        named = part.get(field) if isinstance(part, dict) else None
        if isinstance(named, str):
            yield named


def written_out(document: dict[str, Any], find: Callable[[str], dict[str, Any] | None]) -> dict[str, Any]:
    """The study with the scenarios that `find` knows in the place of their ids; itself where there are
    none."""
    found = {named: scenario for named in scenarios_named(document) if (scenario := find(named)) is not None}
    if not found:
        return document
    columns = [
        {**column, "scenario": found.get(column.get("scenario"), column.get("scenario"))}
        if isinstance(column.get("scenario"), str)
        else column
        for column in document["chosen"]
    ]
    return {**document, "chosen": columns}

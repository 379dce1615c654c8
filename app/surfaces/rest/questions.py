"""The questions that a reader begins with as operations: a few inputs in, the design that answers out."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from app.surfaces.rest.bodies import Body, BodyDep
from app.surfaces.rest.documented import json_answer
from app.surfaces.rest.parameters import only
from app.surfaces.rest.problems import json_response
from app.surfaces.rest.scenario_requests import PROBLEMS, asked_of, examples_body
from app.surfaces.rest.services import Services, ServicesDep
from app.surfaces.rest.shapes import answer_shapes, request_shapes, with_unknown
from app.views.plain import report_json
from app.views.questions.declared import QUESTIONS
from app.views.questions.question import ANSWERS, Question, QuestionAnswer
from app.views.view import Resources

router = APIRouter(prefix="/questions", tags=["questions"])
ANSWER = "QuestionAnswer"
NAMES = {"AnswerFigure": "QuestionFigure", "AnswerChart": "QuestionChart", "AnswerPoint": "QuestionPoint", "Candidate": "QuestionCandidate"}  # fmt: skip


def _request(question: Question[Any]) -> str:
    return question.options.__name__.replace("Options", "QuestionRequest")


def _add(question: Question[Any]) -> None:
    """Let a question be asked at its key."""

    async def ask(body: BodyDep, found: ServicesDep) -> Response:
        return await found.workers.run(_answer, question, body, found)

    example = {question.key: {"summary": question.asks, "value": dict(question.example)}}
    router.add_api_route(
        f"/{question.key}",
        ask,
        methods=["POST"],
        name=f"ask_{question.key}",
        summary=question.title,
        description=f"{question.asks}. Every input may be left out. `scenario` of the answer is the design that answers, "
        "as `/evaluations` takes it; its figures are those of its evaluation. `answered` is false where no design does: "
        "`verdict` says why.",
        response_class=Response,
        responses={
            200: json_answer(ANSWER, "The design that answers, its figures and the chart."),
            **PROBLEMS,
        },
        openapi_extra=examples_body(_request(question), "The inputs of the question.", example),
        dependencies=[only()],
    )


def _answer(question: Question[Any], body: Body, found: Services) -> Response:
    asked, _ = asked_of(question.options, body, found, ())
    resources = Resources(catalog=found.catalog(), evaluated=found.evaluated, searches=found.searches)
    return json_response(report_json(ANSWERS.of(question, asked, resources)))


for _question in QUESTIONS:
    _add(_question)


def question_schemas() -> dict[str, Any]:
    """JSON Schemas of requests and answer, by name."""
    shapes = answer_shapes(ANSWER, QuestionAnswer, NAMES)
    found = {name: with_unknown(shape) for name, shape in shapes.items()}
    for question in QUESTIONS:
        found |= request_shapes(_request(question), question.options, ())
    return found

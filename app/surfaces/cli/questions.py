"""`podwright ask`: the questions to begin with, from a few inputs to a design."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import typer
from typer.core import TyperGroup

from app.surfaces.cli.common import AsJson, print_json, saved_work_here

if TYPE_CHECKING:
    from app.views.questions.question import Question

NO_ANSWER = 3
"""Exit status where no design meets the request."""


class Questions(TyperGroup):
    """A command per question, made on demand: what they import takes a second."""

    _made: ClassVar[dict[str, Any]] = {}

    @property  # type: ignore[override]  # made when they are looked at
    def commands(self) -> dict[str, Any]:
        if not self._made:
            from app.views.questions.declared import QUESTIONS

            self._made.update({question.key: _command(question) for question in QUESTIONS})
        return self._made

    @commands.setter
    def commands(self, added: dict[str, Any]) -> None:
        pass  # there are none beside the questions


def add_to(app: typer.Typer) -> None:
    group = typer.Typer(
        cls=Questions,
        help="Begin with a question: a few inputs, and the design that answers.",
        no_args_is_help=True,
    )
    app.add_typer(group, name="ask")


def _command(question: Question[Any]) -> Any:
    app = typer.Typer(add_completion=False)
    app.command(question.key, help=f"{question.title}: {question.asks[:1].lower()}{question.asks[1:]}.")(
        _asking(question)
    )
    return typer.main.get_command(app)


def _asking(question: Question[Any]) -> Callable[..., None]:
    from app.surfaces.cli.views import option_parameter
    from app.views.view import Flag

    def ask(as_json: bool, yaml: bool, **given: Any) -> None:
        from app.scenarios.evaluation.service import evaluated
        from app.scenarios.load import build_document, build_scenario
        from app.surfaces.files.question_text import question_text
        from app.views.plain import report_json
        from app.views.questions.question import ANSWERS
        from app.views.searching.recent import RecentSearches
        from app.views.view import Resources

        if as_json and yaml:
            raise typer.BadParameter("say one of --json and --yaml", param_hint="--yaml")
        stated = {name: value for name, value in given.items() if value not in (None, [])}
        options = build_document(question.options, stated)
        catalog = saved_work_here().catalog()
        resources = Resources(
            catalog=catalog,
            evaluated=lambda document: evaluated(document, catalog),
            searches=RecentSearches(),
        )
        answer = ANSWERS.of(question, options, resources)
        if as_json:
            print_json(report_json(answer))
        elif yaml and answer.scenario is not None:
            typer.echo(build_scenario(answer.scenario).as_yaml(), nl=False)
        else:
            typer.echo(question_text(answer), err=yaml)
        if not answer.answered:
            raise typer.Exit(NO_ANSWER)

    kinds: dict[str, Any] = {}
    defaults: dict[str, Any] = {"as_json": False, "yaml": False}
    for name in question.options.model_fields:
        singular = Flag(name=f"--{name.removesuffix('s')}") if name in ("systems", "sizes") else Flag()
        kinds[name], defaults[name] = option_parameter(question.options, name, singular)
    kinds["yaml"] = Annotated[bool, typer.Option("--yaml", help="Print the scenario that answers as YAML.")]
    kinds["as_json"] = AsJson
    ask.__annotations__ = kinds
    ask.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=defaults[name])
            for name, kind in kinds.items()
        ]
    )
    return ask

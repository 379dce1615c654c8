"""The views of a room as commands, made when one of them is asked for: what they import takes a second."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, get_args, get_origin

import typer
from typer.core import TyperGroup

from app.surfaces.cli.common import AsJson, Ref, print_json, saved_work_here

if TYPE_CHECKING:
    from app.views.view import Flag, View

DOES_NOT_HOLD = 3


def room_of_views(room: str) -> type[TyperGroup]:
    """A group of commands: those of the views of a room, in their order, and those that are added to it."""

    class Room(TyperGroup):
        _made: ClassVar[dict[str, Any]] = {}

        @property  # type: ignore[override]  # made when they are looked at
        def commands(self) -> dict[str, Any]:
            if not self._made:
                views: tuple[View[Any, Any], ...] = import_module(f"app.views.{room}.room").VIEWS
                self._made.update({view.name: command_of(view) for view in views})
            return {**self._made, **self._added}

        @commands.setter
        def commands(self, added: dict[str, Any]) -> None:
            self._added = added

    return Room


def command_of(view: View[Any, Any]) -> Any:
    """`podwright {room} {name}`."""
    app = typer.Typer(add_completion=False)
    app.command(view.name, help=view.help)(_asking(view))
    return typer.main.get_command(app)


def _asking(view: View[Any, Any]) -> Callable[..., None]:
    from app.views.view import Flag

    flags = {
        name: view.flags.get(name, Flag(name=f"--{name.replace('_', '-')}"))
        for name in view.options.model_fields
        if name not in view.only_drawn
    }

    def ask(ref: str, as_json: bool, require: bool = False, **given: Any) -> None:
        from app.scenarios.load import build_document
        from app.surfaces.cli.reference import referred
        from app.views.plain import report_json

        stated = {
            name: read(value) if (read := flags[name].read) else value
            for name, value in given.items()
            if value is not None
        }
        options = build_document(view.options, stated)
        work = saved_work_here()
        answer = view.answer(referred(ref, work).evaluated, work.catalog(), options)
        if as_json:
            print_json(report_json(view.report(answer)))
        else:
            typer.echo(view.text(answer))
        if require and view.requirement is not None and not view.requirement.holds(answer):
            raise typer.Exit(DOES_NOT_HOLD)

    kinds: dict[str, Any] = {"ref": Ref}
    defaults: dict[str, Any] = {"ref": inspect.Parameter.empty, "require": False, "as_json": False}
    for name, flag in flags.items():
        field = view.options.model_fields[name]
        option = typer.Option(flag.name, metavar=flag.metavar, help=flag.help or field.description)
        kinds[name] = Annotated[_words(field.annotation, flag) | None, option]
        defaults[name] = flag.default if flag.read else field.default
    if view.requirement is not None:
        kinds["require"] = Annotated[bool, typer.Option(view.requirement.flag, help=view.requirement.help)]
    kinds["as_json"] = AsJson
    ask.__annotations__ = kinds
    ask.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=kind, default=defaults[name])
            for name, kind in kinds.items()
        ]
    )
    return ask


def _words(annotation: Any, flag: Flag) -> Any:
    """What is typed for a field: a number, or words."""
    if flag.read is not None:
        return str
    if get_origin(annotation) in (UnionType, Annotated) or (
        get_args(annotation) and type(None) in get_args(annotation)
    ):
        return _words(next(one for one in get_args(annotation) if one is not type(None)), flag)
    return annotation if annotation in (int, float, bool, str) else str

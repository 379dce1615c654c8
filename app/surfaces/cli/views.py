"""The views of a room as commands, made when one is asked for: what they import takes a second."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import UnionType
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Union, get_args, get_origin

import typer
from typer.core import TyperGroup

from app.surfaces.cli.common import AsJson, Ref, print_json, saved_work_here

if TYPE_CHECKING:
    from app.scenarios.fields import Part
    from app.views.view import File, Flag, View

DOES_NOT_HOLD = 3


def room_of_views(room: str) -> type[TyperGroup]:
    """A group of commands: those of the views of a room, in their order, and those that are added to it."""

    class Room(TyperGroup):
        _made: ClassVar[dict[str, Any]] = {}

        @property  # type: ignore[override]  # made when they are looked at
        def commands(self) -> dict[str, Any]:
            if not self._made:
                views: tuple[View[Any, Any], ...] = import_module(f"app.views.{room}.room").VIEWS
                self._made.update(
                    {view.command_name: command_of(view) for view in views if view.text is not None}
                )
            return {**self._made, **self._added}

        @commands.setter
        def commands(self, added: dict[str, Any]) -> None:
            self._added = added

    return Room


def command_of(view: View[Any, Any]) -> Any:
    """`podwright {room} {command}`."""
    app = typer.Typer(add_completion=False)
    app.command(view.command_name, help=view.help)(_asking(view))
    return typer.main.get_command(app)


def _asking(view: View[Any, Any]) -> Callable[..., None]:
    flags = _flags(view)

    def ask(as_json: bool, require: bool = False, **given: Any) -> None:
        from app.scenarios.evaluation.service import evaluated
        from app.scenarios.load import build_document
        from app.surfaces.cli.reference import referred
        from app.views.plain import report_json
        from app.views.searching.recent import RecentSearches
        from app.views.view import Resources

        files = [(file, place) for file in view.files if (place := given[_file_parameter(file)])]
        _check_forms(view, files, as_json)
        options = build_document(view.options, view.stated(_stated(flags, given)))
        work = saved_work_here()
        catalog = work.catalog()
        scenarios = [referred(given[name], work).evaluated for name in _references(view)]
        resources = Resources(
            catalog=catalog,
            evaluated=lambda document: evaluated(document, catalog),
            searches=RecentSearches(),
        )
        answer = view.answer(*scenarios, resources, options)
        for file, place in files:
            _write(file, answer, None if file.is_printed else place)
        if as_json:
            print_json(report_json(view.report(answer)))
        elif not files and view.text is not None:
            typer.echo(view.text(answer))
        if require and view.requirement is not None and not view.requirement.holds(answer):
            raise typer.Exit(DOES_NOT_HOLD)

    kinds: dict[str, Any] = dict.fromkeys(_references(view), Ref)
    defaults: dict[str, Any] = {"require": False, "as_json": False}
    for name, flag in flags.items():
        kinds[name], defaults[name] = option_parameter(view.options, name, flag)
    for file in view.files:
        name, metavar = _file_parameter(file), None if file.is_printed else "FILE"
        option = typer.Option(f"--{file.name}", metavar=metavar, help=file.help)
        kinds[name] = Annotated[bool if file.is_printed else Path | None, option]
        defaults[name] = False if file.is_printed else None
    if view.requirement is not None:
        kinds["require"] = Annotated[bool, typer.Option(view.requirement.flag, help=view.requirement.help)]
    kinds["as_json"] = AsJson
    ask.__annotations__ = kinds
    ask.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
        [
            inspect.Parameter(
                name,
                inspect.Parameter.KEYWORD_ONLY,
                annotation=kind,
                default=defaults.get(name, inspect.Parameter.empty),
            )
            for name, kind in kinds.items()
        ]
    )
    return ask


def _references(view: View[Any, Any]) -> tuple[str, ...]:
    """Names of the arguments that name designs."""
    return view.scenarios if len(view.scenarios) > 1 else ("ref",)


def _file_parameter(file: File[Any]) -> str:
    return f"as_{file.name}" if file.is_printed else file.name.replace("-", "_")


def _flags(view: View[Any, Any]) -> dict[str, Flag]:
    """The flags of the options in their order, and those that are no option by themselves after them."""
    from app.views.view import Flag

    own = [name for name in view.options.model_fields if name not in view.without_flag]
    return {name: view.flags.get(name, Flag()) for name in dict.fromkeys([*own, *view.flags])}


def option_parameter(options: type[Part], name: str, flag: Flag) -> tuple[Any, Any]:
    """The annotation of the flag of an option, and its default."""
    field = options.model_fields.get(name)
    words = flag.kind or (str if flag.read or field is None else _words(field.annotation))
    help = flag.help or (field.description if field else None)
    if flag.is_argument:
        return Annotated[words, typer.Argument(metavar=flag.metavar, help=help)], inspect.Parameter.empty
    option = typer.Option(flag.name or f"--{name.replace('_', '-')}", metavar=flag.metavar, help=help)
    default = flag.default
    if default is None and flag.read is None and field is not None:
        default = field.get_default(call_default_factory=True)
    return Annotated[words | None, option], None if isinstance(default, tuple | list) else default


def _stated(flags: dict[str, Flag], given: dict[str, Any]) -> dict[str, Any]:
    """The values of the flags that were given."""
    return {
        name: flag.read(given[name]) if flag.read else given[name]
        for name, flag in flags.items()
        if given[name] not in (None, [])
    }


def _check_forms(view: View[Any, Any], files: list[tuple[File[Any], Any]], as_json: bool) -> None:
    """Nothing, unless several forms are asked for where one is printed.

    Raises
    ------
    BadParameter : they are
    """
    if as_json + len(files) > 1 and any(file.is_printed for file in view.files):
        *others, last = ("--json", *(f"--{file.name}" for file in view.files))
        raise typer.BadParameter(f"say one of {', '.join(others)} and {last}", param_hint="--json")


def _write(file: File[Any], answer: Any, place: Path | None) -> None:
    """Write a form of an answer into a file, or to standard output."""
    from app.surfaces.files.write import write_file

    content = file.format.content(answer)
    if place is None or str(place) == "-":
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    else:
        write_file(place, content)
        typer.echo(f"{place}: {len(content):,} bytes", err=True)


def _words(annotation: Any) -> Any:
    """Value typed for a field: a number, words, or several."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin in (UnionType, Union, Annotated):
        return _words(next(one for one in parts if one is not type(None)))
    if origin is list or (origin is tuple and parts[-1] is Ellipsis):
        return list[_words(parts[0])]  # type: ignore[misc]  # of what it holds
    if origin is tuple:
        return tuple[tuple(_words(one) for one in parts)]  # type: ignore[misc]
    return annotation if annotation in (int, float, bool, str) else str

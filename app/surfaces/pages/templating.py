"""Templates, and the functions that every template may use."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

import orjson
from fastapi import Depends, Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from app import __version__
from app.charts import Figure
from app.charts.format import currency_note, number, percent, show, temperature, temperature_unit
from app.surfaces.pages.help.methods import method_of
from app.surfaces.pages.navigation import MENUS
from app.surfaces.pages.saved.rights import may_keep, rights_here
from app.surfaces.pages.saved.words import clock, when
from app.surfaces.pages.static_files import StaticFiles
from app.surfaces.pages.studio.choices import by_owner
from app.surfaces.pages.terms.views import terms_of, terms_of_all
from app.surfaces.pages.workspace import section_of
from app.teams.asking import asked


def in_field_words(text: str) -> str:
    """A sentence with inputs named by their labels, in place of their keys."""
    from app.surfaces.pages.studio import fields

    return fields.in_field_words(text)


def field_label(path: str) -> str:
    """The label of an input, in place of its key."""
    from app.scenarios.declared_fields import label_of_field

    return label_of_field(path)


class Templates:
    """Renders the templates of one folder. Names that are missing are errors, not blanks."""

    def __init__(self, folder: str, static_files: StaticFiles) -> None:
        self.environment = Environment(
            loader=FileSystemLoader(folder),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self.environment.globals |= {
            "static_url": static_files.url,
            "static_modules": cache(static_files.modules),
            "version": __version__,
            "show": show,
            "number": number,
            "percent": percent,
            "temperature": temperature,
            "currency_note": currency_note,
            "temperature_unit": temperature_unit,
            "who": asked,
            "csrf": csrf_field,
            "may_keep": may_keep,
            "rights_here": rights_here,
            "method_of": method_of,
            "navigation": MENUS,
            "section_title": lambda place: section_of(place).title,
            "address_of": lambda place, key: section_of(place).address(key),
            "terms_of": terms_of,
            "terms_of_all": terms_of_all,
        }
        self.environment.filters |= {
            "json": script_json,
            "chart_json": chart_json,
            "when": when,
            "clock": clock,
            "by_owner": by_owner,
            "field_label": field_label,
            "in_field_words": in_field_words,
        }

    def page(self, name: str, /, *, status: int = 200, **context: Any) -> HTMLResponse:
        return HTMLResponse(self.text(name, **context), status_code=status)

    def text(self, name: str, /, **context: Any) -> str:
        """A template as text: a whole page, or a part of one."""
        return self.environment.get_template(name).render(**context)


def csrf_field() -> Markup:
    """What every form that changes something carries; nothing without sign-in."""
    token = asked().csrf
    return Markup('<input type="hidden" name="csrf" value="{}">').format(token) if token else Markup("")


def chart_json(figure: Figure) -> Markup:
    """Data for drawing a chart; its words and its table are in the page already."""
    return script_json({"plot": figure.plot, "narrow": figure.narrow, "details": figure.details})


def script_json(value: Any) -> Markup:
    """JSON that may stand inside a script element."""
    text = orjson.dumps(value, option=orjson.OPT_SERIALIZE_NUMPY).decode()
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


def templates(request: Request) -> Templates:
    """The templates of the application, as a dependency of its routes."""
    found: Templates = request.app.state.templates
    return found


TemplatesDep = Annotated[Templates, Depends(templates)]

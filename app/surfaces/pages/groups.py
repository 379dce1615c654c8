"""The pages beside the home page, in the order in which their addresses are tried."""

from __future__ import annotations

from app.server.on_demand import Group

_HERE = __name__.rpartition(".")[0]


def _pages(prefixes: tuple[str, ...], *modules: str) -> Group:
    return Group(prefixes, *(f"{_HERE}.{module}" for module in modules))


GROUPS = (
    _pages(("/designs/", "/studio/"), "pages", "studio.routes"),
    _pages(("/designs/",), "report.routes"),
    _pages(("/designs/", "/s/"), "report.embed"),
    _pages(("/start",), "questions.routes"),
    _pages(("/studies",), "studies.routes", "report.studies"),
    _pages(("/explore/",), "explore.routes"),
    _pages(("/sweep",), "sweeps.routes"),
    _pages(("/fleet",), "fleet.keeping", "fleet.routes"),
    _pages(("/fabric/",), "fabric.routes"),
    _pages(("/facility/",), "facility.routes"),
    _pages(("/operations/",), "operations.routes"),
    _pages(("/economics/",), "economics.routes"),
    _pages(("/serving/",), "serving.routes"),
    _pages(("/calibrate/",), "calibrate.routes"),
    _pages(("/scaling",), "scaling.routes"),
    _pages(("/designs/", "/saved/", "/mentions"), "together.routes"),
    _pages(
        ("/designs/", "/saved/", "/studio/", "/deleted", "/templates", "/import", "/compare", "/library"),
        "saved.routes",
    ),
    _pages(("/s/", "/saved/"), "sharing.routes"),
    _pages(
        ("/sign-", "/workspace", "/account", "/teams", "/invitations/", "/admin"),
        "people.routes",
    ),
    _pages(("/catalog",), "catalog.own.routes", "catalog.routes"),
    _pages(("/terms",), "terms.routes"),
    _pages(("/help",), "help.routes"),
    _pages(("/palette",), "palette.routes"),
    _pages(("/units",), "units.routes"),
    _pages(("/validation",), "validation.routes"),
    _pages(("/claims",), "claims.page"),
    _pages(("/trends",), "growth.page"),
    _pages(("/gallery",), "gallery.page"),
)

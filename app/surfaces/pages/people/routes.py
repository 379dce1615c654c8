"""Every route of people."""

from __future__ import annotations

from app.surfaces.pages.people import account, admin, invitations, log, oidc, sign_in, teams

ROUTERS = (
    sign_in.router,
    oidc.router,
    account.router,
    log.router,  # before /teams/{key}
    teams.router,
    invitations.router,
    admin.router,
)

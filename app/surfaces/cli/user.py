"""`podwright user`: the people who may sign in, looked after from the command line of the server."""

from __future__ import annotations

import dataclasses
import sys
from datetime import datetime
from typing import TYPE_CHECKING, Annotated

import typer

from app.surfaces.cli.common import AsJson, print_json

if TYPE_CHECKING:
    from sqlmodel import Session

    from app.db.tables import AccountRow
    from app.teams.asking import Asking
    from app.teams.people import People

app = typer.Typer(help="Manage accounts, teams and tokens.", no_args_is_help=True)

Email = Annotated[str, typer.Argument(metavar="EMAIL", help="The address of the account.")]
FromStdin = Annotated[
    bool, typer.Option("--password-stdin", help="Read the password from the first line of standard input.")
]


@app.command()
def add(
    email: Email,
    name: Annotated[str, typer.Option(help="Display name; without it, the address up to the @.")] = "",
    admin: Annotated[bool, typer.Option("--admin", help="Grant the administrator role.")] = False,
    password_stdin: FromStdin = False,
    no_password: Annotated[
        bool, typer.Option("--no-password", help="Sign in with OpenID Connect only.")
    ] = False,
) -> None:
    """Make an account; asks for its password twice."""
    from app.settings import MAKE_SECRET, get_settings
    from app.teams import accounts, passwords

    people, asking = _people()
    with people.reading() as session:
        taken = accounts.by_email(session, accounts.clean_email(email)) is not None
    hashed = None
    if not (no_password or taken):
        password = _password(password_stdin)
        passwords.check(password, email=email, name=name)
        hashed = passwords.hashed(password)
    with people.writing() as session:
        account = accounts.create(
            session, asking, email=email, name=name, password_hash=hashed, is_admin=admin
        )
    typer.echo(f"{account.email} can sign in{' and look after this server' if admin else ''}.")
    settings = get_settings()
    if not settings.secret.get_secret_value():
        typer.echo(
            f"Next: set PODWRIGHT_SECRET to something only the server knows ({MAKE_SECRET} makes one), and"
        )
        typer.echo(
            "start the server with PODWRIGHT_SIGN_IN=required, or on an address that others can reach."
        )


@app.command("list")
def list_accounts(as_json: AsJson = False) -> None:
    """List accounts."""
    from app.teams import accounts

    people, _ = _people()
    with people.reading() as session:
        rows = accounts.listed(session, limit=100_000)
    if as_json:
        print_json([_in_short(row) for row in rows])
        return
    for row in rows:
        words = ["administrator"] if row.is_admin else []
        words += ["disabled"] if row.disabled_at else []
        seen = f"last seen {row.last_seen_at:%Y-%m-%d}" if row.last_seen_at else "never seen"
        typer.echo(f"{row.email}  {row.name}  {', '.join([*words, seen])}")
    if not rows:
        typer.echo("No accounts. `podwright user add you@example.org --admin` makes the first.")


@app.command()
def password(email: Email, password_stdin: FromStdin = False) -> None:
    """Give an account another password, and sign it out everywhere."""
    from app.teams import accounts, passwords

    people, asking = _people()
    with people.reading() as session:
        account = _account(session, email)
    wanted = _password(password_stdin)
    passwords.check(wanted, email=account.email, name=account.name)
    hashed = passwords.hashed(wanted)
    with people.writing() as session:
        accounts.set_password(session, asking, account.id, hashed)
    typer.echo(f"{account.email} has a new password, and is signed out everywhere.")


@app.command()
def disable(email: Email) -> None:
    """Lock an account: signed out everywhere, tokens refused. Its work stays."""
    from app.teams import accounts

    people, asking = _people()
    with people.writing() as session:
        accounts.disable(session, asking, _account(session, email).id)
    typer.echo(f"{email} is disabled.")


@app.command()
def enable(email: Email) -> None:
    """Unlock an account."""
    from app.teams import accounts

    people, asking = _people()
    with people.writing() as session:
        accounts.enable(session, asking, _account(session, email).id)
    typer.echo(f"{email} is enabled.")


@app.command("admin")
def administrator(
    email: Email,
    no: Annotated[bool, typer.Option("--no", help="Remove it.")] = False,
) -> None:
    """Make an account an administrator of this server."""
    from app.teams import accounts

    people, asking = _people()
    with people.writing() as session:
        accounts.set_administrator(session, asking, _account(session, email).id, not no)
    typer.echo(f"{email} is {'no longer' if no else 'now'} an administrator.")


@app.command()
def delete(
    email: Email,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask for confirmation.")] = False,
) -> None:
    """Delete an account and the work in its own workspace, for good."""
    from app.teams import leaving

    people, asking = _people()
    with people.reading() as session:
        account = _account(session, email)
    if not yes and not typer.confirm(f"Delete {account.email}, and all work in its own workspace?"):
        raise typer.Exit(1)
    with people.writing() as session:
        leaving.delete_account(session, asking, account.id)
    typer.echo(f"{account.email} is deleted. What it did in teams stays, by “Deleted account”.")


@app.command()
def token(
    email: Email,
    name: Annotated[str, typer.Option(help="Purpose.")] = "Made on the command line",
    scope: Annotated[
        list[str] | None, typer.Option(help="Scope besides reading; may be given several times.")
    ] = None,
    workspace: Annotated[str, typer.Option(help="Key of its workspace.")] = "",
    days: Annotated[int, typer.Option(min=1, max=366, help="Days until expiry.")] = 90,
) -> None:
    """Create a token with which a program may act as an account; it is printed once."""
    from app.teams import tokens

    people, asking = _people()
    with people.writing() as session:
        account = _account(session, email)
        _, text = tokens.make_for(
            session,
            asking,
            people.secrets,
            account.id,
            name=name,
            scopes=scope or (),
            workspace_id=_workspace(session, account, workspace) if workspace else None,
            days=days,
        )
    _say_whose_secret()
    typer.echo(text)


@app.command()
def invite(
    team: Annotated[str, typer.Argument(metavar="TEAM", help="Key of the team.")],
    role: Annotated[str, typer.Option(help="viewer, commenter, editor or owner.")] = "editor",
    email: Annotated[str, typer.Option(help="E-mail address that may accept it.")] = "",
) -> None:
    """Create a link with which one person may join a team; it is printed once."""
    from app.settings import get_settings
    from app.teams import invitations

    people, asking = _people()
    with people.writing() as session:
        row, secret = invitations.invite(session, asking, people.secrets, team, role, email)
    settings = get_settings()
    _say_whose_secret()
    typer.echo(f"{settings.public_url or f'http://{settings.host}:{settings.port}'}/invitations/{secret}")
    typer.echo(f"It works once, until {row.expires_at:%Y-%m-%d}.", err=True)


@app.command()
def webhook(
    team: Annotated[str, typer.Argument(metavar="TEAM", help="Key of the team.")],
    url: Annotated[str, typer.Option("--set", metavar="URL", help="Address to post to, https.")] = "",
    test: Annotated[bool, typer.Option("--test", help="Post a test.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Remove the webhook.")] = False,
) -> None:
    """Show, set, test or remove the webhook of a team; its secret is printed once, when it is set."""
    from app.settings import get_settings
    from app.teams.notifying import of_teams

    if bool(url) + test + remove > 1:
        raise typer.BadParameter("give one of --set, --test and --remove", param_hint="--set")
    people, asking = _people()
    settings = get_settings()
    if url:
        with people.writing() as session:
            secret = of_teams.set_webhook(session, asking, settings, team, url).secret
        typer.echo("Posts are signed with this secret, which is not shown again:", err=True)
        typer.echo(secret)
        return
    if remove:
        with people.writing() as session:
            of_teams.remove_webhook(session, asking, team)
        typer.echo(f"{team} has no webhook.")
        return
    with people.reading() as session:
        row = of_teams.managed_webhook(session, asking, team)
    if not test:
        typer.echo(row.url)
        return
    error = of_teams.send_test(settings, row, team=team, by=asking.actor.name)
    typer.echo(f"The test was not accepted. {error}" if error else "The test was accepted.", err=bool(error))
    if error:
        raise typer.Exit(1)


def _people() -> tuple[People, Asking]:
    """People of the database of the settings, and the local user."""
    from app.saved.access import LOCAL
    from app.settings import get_settings
    from app.teams.asking import Asking
    from app.teams.people import People

    asking = Asking(actor=dataclasses.replace(LOCAL, name="Command line"), by="local")
    return People.of(get_settings()), asking


def _account(session: Session, email: str) -> AccountRow:
    from app.teams.accounts import by_email
    from app.teams.errors import NotThereError

    found = by_email(session, email)
    if found is None:
        raise NotThereError(f"There is no account {email[:80]!r}; `podwright user list` lists them.")
    return found


def _workspace(session: Session, account: AccountRow, key: str) -> int:
    from sqlmodel import select

    from app.db.tables import MembershipRow, WorkspaceRow
    from app.teams.errors import NotThereError

    found = session.exec(
        select(WorkspaceRow.id)
        .join(MembershipRow)
        .where(WorkspaceRow.key == key, MembershipRow.account_id == account.id)
    ).first()
    if found is None:
        raise NotThereError(f"{account.email} is in no workspace {key[:64]!r}.")
    return found


def _password(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    return str(typer.prompt("Password", hide_input=True, confirmation_prompt="The same again"))


def _say_whose_secret() -> None:
    from app.settings import get_settings

    if not get_settings().secret.get_secret_value():
        typer.echo(
            "podwright: PODWRIGHT_SECRET is not set here, so this works only on a server without one, "
            "over the same data folder.",
            err=True,
        )


def _in_short(row: AccountRow) -> dict[str, object]:
    def text(moment: datetime | None) -> str | None:
        return moment.isoformat() if moment else None

    return {
        "id": row.id,
        "email": row.email,
        "name": row.name,
        "is_admin": row.is_admin,
        "has_password": row.password_hash is not None,
        "created_at": text(row.created_at),
        "last_seen_at": text(row.last_seen_at),
        "disabled_at": text(row.disabled_at),
    }

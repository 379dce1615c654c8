"""Settings: read from the environment, every one with a default that works. Listed in docs/settings.md."""

from __future__ import annotations

import functools
import ipaddress
import os
import re
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic import AliasChoices, Field, SecretStr, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails
from pydantic_settings import BaseSettings, SettingsConfigDict

from app.paths import default_data_dir

SHORTEST_SECRET = 32
SHORTEST_TOKEN = 16
MAKE_SECRET = "`python -c 'import secrets; print(secrets.token_urlsafe(32))'`"


class Settings(BaseSettings):
    """What may differ between installations. Names take the prefix PODWRIGHT_."""

    model_config = SettingsConfigDict(env_prefix="PODWRIGHT_", env_ignore_empty=True, populate_by_name=True)

    host: str = Field(default="127.0.0.1", description="Address the server listens on.")
    port: int = Field(
        default=8000, ge=0, le=65535, description="Port the server listens on; 0 takes a free one."
    )
    data_dir: Path = Field(
        default_factory=default_data_dir,
        description="Folder of the SQLite database; made when it is missing.",
    )
    database_url: str = Field(
        default="",
        validation_alias=AliasChoices("PODWRIGHT_DATABASE_URL", "DATABASE_URL"),
        description="SQLAlchemy address of the database; without it, podwright.db in the data folder.",
    )
    database_connections: int = Field(
        default=20,
        ge=1,
        description="Connections that one process opens to a database server at most.",
    )
    ship_climate_needing_check: bool = Field(
        default=True,
        description="Whether to load climate years whose terms ask for a check before they are passed on.",
    )

    trash_days: int = Field(
        default=0,
        ge=0,
        description="Days after which what was deleted is gone for good; 0 keeps it until it is erased.",
    )

    sign_in: Literal["auto", "required"] = Field(
        default="auto",
        description="auto: not required on this machine, required for remote callers; required: always.",
    )
    secret: SecretStr = Field(
        default=SecretStr(""),
        description="At least 32 characters that only this server knows; needed where it serves others.",
    )

    @property
    def asks_to_sign_in(self) -> bool:
        """Return whether people must sign in: always, but where the server listens to this machine only."""
        return self.sign_in == "required" or not is_loopback(self.host)

    @field_validator("secret")
    @classmethod
    def _long_enough(cls, secret: SecretStr) -> SecretStr:
        if 0 < len(secret.get_secret_value()) < SHORTEST_SECRET:
            raise ValueError(f"a secret has at least {SHORTEST_SECRET} characters; {MAKE_SECRET} makes one")
        return secret

    # How it is run: docs/deploy.md puts these together.
    workers: int = Field(default=1, ge=1, le=64, description="Processes that answer requests.")
    public_url: str = Field(
        default="",
        description="Address that people use, such as https://podwright.example.org; for links and for HSTS.",
    )
    trusted_proxies: str = Field(
        default="",
        description="Addresses or networks of proxies whose X-Forwarded headers are believed, by commas.",
    )
    log_format: Literal["auto", "text", "json"] = Field(
        default="auto",
        description="text for people, json for programs; auto is text on a terminal, else json.",
    )
    log_level: Literal["debug", "info", "warning", "error"] = Field(
        default="info", description="What is logged: this and what is worse."
    )
    metrics_token: SecretStr = Field(
        default=SecretStr(""), description="At least 16 characters; the token that may read /metrics."
    )
    rate_per_minute: int | None = Field(
        default=None, ge=0, description="Requests that one caller may send a minute; 0 is no limit."
    )
    rate_burst: int = Field(
        default=120, ge=1, description="Requests that one caller may send at once, after a pause."
    )
    request_seconds: float = Field(
        default=60, gt=0, description="Seconds after which a request without an answer is given up."
    )
    study_seconds: float = Field(
        default=120,
        gt=0,
        description="Seconds for which a study looks at further designs; its answer then says how far from the best it may be.",
    )
    heavy_workers: int | None = Field(
        default=None,
        ge=0,
        le=64,
        description="Processes of one server process for requests that compute for long; 0 computes them beside pages.",
    )
    heavy_memory_mb: int = Field(
        default=2000, ge=256, description="Memory in MB that one of these processes may use for a request."
    )
    heavy_seconds_per_minute: float | None = Field(
        default=None,
        ge=0,
        description="Seconds a minute that one caller may have computed in these processes; 0 is no limit.",
    )
    shutdown_notice_seconds: float = Field(
        default=0, ge=0, description="Seconds for which /readyz says 503 before connections are refused."
    )
    shutdown_seconds: int = Field(
        default=20, ge=1, description="Seconds that requests have to finish when the server is ended."
    )

    # Who signs in how: docs/people.md
    local_sign_in: bool = Field(
        default=True, description="Whether people sign in with an address and a password."
    )
    oidc_issuer: str = Field(
        default="",
        description="Address of an OpenID Connect provider that people sign in with; needs podwright[oidc].",
    )
    oidc_client_id: str = Field(default="", description="What the provider calls this server.")
    oidc_client_secret: SecretStr = Field(
        default=SecretStr(""), description="What the provider knows this server by."
    )
    oidc_name: str = Field(
        default="single sign-on", description="What the provider is called on the page of sign-in."
    )
    oidc_groups_claim: str = Field(default="groups", description="The claim that lists the groups of a user.")
    oidc_teams: str = Field(
        default="",
        description="Teams that groups of the provider are put into, as group=team:role, by commas.",
    )

    # Working together: docs/together.md
    poll_seconds: float = Field(
        default=0.5, gt=0, description="Seconds between two looks at what others changed, for open pages."
    )
    streams_per_process: int = Field(
        default=2000, ge=1, description="Streams of events that one process holds open at most."
    )
    streams_per_caller: int = Field(
        default=40, ge=1, description="Streams of events that one account or address has open at most."
    )

    # Notifications by webhook and mail: docs/together.md
    webhook_url: str = Field(
        default="", description="Address that mentions and reviews are posted to; begins with https://."
    )
    webhook_secret: SecretStr = Field(
        default=SecretStr(""),
        description="At least 32 characters that only this server and its webhook know; posts are signed with it.",
    )
    webhook_private_addresses: bool = Field(
        default=False,
        description="Whether the webhook may be a private address, such as one of this network.",
    )
    webhook_hosts: str = Field(
        default="",
        description="Hosts that webhooks of teams may be at, separated by commas; any public one where it is empty.",
    )
    smtp_host: str = Field(default="", description="Mail server that mentions and reviews are mailed by.")
    smtp_port: int = Field(default=587, ge=1, le=65535, description="Port of the mail server.")
    smtp_security: Literal["starttls", "tls", "none"] = Field(
        default="starttls", description="How the connection to the mail server is protected."
    )
    smtp_user: str = Field(default="", description="Who signs in to the mail server; no one without it.")
    smtp_password: SecretStr = Field(default=SecretStr(""), description="Password at the mail server.")
    mail_from: str = Field(default="", description="Sender of mails, such as podwright@example.org.")

    @property
    def webhook_hosts_allowed(self) -> tuple[str, ...]:
        """Hosts that webhooks of teams may be at; none is any with a public address."""
        return tuple(host.strip().lower() for host in self.webhook_hosts.split(",") if host.strip())

    @property
    def channels(self) -> tuple[str, ...]:
        """Channels by which notifications are sent."""
        there = {"webhook": self.webhook_url, "mail": self.smtp_host}
        return tuple(channel for channel, place in there.items() if place)

    @model_validator(mode="after")
    def _news_can_be_sent(self) -> Settings:
        if self.webhook_url:
            if not self.webhook_url.startswith("https://"):
                raise ValueError("PODWRIGHT_WEBHOOK_URL must begin with https://")
            if len(self.webhook_secret.get_secret_value()) < SHORTEST_SECRET:
                raise ValueError(
                    f"PODWRIGHT_WEBHOOK_URL needs a PODWRIGHT_WEBHOOK_SECRET of at least {SHORTEST_SECRET} "
                    f"characters; {MAKE_SECRET} makes one"
                )
        if self.smtp_host and "@" not in self.mail_from:
            raise ValueError(
                "PODWRIGHT_SMTP_HOST needs PODWRIGHT_MAIL_FROM, the address that mails are sent from"
            )
        return self

    warm_up: bool = Field(
        default=True, description="Evaluate examples, reference designs and claims when a server starts."
    )

    # Reports and embedded charts: docs/handover.md.
    frame_hosts: str = Field(
        default="",
        description="Origins that may show embedded charts in a frame, such as https://wiki.example.org, by commas.",
    )
    chromium: str = Field(
        default="",
        description="Program that prints reports as PDF; without one, a Chromium or Chrome on the path; `none` prints none.",
    )

    # Sweeps: docs/sweeps.md.
    run_jobs: bool = Field(default=True, description="Whether this server runs sweeps that wait.")
    sweep_workers: int = Field(
        default=0, ge=0, le=1024, description="Processes that one running sweep has; 0 is one a core."
    )
    dask_scheduler: str = Field(
        default="",
        description="Address of a Dask scheduler that computes sweeps, such as tcp://127.0.0.1:8786; "
        "without one, processes of this machine do.",
    )

    @property
    def most_requests_per_minute(self) -> int:
        """Of one caller; 0 is any number."""
        if self.rate_per_minute is not None:
            return self.rate_per_minute
        return 600 if self.asks_to_sign_in else 0

    @property
    def most_heavy_workers(self) -> int:
        """At least three: one for brief requests, and one that a caller who searches leaves to the others."""
        if self.heavy_workers is not None:
            return self.heavy_workers
        return max(3, min(5, (os.cpu_count() or 1) + 1))

    @property
    def most_heavy_seconds_per_minute(self) -> float:
        """Of one caller; 0 is any number."""
        if self.heavy_seconds_per_minute is not None:
            return self.heavy_seconds_per_minute
        return 30 if self.asks_to_sign_in else 0

    @property
    def frame_ancestors(self) -> str:
        """Who may frame an embedded chart, as a content security policy says it."""
        hosts = [part.strip() for part in self.frame_hosts.split(",") if part.strip()]
        return " ".join(["'self'", *hosts])

    @field_validator("frame_hosts")
    @classmethod
    def _are_origins(cls, hosts: str) -> str:
        for host in (part.strip() for part in hosts.split(",") if part.strip()):
            parts = urlsplit(host)
            is_plain = re.fullmatch(r"https?://(\*\.)?[A-Za-z0-9.-]+(:\d+)?", host) and parts.hostname
            if not is_plain:
                raise ValueError(f"{host!r} is no origin such as https://wiki.example.org")
        return hosts

    @property
    def proxies(self) -> list[str]:
        """Those that are trusted."""
        return [part.strip() for part in self.trusted_proxies.split(",") if part.strip()]

    @field_validator("public_url")
    @classmethod
    def _is_an_origin(cls, url: str) -> str:
        parts = urlsplit(url)
        plain = not (parts.path.strip("/") or parts.query or parts.fragment or parts.username)
        if url and not (parts.scheme in ("http", "https") and parts.hostname and plain):
            raise ValueError("an address begins with https:// or http:// and ends with the host or its port")
        return url.rstrip("/")

    @field_validator("oidc_issuer")
    @classmethod
    def _is_an_issuer(cls, issuer: str) -> str:
        parts = urlsplit(issuer)
        safe = parts.scheme == "https" or (parts.scheme == "http" and is_loopback(parts.hostname or ""))
        if issuer and not (safe and parts.hostname and not (parts.query or parts.fragment)):
            raise ValueError("the address of a provider begins with https://")
        return issuer

    @property
    def teams_of_groups(self) -> list[tuple[str, str, str]]:
        """Group, key of a team, role: in the order in which they are written."""
        rules = [rule.strip() for rule in self.oidc_teams.split(",") if rule.strip()]
        return [_rule(rule) for rule in rules]

    @field_validator("oidc_teams")
    @classmethod
    def _are_rules(cls, rules: str) -> str:
        for rule in (rule.strip() for rule in rules.split(",") if rule.strip()):
            group, team, role = _rule(rule)
            if not (group and team and role in ("viewer", "commenter", "editor", "owner")):
                raise ValueError(f"{rule!r} is not of the form group=team:role, such as engineers=lab:editor")
        return rules

    @model_validator(mode="after")
    def _somebody_can_sign_in(self) -> Settings:
        if self.oidc_issuer and not self.oidc_client_id:
            raise ValueError("PODWRIGHT_OIDC_ISSUER needs PODWRIGHT_OIDC_CLIENT_ID as well")
        if not (self.local_sign_in or self.oidc_issuer):
            raise ValueError(
                "PODWRIGHT_LOCAL_SIGN_IN=false needs PODWRIGHT_OIDC_ISSUER, else no one can sign in"
            )
        return self

    @field_validator("trusted_proxies")
    @classmethod
    def _are_addresses(cls, proxies: str) -> str:
        for proxy in (part.strip() for part in proxies.split(",") if part.strip()):
            try:
                ipaddress.ip_network(proxy)
            except ValueError:
                raise ValueError(f"{proxy!r} is no address and no network such as 10.0.0.0/8") from None
        return proxies

    @field_validator("metrics_token")
    @classmethod
    def _is_no_word(cls, token: SecretStr) -> SecretStr:
        if 0 < len(token.get_secret_value()) < SHORTEST_TOKEN:
            raise ValueError(f"a token has at least {SHORTEST_TOKEN} characters; {MAKE_SECRET} makes one")
        return token

    @model_validator(mode="after")
    def _database_in_data_dir(self) -> Settings:
        if not self.database_url:
            self.database_url = database_in(self.data_dir)
        return self


def _rule(rule: str) -> tuple[str, str, str]:
    """A rule of PODWRIGHT_OIDC_TEAMS in its parts; groups may hold equal signs."""
    group, _, target = rule.rpartition("=")
    team, _, role = target.partition(":")
    return group.strip(), team.strip(), role.strip()


def database_in(data_dir: Path) -> str:
    """The address of the database that a data folder has where no other is set."""
    return f"sqlite:///{data_dir.expanduser().resolve() / 'podwright.db'}"


def is_loopback(host: str) -> bool:
    """Return whether an address can be reached from this machine only.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0")
    (True, True, False)
    """
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class SettingsError(ValueError):
    """A setting has a value that cannot be used; the message names the variable."""


@functools.cache
def get_settings() -> Settings:
    """The settings of this process, read once.

    Raises
    ------
    SettingsError : a setting cannot be used
    """
    try:
        return Settings()
    except ValidationError as error:
        raise SettingsError("; ".join(_fault(fault) for fault in error.errors())) from None


def _fault(fault: ErrorDetails) -> str:
    name = ".".join(str(part) for part in fault["loc"]).upper().removeprefix("PODWRIGHT_")
    words = fault["msg"].removeprefix("Value error, ")
    if not name:  # of several settings together, which the words name
        return words
    message = words[:1].lower() + words[1:]
    if name in ("SECRET", "METRICS_TOKEN", "OIDC_CLIENT_SECRET", "WEBHOOK_SECRET", "SMTP_PASSWORD"):
        return f"PODWRIGHT_{name} cannot be used: {message}"  # never shown
    return f"PODWRIGHT_{name} is {str(fault['input'])!r}: {message}"

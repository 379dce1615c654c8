"""Talking to the provider: its addresses and keys, and what it says of someone who comes back from it.

The code flow with PKCE, a state and a nonce, as OpenID Connect Core 1.0 and RFC 7636 describe it.
"""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from app.settings import Settings

if TYPE_CHECKING:
    import httpx

KEPT_S = 3600.0  # addresses and keys of the provider
TIMEOUT_S = 10.0
LEEWAY_S = 60  # by which clocks may differ
ALGORITHMS = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519"]
MISSING = "Sign-in by OpenID Connect needs more packages: pip install 'podwright[oidc]'."


class ProviderError(Exception):
    """The provider cannot be reached, refuses, or says what cannot be believed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """What a provider says of someone. The address counts only where it says that it is theirs."""

    issuer: str
    subject: str
    email: str
    name: str
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Going:
    """What must be the same again when someone comes back."""

    state: str
    nonce: str
    verifier: str


class Provider:
    """One provider, as the settings name it."""

    def __init__(self, settings: Settings, transport: httpx.BaseTransport | None = None) -> None:
        self._settings = settings
        self._transport = transport
        self._lock = threading.Lock()
        self._kept: dict[str, tuple[float, dict[str, Any]]] = {}

    def address(self, going: Going, redirect_uri: str) -> str:
        """Where to send a browser.

        Raises
        ------
        ProviderError : the provider cannot be reached
        """
        try:
            from authlib.oauth2.rfc6749.parameters import prepare_grant_uri
            from authlib.oauth2.rfc7636 import create_s256_code_challenge
        except ImportError:
            raise ProviderError(MISSING) from None
        return str(
            prepare_grant_uri(
                self._endpoint("authorization_endpoint"),
                client_id=self._settings.oidc_client_id,
                response_type="code",
                redirect_uri=redirect_uri,
                scope="openid email profile",
                state=going.state,
                nonce=going.nonce,
                code_challenge=create_s256_code_challenge(going.verifier),
                code_challenge_method="S256",
            )
        )

    def claims(self, code: str, going: Going, redirect_uri: str) -> Claims:
        """Who it was that came back with a code.

        Raises
        ------
        ProviderError : the provider cannot be reached, refuses the code, or what it says cannot be believed
        """
        token = self._token(code, going, redirect_uri)
        found = self._checked(str(token.get("id_token", "")), going.nonce)
        groups = found.get(self._settings.oidc_groups_claim)
        verified = found.get("email_verified") is True and isinstance(found.get("email"), str)
        name = found.get("name") or found.get("preferred_username") or ""
        return Claims(
            issuer=str(found["iss"]),
            subject=str(found["sub"]),
            email=str(found["email"]) if verified else "",
            name=str(name)[:200],
            groups=tuple(str(group) for group in groups) if isinstance(groups, list) else (),
        )

    def _token(self, code: str, going: Going, redirect_uri: str) -> dict[str, Any]:
        from authlib.oauth2.auth import ClientAuth
        from authlib.oauth2.rfc6749.parameters import prepare_token_request

        body = prepare_token_request(
            "authorization_code", redirect_uri=redirect_uri, code=code, code_verifier=going.verifier
        )
        secret = self._settings.oidc_client_secret.get_secret_value()
        methods = self._discovery().get("token_endpoint_auth_methods_supported", ["client_secret_basic"])
        method = "client_secret_basic" if "client_secret_basic" in methods else "client_secret_post"
        signed = ClientAuth(self._settings.oidc_client_id, secret, method if secret else "none")
        headers = {"accept": "application/json", "content-type": "application/x-www-form-urlencoded"}
        address, headers, body = signed.prepare("POST", self._endpoint("token_endpoint"), headers, body)
        return self._asked("POST", address, headers=headers, content=body)

    def _checked(self, id_token: str, nonce: str) -> dict[str, Any]:
        """The claims of a token that the provider signed for this server and this browser, just now."""
        from authlib.oidc.core import CodeIDToken
        from joserfc import jwt
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet

        options = {
            "iss": {"essential": True, "value": self._issuer},
            "aud": {"essential": True, "value": self._settings.oidc_client_id},
        }
        for fresh in (False, True):  # the provider may have changed its keys since they were read
            keys = self._read(self._endpoint("jwks_uri"), fresh=fresh)
            try:
                token = jwt.decode(id_token, KeySet.import_key_set(keys), algorithms=ALGORITHMS)  # type: ignore[arg-type]
                break
            except (JoseError, ValueError, TypeError, KeyError) as error:
                if fresh:
                    raise ProviderError("What the provider says is not signed with its keys.") from error
        params = {"nonce": nonce, "client_id": self._settings.oidc_client_id}
        try:
            CodeIDToken(token.claims, token.header, options, params).validate(leeway=LEEWAY_S)
        except JoseError as error:
            raise ProviderError("What the provider says is not for this sign-in, or too old.") from error
        return dict(token.claims)

    @property
    def _issuer(self) -> str:
        return str(self._discovery()["issuer"])

    def _endpoint(self, name: str) -> str:
        found = str(self._discovery().get(name, ""))
        if urlsplit(found).scheme not in ("https", urlsplit(self._settings.oidc_issuer).scheme):
            raise ProviderError(f"The provider names no {name} that can be used.")
        return found

    def _discovery(self) -> dict[str, Any]:
        issuer = self._settings.oidc_issuer.rstrip("/")
        found = self._read(f"{issuer}/.well-known/openid-configuration")
        if str(found.get("issuer", "")).rstrip("/") != issuer:
            raise ProviderError("The provider says that it is another one than PODWRIGHT_OIDC_ISSUER names.")
        return found

    def _read(self, address: str, *, fresh: bool = False) -> dict[str, Any]:
        """The document at an address of the provider, kept for a while."""
        with self._lock:
            at, found = self._kept.get(address, (0.0, {}))
            if not found or fresh or time.monotonic() > at + KEPT_S:
                found = self._asked("GET", address)
                self._kept[address] = (time.monotonic(), found)
            return found

    def _asked(self, method: str, address: str, **options: Any) -> dict[str, Any]:
        try:
            import httpx
        except ImportError:
            raise ProviderError(MISSING) from None
        try:
            with httpx.Client(transport=self._transport, timeout=TIMEOUT_S) as client:
                answer = client.request(method, address, **options)
            found = answer.json()
        except (httpx.HTTPError, ValueError) as error:
            raise ProviderError(
                "The provider cannot be reached, or gave no answer that can be read."
            ) from error
        if answer.status_code >= 400 or not isinstance(found, dict):
            said = str(found.get("error", ""))[:80] if isinstance(found, dict) else ""
            raise ProviderError(f"The provider refused: {said or answer.status_code}.")
        return found

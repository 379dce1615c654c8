"""A small OpenID Connect provider: discovery, keys and the token endpoint, as httpx asks them."""

from __future__ import annotations

import base64
import hashlib
import json
import time
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import httpx
from joserfc import jwt
from joserfc.jwk import ECKey

ISSUER = "https://id.example.org"
CLIENT_ID, CLIENT_SECRET = "podwright", "a secret of the client"
SETTINGS = {
    "oidc_issuer": ISSUER,
    "oidc_client_id": CLIENT_ID,
    "oidc_client_secret": CLIENT_SECRET,
    "oidc_name": "Example ID",
}


class FakeProvider:
    """Signs in anyone who the test says. Everything it says can be changed, to see what is believed."""

    def __init__(self) -> None:
        self.key = ECKey.generate_key("P-256", {"kid": "one"})
        self.published = [self.key]
        self.discovery: dict[str, Any] = {
            "issuer": ISSUER,
            "authorization_endpoint": f"{ISSUER}/authorize",
            "token_endpoint": f"{ISSUER}/token",
            "jwks_uri": f"{ISSUER}/keys",
        }
        self.claims: dict[str, Any] = {}
        self.is_down = False
        self._codes: dict[str, dict[str, str]] = {}

    def transport(self) -> httpx.MockTransport:
        return httpx.MockTransport(self._answer)

    def authorize(self, address: str, **claims: Any) -> str:
        """What a browser does at the provider: it signs in, and is sent back to this address."""
        query = {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()}
        assert query["response_type"] == "code"
        assert query["code_challenge_method"] == "S256"
        code = f"code-{len(self._codes)}"
        self._codes[code] = query
        self.claims = {
            "iss": ISSUER,
            "aud": CLIENT_ID,
            "iat": int(time.time()),
            "exp": int(time.time()) + 300,
            "nonce": query["nonce"],
            **claims,
        }
        return f"{query['redirect_uri']}?code={code}&state={query['state']}"

    def _answer(self, request: httpx.Request) -> httpx.Response:
        if self.is_down:
            raise httpx.ConnectError("down", request=request)
        path = request.url.path
        if path == "/.well-known/openid-configuration":
            return httpx.Response(200, json=self.discovery)
        if path == "/keys":
            return httpx.Response(200, json={"keys": [key.as_dict(private=False) for key in self.published]})
        if path == "/token":
            return self._token(request)
        return httpx.Response(404)

    def _token(self, request: httpx.Request) -> httpx.Response:
        form = {name: values[0] for name, values in parse_qs(request.content.decode()).items()}
        kind, _, given = request.headers.get("authorization", "").partition(" ")
        client = base64.b64decode(given).decode() if kind == "Basic" else ""
        asked = self._codes.pop(form.get("code", ""), None)
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if unquote(client) != f"{CLIENT_ID}:{CLIENT_SECRET}":
            return httpx.Response(401, json={"error": "invalid_client"})
        if (
            asked is None
            or asked["code_challenge"] != challenge
            or asked["redirect_uri"] != form["redirect_uri"]
        ):
            return httpx.Response(400, json={"error": "invalid_grant"})
        signed = jwt.encode({"alg": "ES256", "kid": self.key.kid}, self.claims, self.key)
        return httpx.Response(
            200, content=json.dumps({"access_token": "x", "token_type": "Bearer", "id_token": signed})
        )

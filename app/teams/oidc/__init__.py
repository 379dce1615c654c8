"""OpenID Connect: people who are known to a provider. Needs podwright[oidc], which is imported late."""

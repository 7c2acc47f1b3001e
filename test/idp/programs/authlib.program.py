"""Signs a person in with Authlib: reads what to do as JSON, and prints JSON.

`begin` makes the address that the browser is led to; `finish` gets the address that it came back to.
"""

import json
import sys

import requests
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session
from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc7662 import IntrospectTokenValidator
from authlib.oauth2.rfc9068 import JWTBearerTokenValidator
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.jwk import KeySet


def session(said, metadata, **more):
    return OAuth2Session(
        said["client_id"],
        said["client_secret"],
        scope="openid profile email offline_access",
        redirect_uri=said["redirect_uri"],
        code_challenge_method="S256",
        token_endpoint_auth_method=said.get("method", "client_secret_basic"),
        token_endpoint=metadata["token_endpoint"],
        **more,
    )


def begin(said, metadata):
    verifier, nonce = generate_token(64), generate_token(32)
    url, state = session(said, metadata).create_authorization_url(
        metadata["authorization_endpoint"], code_verifier=verifier, nonce=nonce, resource=said["resource"]
    )
    return {"url": url, "state": state, "verifier": verifier, "nonce": nonce}


class Validator(JWTBearerTokenValidator):
    """What a resource server has: the keys of the issuer."""

    keys = None

    def get_jwks(self):
        return self.keys


def taken(keys, issuer, resource, token, scopes):
    """Whether a resource server takes the token by itself (RFC 9068)."""
    validator = Validator(issuer=issuer, resource_server=resource)
    validator.keys = keys
    try:
        claims = validator.authenticate_token(token)
        validator.validate_token(claims, scopes, None)
    except OAuth2Error:
        return None
    return {"sub": claims["sub"], "client_id": claims["client_id"]}


def asked(said, metadata, token):
    """What the issuer says about the token, and whether a resource server takes it for that (RFC 7662)."""
    with session(said, metadata) as client:
        answer = client.introspect_token(metadata["introspection_endpoint"], token=token).json()
    try:
        IntrospectTokenValidator().validate_token(answer, ["openid"], None)
    except OAuth2Error:
        return {"active": answer["active"], "taken": False}
    return {"active": answer["active"], "taken": True, "sub": answer["sub"], "aud": answer["aud"]}


def identity(keys, metadata, said, token):
    """The claims of the ID token, after every check that OpenID Connect Core asks for."""
    parsed = jwt.decode(token["id_token"], keys, algorithms=metadata["id_token_signing_alg_values_supported"])
    claims = CodeIDToken(
        parsed.claims,
        parsed.header,
        options={"iss": {"essential": True, "value": metadata["issuer"]}, "aud": {"values": [said["client_id"]]}},
        params={"nonce": said["nonce"], "client_id": said["client_id"], "access_token": token["access_token"]},
    )
    claims.validate(leeway=0)
    return dict(claims)


def finish(said, metadata):
    keys = KeySet.import_key_set(requests.get(metadata["jwks_uri"], timeout=10).json())
    client = session(said, metadata, state=said["state"])
    token = client.fetch_token(authorization_response=said["callback"], code_verifier=said["verifier"])
    claims = identity(keys, metadata, said, token)
    userinfo = client.get(metadata["userinfo_endpoint"]).json()
    # Authlib sends the resource again: what was granted may be asked for, and nothing else.
    refreshed = client.refresh_token(metadata["token_endpoint"], resource=said["resource"])
    access = refreshed["access_token"]
    result = {
        "claims": claims,
        "userinfo": userinfo,
        "is_new": refreshed["refresh_token"] != token["refresh_token"],
        "taken": taken(keys, metadata["issuer"], said["resource"], access, ["openid"]),
        "elsewhere": taken(keys, metadata["issuer"], "https://elsewhere.example.test", access, ["openid"]),
        "without_scope": taken(keys, metadata["issuer"], said["resource"], access, ["reports:write"]),
        "asked": asked(said, metadata, access),
    }
    client.revoke_token(metadata["revocation_endpoint"], token=refreshed["refresh_token"])
    result["revoked"] = asked(said, metadata, access)
    return result


said = json.load(sys.stdin)
metadata = requests.get(said["issuer"] + "/.well-known/openid-configuration", timeout=10).json()
print(json.dumps({"begin": begin, "finish": finish}[said["do"]](said, metadata)))

"""What there is for the cases of schemathesis to ask about: people, organizations and all that hangs on them, each made when it is asked for."""

import base64
import hashlib
import hmac
import itertools
import os
import struct
import time
from dataclasses import dataclass, field

import requests

URL = os.environ["GATEHOUSE_URL"]
IDENTITY = os.environ["GATEHOUSE_IDENTITY"]
SERVICE = {"Authorization": f"Bearer {os.environ['GATEHOUSE_SERVICE_SECRET']}"}
ISSUER = "https://github.com/login/oauth"
PASSWORD = "a long walk by the sea"
# These end the session or the account that calls them, or change its proofs: each call is made by somebody who has just registered.
ENDING = {"logout", "logoutAll", "refresh", "deleteAccount", "changePassword", "leaveOrganization", "confirmTotp"}
NEEDING_AN_APP = {"renewRecoveryCodes", "removeTotp"}


@dataclass
class Caller:
    headers: dict[str, str] = field(default_factory=dict)
    cookies: dict[str, str] = field(default_factory=dict)
    id: str = ""
    email: str = ""


nobody = Caller()
count = itertools.count(1)
signed_in: Caller | None = None


def ask(method: str, path: str, caller: Caller | None = None, body: dict | None = None, status: int = 200) -> dict:
    """An answer that has to be this one: without it, the case would prove nothing."""
    headers = SERVICE if caller is None else caller.headers
    cookies = {} if caller is None else caller.cookies
    answer = requests.request(method, f"{URL}{path}", json=body, headers=headers, cookies=cookies, timeout=10)
    if answer.status_code != status:
        raise RuntimeError(f"{method} {path} was answered with {answer.status_code} {answer.text}")
    return answer.json()


def fresh() -> str:
    return f"fuzz{IDENTITY}{os.getpid()}x{next(count)}"


def register() -> Caller:
    name = fresh()
    body = {"email": f"{name}@example.test", "username": name, "password": PASSWORD}
    answer = requests.post(f"{URL}/api/v1/auth/register", json=body, timeout=10)
    answer.raise_for_status()
    return Caller(cookies=answer.cookies.get_dict(), id=answer.json()["user"]["id"], email=body["email"])


def code_by(secret: str) -> str:
    """The code that an authenticator app shows now (RFC 6238)."""
    step = struct.pack(">Q", int(time.time()) // 30)
    digest = hmac.new(base64.b32decode(secret + "=" * (-len(secret) % 8)), step, hashlib.sha1).digest()
    number = struct.unpack(">I", digest[digest[-1] & 15 :][:4])[0] & 0x7FFFFFFF
    return f"{number % 1_000_000:06}"


def with_app(caller: Caller) -> Caller:
    """The same person, once an authenticator app is set up."""
    secret = ask("POST", "/api/v1/auth/mfa/totp/setup", caller, {})["secret"]
    ask("POST", "/api/v1/auth/mfa/totp/confirm", caller, {"code": code_by(secret)})
    return caller


def caller_of(operation: str) -> Caller:
    global signed_in
    if IDENTITY == "anonymous":
        return nobody
    if IDENTITY == "service":
        return Caller(headers=SERVICE)
    if operation in NEEDING_AN_APP:
        caller = with_app(register())
    elif operation in ENDING:
        caller = register()
    else:
        me = signed_in and requests.get(f"{URL}/api/v1/auth/me", cookies=signed_in.cookies, timeout=10)
        if signed_in is None or me.status_code != 200:
            signed_in = register()
        caller = signed_in
    if IDENTITY == "session":
        return caller
    return Caller(headers={"Authorization": f"Bearer {caller.cookies['auth_access']}"}, id=caller.id, email=caller.email)


def user_of() -> str:
    return ask("POST", "/api/v1/users", body={"email": f"{fresh()}@example.test"})["user"]["id"]


def organization_of(owner: str) -> str:
    body = {"name": "Acme", "slug": fresh(), "owner": owner}
    return ask("POST", "/api/v1/organizations", body=body)["organization"]["id"]


def member_of(organization: str, user: str | None = None) -> str:
    user = user or user_of()
    ask("POST", f"/api/v1/organizations/{organization}/members", body={"user": user})
    return user


def below_organization(operation: str, path: str, caller: Caller) -> dict[str, str]:
    organization = organization_of(caller.id or user_of())
    if operation == "leaveOrganization":
        organization = organization_of(user_of())
        member_of(organization, caller.id)
    found = {"id": organization}
    at = f"/api/v1/organizations/{organization}"
    if "{user}" in path:
        found["user"] = member_of(organization)
    if "{invitation}" in path:
        body = {"email": f"{fresh()}@example.test"}
        found["invitation"] = ask("POST", f"{at}/invitations", body=body)["invitation"]["id"]
    if "{domain}" in path:
        found["domain"] = ask("POST", f"{at}/domains", body={"domain": f"{fresh()}.example"})["domain"]["id"]
    return found


def path_of(operation: str, path: str, caller: Caller) -> dict[str, str]:
    """Ids that exist, for the parameters of a path."""
    if "{provider}" in path:
        return {"provider": "github"}
    if IDENTITY == "anonymous":
        return {}
    if "/organizations/{id}" in path:
        return below_organization(operation, path, caller)
    if path.startswith("/api/v1/users/invitations/"):
        body = {"email": f"{fresh()}@example.test"}
        return {"id": ask("POST", "/api/v1/users/invite", body=body)["invitation"]["id"]}
    if path.startswith("/api/v1/users/{id}"):
        return {"id": user_of()}
    if operation == "revokeSession":
        body = {"login": caller.email, "password": PASSWORD}
        requests.post(f"{URL}/api/v1/auth/login", json=body, timeout=10).raise_for_status()
        return {"id": ask("GET", "/api/v1/auth/sessions", caller)["sessions"][-1]["id"]}
    if operation == "revokePersonalToken":
        token = ask("POST", "/api/v1/auth/tokens", caller, {"name": "a script"})
        return {"id": token["personal_token"]["id"]}
    return {}


def interoperable(value: object) -> object:
    """A value without whole numbers that programs would round (RFC 7493): no schema of free JSON can say that."""
    if isinstance(value, dict):
        return {name: interoperable(each) for name, each in value.items()}
    if isinstance(value, list):
        return [interoperable(each) for each in value]
    return 1 if isinstance(value, (int, float)) and abs(value) > 2**53 - 1 else value


def fields_of(operation: str, body: dict, caller: Caller) -> dict[str, object]:
    """What a valid body has in place of made-up fields: what exists, and what no schema can say."""
    fields = {name: interoperable(value) for name, value in body.items() if name.endswith("metadata")}
    # An address is the user name of its own account alone.
    if "@" in str(body.get("username", "")):
        fields["username"] = fresh()
    if "iss" in body:
        fields["iss"] = ISSUER
    return {**fields, **existing(operation, body, caller)}


def existing(operation: str, body: dict, caller: Caller) -> dict[str, object]:
    if operation == "login":
        person = register()
        return {"login": person.email, "password": PASSWORD}
    if operation == "refresh":
        body = {"login": register().email, "password": PASSWORD, "delivery": "body"}
        return {"refresh_token": ask("POST", "/api/v1/auth/login", nobody, body)["tokens"]["refresh_token"]}
    if operation in {"confirmPasswordReset", "inspectPasswordReset"}:
        person = register()
        return {"token": ask("POST", "/api/v1/auth/password-reset/request", nobody, {"login": person.email})["reset_token"]}
    if operation in {"confirmEmailVerification", "rejectEmailVerification"}:
        return {"token": ask("POST", "/api/v1/auth/email-verification/request", register(), {})["verification_token"]}
    if operation == "confirmTotp":
        return {"code": code_by(ask("POST", "/api/v1/auth/mfa/totp/setup", caller, {})["secret"])}
    if operation in {"inviteUser", "inviteTo", "inviteMember"}:
        return {"email": f"{fresh()}@example.test"}
    if operation == "createOrganizationFor":
        return {"owner": user_of(), "slug": fresh()}
    if operation == "addMember":
        return {"user": user_of()}
    if operation == "revokeUserSessions" and "session_id" in body:
        return {}
    if caller.id == "":
        return {}
    if operation == "switchOrganization":
        return {"id": organization_of(caller.id)}
    if operation == "setMemberRoles":
        return {"roles": ["member", "billing"]}
    return {"current_password": PASSWORD} if operation in {"deleteAccount", "changePassword", "reauthenticate"} else {}

"""What schemathesis needs to know of Gatehouse: who asks, values for its own formats, and what counts as a valid case refused."""

import itertools
import os

import requests
import schemathesis
from hypothesis import strategies as st

URL = os.environ["GATEHOUSE_URL"]
IDENTITY = os.environ["GATEHOUSE_IDENTITY"]
PASSWORD = "a long walk by the sea"
# These end the session that calls them, or swap its secret: each call is made by somebody who has just registered.
ENDING = {"logout", "logoutAll", "refresh", "deleteAccount"}

letters = st.sampled_from("abcdefghijklmnopqrstuvwxyz0123456789")
names = st.text(letters, min_size=3, max_size=20)
schemathesis.openapi.format("username", names)
schemathesis.openapi.format("email", st.builds("{}@{}.example.test".format, names, names))
schemathesis.openapi.format("uri", st.builds("https://{}.example.test/{}".format, names, names))
schemathesis.openapi.format("timezone", st.sampled_from(["UTC", "Europe/Berlin", "Asia/Kolkata", "America/St_Johns"]))
schemathesis.openapi.format("language-tag", st.sampled_from(["en", "de-AT", "zh-Hant-TW", "sr-Latn"]))

# Opaque to whoever gets it: the last account of a page that there never was.
schemathesis.openapi.format("cursor", st.just("WyIwMTk3MDAwMC0wMDAwLTcwMDAtODAwMC0wMDAwMDAwMDAwMDAiLCIiXQ"))

people = itertools.count(1)


def register() -> dict[str, str]:
    name = f"fuzz{IDENTITY}{os.getpid()}x{next(people)}"
    body = {"email": f"{name}@example.test", "username": name, "password": PASSWORD}
    answer = requests.post(f"{URL}/api/v1/auth/register", json=body, timeout=10)
    answer.raise_for_status()
    return answer.cookies.get_dict()


session: dict[str, str] = {}


def cookies_for(operation_id: str) -> dict[str, str]:
    global session
    if operation_id in ENDING:
        return register()
    me = requests.get(f"{URL}/api/v1/auth/me", cookies=session, timeout=10)
    if me.status_code != 200:
        session = register()
    return session


@schemathesis.hook
def before_call(ctx, case, kwargs):
    if IDENTITY == "anonymous":
        return
    # Schemathesis makes up a token or a cookie for each way to be signed in, and a made-up token would be taken for the caller's.
    case.headers.pop("Authorization", None)
    case.cookies = {}
    if IDENTITY == "service":
        case.headers["Authorization"] = f"Bearer {os.environ['GATEHOUSE_SERVICE_SECRET']}"
        return
    cookies = cookies_for(case.operation.definition.raw["operationId"])
    if IDENTITY == "bearer":
        case.headers["Authorization"] = f"Bearer {cookies['auth_access']}"
    else:
        case.cookies = cookies


def code_of(response) -> str | None:
    is_json = "json" in response.headers.get("content-type", [""])[0]
    return response.json().get("code") if is_json else None


@schemathesis.check
def takes_what_is_valid(ctx, response, case):
    code = code_of(response)
    ways = case.operation.definition.raw["security"]
    is_known = "session" in {scheme for way in ways for scheme in way} and IDENTITY in ("session", "bearer")
    if is_known and code == "unauthorized":
        raise AssertionError("somebody who is signed in was refused as nobody")
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    # Whether a password is common no schema can say.
    if response.status_code in (400, 405, 413, 415, 422) and code != "weak_password":
        raise AssertionError(f"a valid case was refused: {response.status_code} {response.text[:300]}")

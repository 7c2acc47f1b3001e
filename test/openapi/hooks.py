"""What schemathesis needs to know of Gatehouse: who asks, what there is to ask about, and what counts as invalid."""

import json
import os
import unicodedata

import schemathesis
from hypothesis import strategies as st
from jsonschema_rs import validator_for
from schemathesis.core.failures import AcceptedNegativeData
from schemathesis.specs.openapi.checks import negative_data_rejection

import things

letters = st.sampled_from("abcdefghijklmnopqrstuvwxyz0123456789")
names = st.text(letters, min_size=3, max_size=20)
long_names = st.text(letters, min_size=12, max_size=20)
schemathesis.openapi.format("username", long_names)
schemathesis.openapi.format(
    "idn-email",
    st.one_of(
        st.builds("{}@{}.example.test".format, long_names, names),
        st.builds("{}.grün+{}@{}.bücher.example".format, long_names, names, names),
    ),
)
# Whether a password is common or was seen in a breach no schema can say: these are neither.
schemathesis.openapi.format("password", st.builds("{} by the sea {}".format, long_names, names))
schemathesis.openapi.format("idn-hostname", st.builds("{}.example".format, long_names))
schemathesis.openapi.format("uri", st.builds("https://{}.example.test/{}".format, names, names))
schemathesis.openapi.format("timezone", st.sampled_from(["UTC", "Europe/Berlin", "Asia/Kolkata", "America/St_Johns"]))
schemathesis.openapi.format(
    "language-tag", st.sampled_from(["en", "de-AT", "zh-Hant-TW", "sr-Latn", "ca-valencia", "de-u-co-phonebk"])
)
# Opaque to whoever gets it: the last account of a page that there never was.
schemathesis.openapi.format("cursor", st.just("WyIwMTk3MDAwMC0wMDAwLTcwMDAtODAwMC0wMDAwMDAwMDAwMDAiLCIiXQ"))


def operation_of(case) -> str:
    return case.operation.definition.raw["operationId"]


def is_positive(case) -> bool:
    return case.meta is not None and case.meta.generation.mode.is_positive


# Who asks in each case, by its id.
callers: dict[str, things.Caller] = {}


@schemathesis.auth(refresh_interval=None)
class Asking:
    def get(self, case, ctx):
        return things.caller_of(operation_of(case))

    def set(self, case, caller, ctx):
        callers[case.id] = caller
        case.headers.update(caller.headers)
        case.cookies.update(caller.cookies)


@schemathesis.hook
def before_call(ctx, case, kwargs):
    caller = callers.pop(case.id, things.nobody)
    if not is_positive(case):
        return
    operation = operation_of(case)
    if case.path_parameters:
        case.path_parameters.update(things.path_of(operation, case.operation.path, caller))
    if "iss" in (case.query or {}):
        case.query["iss"] = things.ISSUER
    if isinstance(case.body, dict):
        case.body.update(things.fields_of(operation, case.body, caller))


def code_of(response) -> str | None:
    is_json = "json" in response.headers.get("content-type", [""])[0]
    return response.json().get("code") if is_json else None


@schemathesis.hook
def after_call(ctx, case, response):
    """Keeps what became of each case, for the test to see which routes were done."""
    line = {
        "operation": operation_of(case),
        "positive": is_positive(case),
        "status": response.status_code,
        "code": code_of(response),
    }
    with open(os.environ["GATEHOUSE_TALLY"], "a", encoding="utf-8") as tally:
        tally.write(json.dumps(line) + "\n")


@schemathesis.check
def knows_who_is_signed_in(ctx, response, case):
    ways = case.operation.definition.raw["security"]
    is_known = "session" in {scheme for way in ways for scheme in way} and things.IDENTITY in ("session", "bearer")
    if is_known and code_of(response) == "unauthorized":
        raise AssertionError("somebody who is signed in was refused as nobody")


def as_read(value, schema):
    """A body as the service reads it, by what `info.description` of the document says: texts without the spaces around them and in NFC; an
    empty text empties a field that may be null, and else is a field that was not sent; and fields that a body does not have are not there."""
    if isinstance(value, str):
        return unicodedata.normalize("NFC", value).strip()
    if isinstance(value, list):
        return [as_read(each, {}) for each in value]
    if not isinstance(value, dict):
        return value
    known = schema.get("properties")
    if known is None:
        return value
    is_open = schema.get("additionalProperties") is not False
    read = {name: as_read(each, {}) for name, each in value.items() if not is_open or name in known}
    for name, each in list(read.items()):
        if each == "" and "null" in known.get(name, {}).get("type", ""):
            read[name] = None
        elif each == "":
            del read[name]
    return read


@schemathesis.check
def refuses_what_is_invalid(ctx, response, case):
    try:
        negative_data_rejection(ctx, response, case)
    except AcceptedNegativeData:
        body = case.operation.get_body_for_media_type(case.media_type) if case.media_type else None
        schema = body.optimized_schema if body is not None else None
        if isinstance(case.body, (dict, list, str)) and isinstance(schema, dict):
            if validator_for(schema).is_valid(as_read(case.body, schema)):
                return
        raise
